"""Whether one bot is better than another: both play the same seeds and seats against the same bots.

A seed with all its games is one pair of observations, the two bots' mean shares of the win. The
interval of the mean difference is a bootstrap over seeds. The p-value is that of a randomization
test: if neither bot were better, each seed's difference could as well have had the other sign.

Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 and 15.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from monopoly_training.stats.bootstrap import Float64s, Interval, intervals_of_ratio

FLIPS = 20_000  # random choices of signs
SAME = 9  # decimals: sums of thirds in another order are one difference


@dataclass(frozen=True)
class Comparison:
    """How two bots did in the same games; differences are the first one's less the second one's."""

    seeds: int
    win_rates: tuple[float, float]
    difference: float  # of the win rates
    ci95: Interval | None  # of the difference, bootstrap over seeds; None: too few
    p_value: float  # two-sided: as large a difference if neither were better
    rank_difference: float  # of the mean ranks; below 0 the first bot came in ahead
    rank_ci95: Interval | None
    correlation: float | None  # of the two scores of a seed: what pairing takes out of the noise
    better: int  # seeds in which the first bot won more
    worse: int  # seeds in which it won less; the others are equal

    def as_json(self) -> dict[str, Any]:
        """For results.json."""
        return asdict(self)


def compare(wins: Float64s, ranks: Float64s) -> Comparison:
    """Compare two bots by their mean shares of the win and mean ranks, both float64[seeds, 2]."""
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
    """How often random signs give a sum as far from 0 as that of these differences, or farther.

    Signs of equal differences are drawn together, by a binomial. The sum itself counts as one of the
    draws, so that the value is never 0.

    >>> p_value(np.array([0.25] * 5)) > 0.05  # 2 of 32 choices of signs
    True
    """
    sizes, counts = np.unique(np.abs(differences), return_counts=True)
    generator = np.random.default_rng(seed)
    ups = generator.binomial(counts, 0.5, (flips, len(sizes)))
    sums = np.abs((2 * ups - counts) @ sizes)
    as_far = int((sums >= abs(differences.sum()) - 10**-SAME).sum())
    return (1 + as_far) / (1 + flips)
