"""Search space of the strategist's weights, in comparable steps around given weights.

Positive weights vary by factors, so they keep their sign; weights that may be 0 vary by sums.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_agents.strategist.weights import WEIGHTS, Weights
from monopoly_env.compiler.records import fields, new_records

Vector = npt.NDArray[np.float64]

FACTORS = {  # a step multiplies by e to this power
    "deeds": 0.15,
    "lone": 0.3,
    "whole": 0.25,
    "houses": 0.25,
    "group": 0.25,
    "railroads": 0.3,
    "utilities": 0.4,
    "idle": 0.25,
    "spreads": 0.4,
    "breaks_group": 0.5,
    "unsold": 0.4,
}
SUMS = {  # a step adds this much
    "pair": 0.15,
    "keep": 60.0,
    "gain": 0.02,
    "accept": 0.02,
    "even": 0.03,
    "gives_way": [0.1, 0.15, 0.08, 0.03, 0.03],
    "gives_way_of_two": [0.05, 0.08, 0.1, 0.1, 0.05],
    "pocket": 15.0,
    "lift_stays": 80.0,
}


def dimensions() -> int:
    """Return the number of scalars in the weights."""
    return sum(int(np.prod(field.shape, dtype=int)) for field in fields(Weights).values())


def vary(start: Any, steps: Vector) -> Any:
    """Return the weights, WEIGHTS[1], ``steps`` float64[dimensions()] away from ``start``."""
    weights = new_records(1, WEIGHTS)
    first = 0
    for name, field in fields(Weights).items():
        size = int(np.prod(field.shape, dtype=int))
        step = steps[first : first + size].reshape(field.shape)
        first += size
        if name in FACTORS:
            weights[name][0] = start[name][0] * np.exp(FACTORS[name] * step)
        else:
            weights[name][0] = start[name][0] + np.array(SUMS[name]) * step
    return weights
