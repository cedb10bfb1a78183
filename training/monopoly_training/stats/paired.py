"""Paired comparison of two bots that play the same seeds and seats against the same opponents.

A seed with all its games is one pair of observations: the two bots' mean shares of the win. The
interval of the mean difference is a bootstrap over seeds. The p-value comes from a randomization
test: if the bots are equally good, the sign of each seed's difference is random.

Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 and 15.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from monopoly_training.stats.bootstrap import Float64s, Interval, intervals_of_ratio

FLIPS = 20_000  # number of random sign vectors
# decimals to which differences are rounded, so that sums of thirds in another order are equal
SAME = 9


@dataclass(frozen=True)
class Comparison:
    """The results of two bots in the same games.

    Differences are the first bot's minus the second's.
    """

    seeds: int
    win_rates: tuple[float, float]
    difference: float  # in win rate
    ci95: Interval | None  # of the difference, by a bootstrap over seeds; None if there are too few
    p_value: float  # two-sided
    rank_difference: float  # in mean rank; negative if the first bot finished ahead
    rank_ci95: Interval | None
    # between the two bots' scores of a seed: the noise that pairing removes
    correlation: float | None
    better: int  # seeds in which the first bot won more
    worse: int  # seeds in which it won less; the rest are ties

    def as_json(self) -> dict[str, Any]:
        """Return the entry of results.json."""
        return asdict(self)


def compare(wins: Float64s, ranks: Float64s) -> Comparison:
    """Compare two bots by win shares and mean ranks per seed, float64[seeds, 2] each."""
    difference = np.round(wins[:, 0] - wins[:, 1], SAME)
    both = np.stack([difference, ranks[:, 0] - ranks[:, 1]], axis=1)
    win_ends, rank_ends = intervals_of_ratio(both, np.ones_like(both))
    varies = len(wins) > 1 and bool((wins.std(axis=0) > 0).all())
    return Comparison(
        seeds=len(wins),
        win_rates=(float(wins[:, 0].mean()), float(wins[:, 1].mean())),
        difference=float(difference.mean()),
        ci95=win_ends,
        p_value=p_value(difference),
        rank_difference=float(both[:, 1].mean()),
        rank_ci95=rank_ends,
        correlation=float(np.asarray(np.corrcoef(wins.T))[0, 1]) if varies else None,
        better=int((difference > 0).sum()),
        worse=int((difference < 0).sum()),
    )


def p_value(differences: Float64s, flips: int = FLIPS, seed: int = 0) -> float:
    """Return how often random signs give a sum at least as far from 0 as the observed one.

    Signs of equal differences are drawn together, from a binomial distribution. The observed sum
    counts as one draw, so that the value is never 0.

    >>> p_value(np.array([0.25] * 5)) > 0.05  # 2 of 32 choices of signs
    True
    """
    sizes, counts = np.unique(np.abs(differences), return_counts=True)
    generator = np.random.default_rng(seed)
    ups = generator.binomial(counts, 0.5, (flips, len(sizes)))
    sums = np.abs((2 * ups - counts) @ sizes)
    as_far = int((sums >= abs(differences.sum()) - 10**-SAME).sum())
    return (1 + as_far) / (1 + flips)
