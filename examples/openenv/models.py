"""The messages between client and server."""

from typing import Any

from pydantic import Field

from openenv.core.env_server.types import Action, Observation, State


class MonopolyAction(Action):
    """The answer of a model."""

    answer: str = Field(
        ...,
        description='Text that ends with an action: {"action": 1}, or {"why": "build Boardwalk"}',
    )


class MonopolyObservation(Observation):
    """A decision, or the result of the game."""

    text: str = Field(default="", description="The position, what happened, the numbered actions")
    instructions: str = Field(default="", description="A system prompt, with the first decision")
    legal_actions: list[str] = Field(default_factory=list, description="In the order of numbers")
    answer_schema: dict[str, Any] = Field(
        default_factory=dict, description="A JSON Schema of the answer to this decision"
    )
    tries_left: int = Field(default=0, description="Unusable answers left for this decision")
    played: list[str] = Field(default_factory=list, description="The actions of the last answer")
    scores: dict[str, float] = Field(
        default_factory=dict, description="At the end: win, rank, net_worth, legality, solved"
    )


class MonopolyState(State):
    """The state of the game; step_count is the number of answers."""

    seat: str = Field(default="", description="The letter of the seat that is asked")
    seed: int | None = Field(default=None, description="The seed of the game")
    counts: dict[str, int] = Field(default_factory=dict, description="Decisions, answers, faults")
