"""The score of answers: how much chance to win they lose, by kind of decision, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.engine.state import Float64s
from monopoly_training.stats.bootstrap import Interval, intervals_of_ratio
from monopoly_training.suite.asking import Answer
from monopoly_training.suite.decisions import Decision, DecisionSet
from monopoly_training.suite.kinds import ALL_KINDS, DEAL_KINDS

ALL, DEALS = "all", "deals"


@dataclass(frozen=True)
class KindScore:
    """How good the answers in some decisions are. Losses are chances to win, from 0 to 1."""

    decisions: int
    loss: float  # mean
    interval: Interval | None  # 95 %, by drawing decisions anew; None for a single one
    agreement: float  # part of the answers that are best, or not surely worse
    by_chance: float  # the mean loss of an action at random
    illegal: int  # no answer, or none of the actions; counts as the worst of them
    seconds: float  # a decision, mean

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "decisions": self.decisions,
            "loss": round(self.loss, 5),
            "interval": None if self.interval is None else [round(end, 5) for end in self.interval],
            "agreement": round(self.agreement, 4),
            "by_chance": round(self.by_chance, 5),
            "illegal": self.illegal,
            "seconds": round(self.seconds, 6),
        }


@dataclass(frozen=True)
class SuiteScore:
    """The score of an agent in a set."""

    agent: str
    set_name: str
    kinds: dict[str, KindScore]  # ``all``, ``deals`` and each kind that is there
    decisions: list[dict[str, Any]]  # a row each: id, action, loss

    def as_json(self, details: bool = True) -> dict[str, Any]:
        """As plain data; with a row for each decision, if ``details``."""
        told: dict[str, Any] = {
            "agent": self.agent,
            "set": self.set_name,
            "kinds": {kind: score.as_json() for kind, score in self.kinds.items()},
        }
        if details:
            told["decisions"] = self.decisions
        return told


def loss_of(decision: Decision, answer: Answer) -> float:
    """What an answer loses; no answer counts as the worst action."""
    losses = decision.losses
    return float(losses.max() if answer.place is None else losses[answer.place])


def score(agent: str, chosen: DecisionSet, answers: Sequence[Answer]) -> SuiteScore:
    """Score the answers to all decisions of a set, in order."""
    pairs = list(zip(chosen.decisions, answers, strict=True))
    groups = {ALL: pairs, DEALS: [pair for pair in pairs if pair[0].kind in DEAL_KINDS]}
    groups |= {kind: [pair for pair in pairs if pair[0].kind == kind] for kind in ALL_KINDS}
    kinds = {kind: _score(group) for kind, group in groups.items() if group}
    return SuiteScore(agent, chosen.name, kinds, [_row(*pair) for pair in pairs])


def _score(pairs: Sequence[tuple[Decision, Answer]]) -> KindScore:
    losses: Float64s = np.array([loss_of(*pair) for pair in pairs])
    column = losses.reshape(-1, 1)
    return KindScore(
        decisions=len(pairs),
        loss=float(losses.mean()),
        interval=intervals_of_ratio(column, np.ones_like(column))[0],
        agreement=sum(answer.place in decision.best for decision, answer in pairs) / len(pairs),
        by_chance=float(np.mean([decision.losses.mean() for decision, _ in pairs])),
        illegal=sum(answer.place is None for _, answer in pairs),
        seconds=sum(answer.seconds for _, answer in pairs) / len(pairs),
    )


def _row(decision: Decision, answer: Answer) -> dict[str, Any]:
    best = decision.actions[int(decision.losses.argmin())]
    return {
        "id": decision.id,
        "action": None if answer.place is None else decision.actions[answer.place],
        "best": best,
        "loss": round(loss_of(decision, answer), 5),
        "error": 0.0
        if answer.place is None
        else round(float(decision.loss_errors[answer.place]), 5),
    }
