"""Ask an agent for all decisions of a set, each independently, without memory between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from monopoly_env.agent import Agent
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.sequential import GuardedAgent, same_surroundings
from monopoly_training.suite.decisions import Decision

SEED = 1  # agent's seed for the first decision; it increases by one per decision


@dataclass(frozen=True)
class Answer:
    """An agent's answer to a decision."""

    place: int | None  # index among the compared actions; None if illegal, missing or not compared
    seconds: float = 0.0  # time taken


def ask_all(
    agent: Agent,
    name: str,
    decisions: Sequence[Decision],
    errors: ErrorLog,
    progress: Progress | None = None,
) -> list[Answer]:
    """Return the agent's answers, in order. An error counts as no answer, and is logged."""
    shown = progress or NoProgress()
    shown.stage("asking")
    answers = []
    for number, decision in enumerate(decisions):
        answers.append(ask(agent, name, decision, SEED + number, errors))
        shown.update((number + 1) / len(decisions), f"{number + 1:,} decisions")
    return answers


def ask(agent: Agent, name: str, decision: Decision, seed: int, errors: ErrorLog) -> Answer:
    """Return the answer of a freshly reset agent."""
    guarded = GuardedAgent(agent, name, decision.id, errors)
    with same_surroundings():
        guarded.reset(seed)
        action = guarded.decide(decision.view())
    settled = sum(guarded.faults()) > 0
    return Answer(None if settled else decision.ids.index(action), guarded.seconds)
