"""Sequential probability ratio test of a win rate: play until one of two hypotheses is accepted.

The games of a seed share their dice and are dependent, so a seed with all its games is one
observation, scored by the mean share of the win. The test is Wald's with a generalized likelihood
ratio: under each hypothesis, scores have the most likely distribution with that mean. No other
assumption is made. With one game per seed and no shared wins, it reduces to Wald's test of a
proportion.

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

# Pseudo-counts of seeds with score 0 and score 1, so that every mean is possible.
PRIOR = 1e-3
SAME_SCORE = 9  # decimals of scores, so that sums of thirds in another order are equal
MOST_STEPS = 200  # of the root search; Newton's method takes about ten
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Sprt:
    """The hypotheses "the win rate is p0" and "it is p1", p0 < p1, and the error probabilities.

    ``alpha`` is the probability of accepting p1 if p0 is true, ``beta`` that of accepting p0 if p1
    is true.
    """

    p0: float
    p1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which p0 and p1 are accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratios(self, scores: Float64s, counts: Float64s) -> Float64s:
        """Return the log likelihood ratios of p1 to p0.

        Args:
            scores: the distinct scores of seeds, float64[K], from 0 to 1.
            counts: number of seeds with each score, float64[..., K].

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
        """Return the hypothesis accepted at this log likelihood ratio, or None to continue."""
        low, high = self.bounds
        if ratio >= high:
            return "p1"
        return "p0" if ratio <= low else None


def with_prior(scores: Float64s, counts: Float64s) -> tuple[Float64s, Float64s]:
    """Add the pseudo-counts of scores 0 and 1, which may not have occurred yet."""
    added = np.setdiff1d([0.0, 1.0], scores)
    blank = np.zeros((*counts.shape[:-1], len(added)))
    scores, counts = np.append(scores, added), np.concatenate([counts, blank], axis=-1)
    return scores, counts + PRIOR * np.isin(scores, (0.0, 1.0))


def multipliers(off: Float64s, shares: Float64s) -> Float64s:
    """Return the Lagrange multipliers x of the most likely distributions with a given mean.

    Among all distributions over scores with that mean, the one that makes ``shares`` most likely
    gives score i the probability shares[i] / (1 + x * off[i]), where x is the root of the sum of
    shares[i] * off[i] / (1 + x * off[i]). The sum decreases in x, so the root is unique.

    Args:
        off: scores minus the mean, float64[K]; some negative, some positive.
        shares: float64[..., K], which sum to 1.

    Returns: float64[...].
    """
    rows = shares.reshape(-1, shares.shape[-1])
    roots = np.zeros(len(rows))
    low, high = np.full(len(rows), -1 / off.max()), np.full(len(rows), -1 / off.min())
    on = np.arange(len(rows))  # rows whose root is not found yet
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
    """The progress and result of a sequential test."""

    test: Sprt
    seeds: int = 0
    games: int = 0
    wins: float = 0.0
    decided: Decision | None = None  # None if undecided, or if the games ran out
    scores: dict[float, int] = field(default_factory=dict)  # number of seeds by score

    def add_seed(self, wins: float, games: int) -> None:
        """Add a seed that was played from every seat, unless the test is already decided."""
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
        """Return the entry of results.json."""
        facts = {**asdict(self), "scores": sorted(self.scores.items())}
        return {**facts, "bounds": self.test.bounds, "log_likelihood_ratio": self.ratio}


class TrialMonitor:
    """Feeds the first bot's games to the test in schedule order, whatever their order of arrival.

    The decision therefore does not depend on the speed of processes.
    """

    def __init__(self, test: Sprt, games_a_seed: int) -> None:
        self.trial = Trial(test)
        self.last_seed = -1  # the last seed counted
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
