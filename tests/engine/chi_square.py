"""Pearson's chi-square test, for counts of what should happen at random."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Z = 4.7534  # a normal variable exceeds it once in a million times


def chi_square(counts: npt.ArrayLike, shares: npt.ArrayLike | None = None) -> float:
    """The squared deviations from the expected counts, each over what is expected.

    ``shares`` are the chances of the cells, in the same shape; None: all cells are equally likely.
    """
    found = np.asarray(counts, float)
    chances = np.full(found.shape, 1 / found.size) if shares is None else np.asarray(shares, float)
    expected = found.sum() * chances
    return float(((found - expected) ** 2 / expected).sum())


def limit(freedom: int) -> float:
    """What chi-square exceeds once in a million times, by Wilson and Hilferty's approximation."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + Z * spread**0.5) ** 3)
