"""Draws of actions that follow from the observation alone: the same position, the same action."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.state import Int64s
from monopoly_training.models.mlp import Floats

SALTS = np.random.default_rng(0).integers(0, 2**64, OBSERVATION_SIZE, np.uint64)
# The finalizer of splitmix64
MIXING = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
    (np.uint64(31), np.uint64(1)),
)


def sample_columns(logits: Floats, uniforms: npt.NDArray[np.float64]) -> Int64s:
    """One column a row by softmax, for a number a row from 0 to below 1; int64[n]."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    sums = weights.cumsum(axis=1, dtype=np.float64)
    thresholds = (1 - uniforms)[:, None] * sums[:, -1:]  # never 0, so never illegal
    columns: Int64s = (sums < thresholds).sum(axis=1)
    return columns


def hashed_uniforms(observations: Floats) -> npt.NDArray[np.float64]:
    """A hash of each row as a number from 0 to below 1, float64[n]."""
    bits = np.ascontiguousarray(observations).view(np.uint32).astype(np.uint64)
    mixed = (bits * SALTS).sum(axis=1, dtype=np.uint64)
    for shift, factor in MIXING:
        mixed = (mixed ^ (mixed >> shift)) * factor
    uniforms: npt.NDArray[np.float64] = (mixed >> np.uint64(11)) / 2.0**53
    return uniforms
