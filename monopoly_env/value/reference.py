"""The network in short, slow NumPy code, to check the compiled one against."""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.engine.state import Float32s, Float64s, Int8s
from monopoly_env.value.network import LAYERS, PRINTED, set_of


def chances_of(
    networks: Any, seats: Float32s, table: Float32s, alive: Int8s, which: int = PRINTED
) -> Float64s:
    """Return win probabilities float64[n, 8] from NETWORK[1] and the features of n positions.

    ``seats`` float32[n, 8, FEATURES], ``table`` float32[n, TABLE_FEATURES], ``alive`` int8[n, 8],
    as :func:`monopoly_env.value.network.write_all_features` writes them. Rows of decided positions,
    where ``alive`` is 0, are zeros. ``which``: the set of weights,
    :func:`monopoly_env.value.network.set_for`.
    """
    here = alive[:, :, None] != 0
    network = set_of(networks, which)
    count = np.maximum(here.sum(1), 1)
    first = seats @ network["seat"] + (table @ network["table"])[:, None] + network["bias"][0]
    hidden = np.maximum(first, 0) * here
    for layer in range(LAYERS):
        shared = hidden.sum(1) / count @ network["mean"][layer]
        shared = shared + hidden.max(1) @ network["highest"][layer]
        after = hidden @ network["own"][layer] + shared[:, None] + network["bias"][layer + 1]
        hidden = np.maximum(after, 0) * here
    logits = np.where(here[:, :, 0], hidden @ network["out"], -np.inf)
    odds = np.exp(logits - np.where(alive.any(1), logits.max(1), 0)[:, None])
    chances: Float64s = odds / np.maximum(odds.sum(1), 1e-300)[:, None]
    return chances
