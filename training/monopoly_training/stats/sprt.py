"""A sequential test of a win rate: play until one of two hypotheses is decided.

The games of a seed share its dice, so they are not independent. A seed with all its games is one
observation: its score is the mean share of the win over them. The test is Wald's, with a
generalized likelihood ratio: under each hypothesis, scores have the most likely distribution with
that mean. Nothing else is assumed of them. Where each seed is one game without shared wins, this
is Wald's test of a win rate.

Sources: A. Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16
(1945), 117 to 186. M. Van den Bergh, Comments on Normalized Elo, proposition 1.1, which chess
engines are tested by (fishtest, fastchess), with pairs of games in place of seeds.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from math import log
from typing import Any, Literal

import numpy as np

from monopoly_training.stats.bootstrap import Float64s

Decision = Literal["p0", "p1"]

# Seeds of score 0 and of score 1 that count beside those played, so that every mean is possible.
PRIOR = 1e-3
SAME_SCORE = 9  # decimals: sums of thirds in another order are one score
MOST_STEPS = 200  # of the search for a root; Newton's method takes about ten
TOLERANCE = 1e-12


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

    def ratios(self, scores: Float64s, counts: Float64s) -> Float64s:
        """The log likelihood ratios of p1 to p0.

        Args:
            scores: what seeds can score, float64[K], each once, from 0 to 1.
            counts: how many did, float64[..., K].

        Returns: float64[...].

        >>> Sprt(0.25, 0.3).ratios(np.array([0.0, 1.0]), np.array([70.0, 30.0])).round(3)
        np.float64(0.64)
        """
        scores, counts = with_prior(scores, counts)
        shares = counts / counts.sum(axis=-1, keepdims=True)
        off_0, off_1 = scores - self.p0, scores - self.p1
        weight_0 = 1 + multipliers(off_0, shares)[..., None] * off_0
        weight_1 = 1 + multipliers(off_1, shares)[..., None] * off_1
        ratios: Float64s = (counts * (np.log(weight_0) - np.log(weight_1))).sum(axis=-1)
        return ratios

    def decision(self, ratio: float) -> Decision | None:
        """Which hypothesis is decided at this log likelihood ratio; None: play on."""
        low, high = self.bounds
        if ratio >= high:
            return "p1"
        return "p0" if ratio <= low else None


def with_prior(scores: Float64s, counts: Float64s) -> tuple[Float64s, Float64s]:
    """Add a little to the counts of scores 0 and 1, which may not be among the scores yet."""
    added = np.setdiff1d([0.0, 1.0], scores)
    blank = np.zeros((*counts.shape[:-1], len(added)))
    scores, counts = np.append(scores, added), np.concatenate([counts, blank], axis=-1)
    return scores, counts + PRIOR * np.isin(scores, (0.0, 1.0))


def multipliers(off: Float64s, shares: Float64s) -> Float64s:
    """Lagrange multipliers x of the most likely distributions with a given mean.

    Of all distributions over scores with that mean, the one in which ``shares`` of observations
    are most likely gives score i the probability shares[i] / (1 + x * off[i]), where the sum of
    shares[i] * off[i] / (1 + x * off[i]) is 0. The sum falls in x, so that it has one root.

    Args:
        off: scores less the mean, float64[K]; some are below 0, some above.
        shares: float64[..., K], that add up to 1.

    Returns: float64[...].
    """
    rows = shares.reshape(-1, shares.shape[-1])
    roots = np.zeros(len(rows))
    low, high = np.full(len(rows), -1 / off.max()), np.full(len(rows), -1 / off.min())
    on = np.arange(len(rows))  # whose root is not found yet
    for _ in range(MOST_STEPS):
        root = roots[on]
        part = off / (1 + root[:, None] * off)
        excess = (rows[on] * part).sum(axis=1)
        low[on] = np.where(excess > 0, root, low[on])
        high[on] = np.where(excess > 0, high[on], root)
        after = root + excess / (rows[on] * part**2).sum(axis=1)  # Newton's method
        inside = (low[on] < after) & (after < high[on])
        roots[on] = np.where(inside, after, (low[on] + high[on]) / 2)
        on = on[np.abs(roots[on] - root) > TOLERANCE * (1 + np.abs(root))]
        if not len(on):
            break
    return roots.reshape(shares.shape[:-1])


@dataclass
class Trial:
    """A sequential test under way, or at its end: what was played, and what is decided."""

    test: Sprt
    seeds: int = 0
    games: int = 0
    wins: float = 0.0
    decided: Decision | None = None  # None: nothing yet, or the games ran out
    scores: dict[float, int] = field(default_factory=dict)  # how many seeds had which score

    def add_seed(self, wins: float, games: int) -> None:
        """Count a seed that was played from every seat, unless the test is decided already."""
        if self.decided is None:
            self.seeds, self.games, self.wins = self.seeds + 1, self.games + games, self.wins + wins
            score = round(wins / games, SAME_SCORE)
            self.scores[score] = self.scores.get(score, 0) + 1
            self.decided = self.test.decision(self.ratio)

    @property
    def ratio(self) -> float:
        """The log likelihood ratio of p1 to p0; 0 before the first seed."""
        if not self.scores:
            return 0.0
        counts = np.array(list(self.scores.values()), float)
        return float(self.test.ratios(np.array(list(self.scores)), counts))

    def as_json(self) -> dict[str, Any]:
        """For results.json."""
        facts = {**asdict(self), "scores": sorted(self.scores.items())}
        return {**facts, "bounds": self.test.bounds, "log_likelihood_ratio": self.ratio}


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
