"""Score answers by the win probability that they lose, per kind of decision, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.engine.state import Float64s
from monopoly_training.stats.bootstrap import Interval, intervals_of_ratio
from monopoly_training.suite.ask_agent import Answer
from monopoly_training.suite.decisions import Decision, DecisionSet
from monopoly_training.suite.kinds import ALL_KINDS, DEAL_KINDS

ALL, DEALS = "all", "deals"


@dataclass(frozen=True)
class KindScore:
    """The score of answers to some decisions. Losses are in win probability, 0 to 1."""

    decisions: int
    loss: float  # mean
    interval: Interval | None  # 95%, bootstrap over decisions; None for a single one
    agreement: float  # share of answers that are best, or not significantly worse
    by_chance: float  # mean loss of a random action
    illegal: int  # missing or illegal answers, which count as the worst action
    seconds: float  # mean time per decision

    def as_json(self) -> dict[str, Any]:
        """Return the score as plain data."""
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
    """The score of an agent on a set."""

    agent: str
    set_name: str
    kinds: dict[str, KindScore]  # ``all``, ``deals`` and each kind in the set
    decisions: list[dict[str, Any]]  # one row each: id, action, loss

    def as_json(self, details: bool = True) -> dict[str, Any]:
        """Return the score as plain data; with a row for each decision if ``details``."""
        data: dict[str, Any] = {
            "agent": self.agent,
            "set": self.set_name,
            "kinds": {kind: score.as_json() for kind, score in self.kinds.items()},
        }
        if details:
            data["decisions"] = self.decisions
        return data


def loss_of(decision: Decision, answer: Answer) -> float:
    """Return the loss of an answer; no answer counts as the worst action."""
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
