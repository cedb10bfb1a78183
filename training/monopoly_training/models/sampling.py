"""Draws of actions: by a number that follows from a seed, a seat and how many were drawn before.

Nothing that others at the table can influence is in it: who offers a deal cannot try variants of it
until the draw comes out well.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.state import Float64s, Int64s
from monopoly_training.models.mlp import Floats

# The steps of splitmix64, and its finalizer
GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIXING = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
    (np.uint64(31), np.uint64(1)),
)
SEAT_SALT = np.uint64(0xA24BAED4963EE407)

Uint64s = npt.NDArray[np.uint64]


def sample_columns(logits: Floats, uniforms: Float64s) -> Int64s:
    """One column a row by softmax, for a number a row from 0 to below 1; int64[n]."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    sums = weights.cumsum(axis=1, dtype=np.float64)
    thresholds = (1 - uniforms)[:, None] * sums[:, -1:]  # never 0, so never illegal
    columns: Int64s = (sums < thresholds).sum(axis=1)
    return columns


def mix(numbers: Uint64s) -> Uint64s:
    """Numbers whose bits all depend on all bits of the given ones; different ones stay different."""
    for shift, factor in MIXING:
        numbers = (numbers ^ (numbers >> shift)) * factor
    return numbers


def uniforms(seeds: Uint64s, seats: Int64s, counts: Int64s) -> Float64s:
    """The draw number ``counts`` of each seat in the game of each seed: float64[n], 0 to below 1.

    All are arrays of one length. A generator of its own for each seed and seat.
    """
    begin = mix(mix(seeds + GAMMA) ^ ((seats.astype(np.uint64) + np.uint64(1)) * SEAT_SALT))
    mixed = mix(begin + counts.astype(np.uint64) * GAMMA)
    numbers: Float64s = (mixed >> np.uint64(11)) / 2.0**53
    return numbers
