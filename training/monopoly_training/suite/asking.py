"""Asks an agent for every decision of a set, each by itself: nothing is remembered between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from monopoly_env.agent import Agent
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.sequential import GuardedAgent, same_surroundings
from monopoly_training.suite.decisions import Decision

SEED = 1  # of an agent's own random numbers; each decision has another one after it


@dataclass(frozen=True)
class Answer:
    """What an agent does in a decision."""

    place: int | None  # of its action among those that are compared; None: no answer, or another
    seconds: float = 0.0  # that it took


def ask_all(
    agent: Agent,
    name: str,
    decisions: Sequence[Decision],
    errors: ErrorLog,
    progress: Progress | None = None,
) -> list[Answer]:
    """The answers of an agent, in order. What it raises counts as no answer, and is noted."""
    shown = progress or NoProgress()
    shown.stage("asking")
    answers = []
    for number, decision in enumerate(decisions):
        answers.append(ask(agent, name, decision, SEED + number, errors))
        shown.update((number + 1) / len(decisions), f"{number + 1:,} decisions")
    return answers


def ask(agent: Agent, name: str, decision: Decision, seed: int, errors: ErrorLog) -> Answer:
    """The answer of an agent that has seen nothing before."""
    guarded = GuardedAgent(agent, name, decision.id, errors)
    with same_surroundings():
        guarded.reset(seed)
        action = guarded.decide(decision.view())
    settled = sum(guarded.faults()) > 0
    return Answer(None if settled else decision.ids.index(action), guarded.seconds)
