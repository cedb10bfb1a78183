"""How weights are varied."""

from __future__ import annotations

import numpy as np
from monopoly_agents.strategist.search_space import FACTORS, SUMS, dimensions, vary
from monopoly_agents.strategist.weights import STRATEGIST, Weights, by_name

from monopoly_env.compiler.records import fields


def test_every_weight_is_varied_and_no_step_is_no_change():
    assert set(FACTORS) | set(SUMS) == set(fields(Weights))
    assert not set(FACTORS) & set(SUMS)
    same = vary(STRATEGIST, np.zeros(dimensions()))
    assert same.tobytes() == STRATEGIST.tobytes()
    for k in range(dimensions()):
        steps = np.zeros(dimensions())
        steps[k] = 1.0
        changed = vary(STRATEGIST, steps)
        different = [n for n in fields(Weights) if changed[n].tolist() != STRATEGIST[n].tolist()]
        assert len(different) == 1
    assert by_name(same) == by_name(STRATEGIST)
