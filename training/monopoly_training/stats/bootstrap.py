"""Bootstrap intervals over seeds.

The games of a seed are dependent, so a seed is resampled as a whole.

Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13, percentiles.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.state import Int64s

DRAWS = 1000
LEVEL = 0.95

Float64s = npt.NDArray[np.float64]
Interval = tuple[float, float]


def sums_by_unit(
    unit: Int64s, rows: Int64s, values: Float64s, columns: int, units: int = 0
) -> Float64s:
    """Sum values by unit and column into float64[units, columns].

    The three arrays have equal length.

    ``units`` is the minimum number of rows, even if the last ones are empty.
    """
    units = max(units, int(unit.max()) + 1 if len(unit) else 0)
    flat = np.bincount(unit * columns + rows, values, units * columns)
    return flat.astype(np.float64, copy=False).reshape(units, columns)


def intervals_of_ratio(
    above: Float64s, below: Float64s, draws: int = DRAWS, seed: int = 0
) -> list[Interval | None]:
    """Return the 95% interval of sum(above) / sum(below) over units, for each column.

    ``above`` and ``below`` are float64[units, columns]. The interval is None for a column whose
    ``below`` is all zero, and for all columns if there are fewer than two units. The result is
    deterministic.
    """
    units, columns = above.shape
    generator = np.random.default_rng(seed)
    ratios = np.empty((draws, columns))
    for draw in range(draws):
        times = np.bincount(generator.integers(0, units, units), minlength=units).astype(float)
        total = times @ below
        ratios[draw] = np.divide(times @ above, total, np.full_like(total, np.nan), where=total > 0)
    known = (below.sum(axis=0) > 0) & (units > 1)
    ratios[:, ~known] = 0.0  # avoids NaN warnings in the percentiles
    ends = np.nanpercentile(ratios, (50 - 50 * LEVEL, 50 + 50 * LEVEL), axis=0)
    return [
        (float(low), float(high)) if is_known else None
        for low, high, is_known in zip(*ends, known, strict=True)
    ]


def means_by_seed(seeds: Int64s, *values: Float64s) -> list[Interval | None]:
    """Return the 95% interval of the mean of each of ``values``, one per game.

    The bootstrap resamples ``seeds``, int64[games].
    """
    unit = np.unique(seeds, return_inverse=True)[1].astype(np.int64)
    blank, games = np.zeros(len(unit), np.int64), np.ones(len(unit))
    above = np.concatenate([sums_by_unit(unit, blank, each, 1) for each in values], axis=1)
    return intervals_of_ratio(above, np.repeat(sums_by_unit(unit, blank, games, 1), len(values), 1))
