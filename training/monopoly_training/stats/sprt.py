"""Wald's sequential test of a win rate: play until one of two hypotheses is decided.

Source: A. Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16
(1945), 117 to 186.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log
from typing import Any, Literal

Decision = Literal["p0", "p1"]


@dataclass(frozen=True)
class Sprt:
    """The hypotheses "the win rate is p0" and "it is p1", p0 < p1, and the errors allowed.

    ``alpha`` is the chance of deciding for p1 if p0 is true, ``beta`` the other way round.
    """

    p0: float
    p1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which p0 and p1 are decided."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, wins: float, games: float) -> float:
        """The log likelihood ratio of p1 to p0. A shared win counts in part."""
        lost = log((1 - self.p1) / (1 - self.p0))
        return wins * log(self.p1 / self.p0) + (games - wins) * lost

    def decision(self, wins: float, games: float) -> Decision | None:
        """Which hypothesis is decided; None: play on."""
        low, high = self.bounds
        ratio = self.ratio(wins, games)
        if ratio >= high:
            return "p1"
        return "p0" if ratio <= low else None


@dataclass
class Trial:
    """A sequential test under way, or at its end: what was played, and what is decided."""

    test: Sprt
    seeds: int = 0
    games: int = 0
    wins: float = 0.0
    decided: Decision | None = None  # None: nothing yet, or the games ran out

    def add_seed(self, wins: float, games: int) -> None:
        """Count a seed that was played from every seat, unless the test is decided already."""
        if self.decided is None:
            self.seeds, self.games, self.wins = self.seeds + 1, self.games + games, self.wins + wins
            self.decided = self.test.decision(self.wins, self.games)

    def as_json(self) -> dict[str, Any]:
        """For results.json."""
        ratio = self.test.ratio(self.wins, self.games)
        return {**asdict(self), "bounds": self.test.bounds, "log_likelihood_ratio": ratio}


class TrialMonitor:
    """Counts the first bot's games in the order of the schedule, however they come in.

    So the decision does not depend on which process was the fastest.
    """

    def __init__(self, test: Sprt, games_a_seed: int) -> None:
        self.trial = Trial(test)
        self.last_seed = -1  # that was counted
        self._games_a_seed = games_a_seed
        self._next_batch = 0
        self._waiting: dict[int, list[tuple[int, float | None]]] = {}
        self._played: dict[int, tuple[float, int, int]] = {}  # by seed: wins, its games, all games

    def add(self, batch: int, games: list[tuple[int, float | None]]) -> bool:
        """Add a batch: a seed and the first bot's share of the win (None: not there) a game.

        Returns whether something is decided.
        """
        self._waiting[batch] = games
        while self._next_batch in self._waiting and self.trial.decided is None:
            for seed, win in self._waiting.pop(self._next_batch):
                self._add_game(seed, win)
            self._next_batch += 1
        return self.trial.decided is not None

    def _add_game(self, seed: int, win: float | None) -> None:
        wins, mine, games = self._played.pop(seed, (0.0, 0, 0))
        wins, mine, games = wins + (win or 0.0), mine + (win is not None), games + 1
        if games < self._games_a_seed:
            self._played[seed] = wins, mine, games
        elif self.trial.decided is None:
            self.trial.add_seed(wins, mine)
            self.last_seed = seed
