"""Sample actions with counter-based random numbers: a function of seed, seat and draw count.

Other players cannot influence the numbers: a proposer cannot try variants of an offer until the
draw is favorable.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.dice import GAMMA, MIX_1, MIX_2, S27, S30, S31
from monopoly_env.engine.state import Float64s, Int64s
from monopoly_training.models.mlp import Floats

SEAT_SALT = np.uint64(0xA24BAED4963EE407)

Uint64s = npt.NDArray[np.uint64]


def sample_columns(logits: Floats, uniforms: Float64s) -> Int64s:
    """Sample one column per row by softmax, int64[n], with a number in [0, 1) for each row."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    sums = weights.cumsum(axis=1, dtype=np.float64)
    thresholds = (1 - uniforms)[:, None] * sums[:, -1:]  # never 0, and so never illegal
    columns: Int64s = (sums < thresholds).sum(axis=1)
    return columns


def mix(numbers: Uint64s) -> Uint64s:
    """Mix the bits of each number with a bijection: the games' ``mix``, for arrays."""
    numbers = (numbers ^ (numbers >> S30)) * MIX_1
    numbers = (numbers ^ (numbers >> S27)) * MIX_2
    return numbers ^ (numbers >> S31)


def uniforms(seeds: Uint64s, seats: Int64s, counts: Int64s) -> Float64s:
    """Return draw number ``counts`` of each seat and seed, float64[n] in [0, 1).

    All arguments are arrays of equal length. Each seed and seat has its own generator.
    """
    begin = mix(mix(seeds + GAMMA) ^ ((seats.astype(np.uint64) + np.uint64(1)) * SEAT_SALT))
    mixed = mix(begin + counts.astype(np.uint64) * GAMMA)
    numbers: Float64s = (mixed >> np.uint64(11)) / 2.0**53
    return numbers
