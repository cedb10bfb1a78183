"""The rewards of the other environments, for games that Python steps."""

from __future__ import annotations

from typing import Any

from monopoly_env.compiler.jit import jit
from monopoly_env.encoding.reward import Reward, pay_decision, pay_end


@jit
def _due_at_decision(
    games: Any, rules_: Any, rewards: Any, seat: int, before: float
) -> tuple[float, float]:
    """Take arrays, because passing a record to compiled code costs 10 µs."""
    return pay_decision(games[0], rules_[0], rewards[0], seat, before)


@jit
def _due_at_end(games: Any, rules_: Any, rewards: Any, seat: int, before: float) -> float:
    return pay_end(games[0], rules_[0], rewards[0], seat, before)


class Payments:
    """Computes each seat's rewards; once the game has ended for a seat, it gets no more."""

    def __init__(self, reward: Reward) -> None:
        self._record = reward.record()
        self._pays_decisions = reward.each != "none" or reward.potential != "none"
        self._potential: dict[int, float] = {}
        self._settled: set[int] = set()

    def at_decision(self, games: Any, rules: Any, seat: int) -> float:
        """Return a seat's reward since its last decision; 0 at its first decision."""
        if not self._pays_decisions:
            return 0.0
        before = self._potential.get(seat)
        paid, now = _due_at_decision(games, rules, self._record, seat, before or 0.0)
        self._potential[seat] = now
        return 0.0 if before is None else paid

    def at_end(self, games: Any, rules: Any, seat: int) -> float:
        """Return a seat's reward for the end of the game or its bankruptcy; 0 the second time."""
        if seat in self._settled:
            return 0.0
        self._settled.add(seat)
        before = self._potential.get(seat, 0.0)
        return float(_due_at_end(games, rules, self._record, seat, before))
