"""The compiled network and its twin in NumPy say the same."""

from __future__ import annotations

import numpy as np
from monopoly_training.value.examples import rows_by_table
from monopoly_training.value.heldout import load_positions

from monopoly_env.value.features import FEATURES, NAMES, TABLE_FEATURES, TABLE_NAMES
from monopoly_env.value.network import new_work, write_all_features
from monopoly_env.value.reference import chances_of
from monopoly_env.value.weights import shipped_value


def test_every_feature_has_a_name_of_its_own():
    assert len(set(NAMES)) == len(NAMES) == FEATURES
    assert len(set(TABLE_NAMES)) == len(TABLE_NAMES) == TABLE_FEATURES


def test_compiled_chances_are_those_of_numpy():
    positions, value, work = load_positions(), shipped_value(), new_work()
    compared = 0
    for table, rows in rows_by_table(positions):
        states, rules = positions.states[rows[:20]], table.load().rules
        seats = np.zeros((len(states), 8, FEATURES), np.float32)
        shared = np.zeros((len(states), TABLE_FEATURES), np.float32)
        alive = np.zeros((len(states), 8), np.int8)
        write_all_features(states, rules, work, seats, shared, alive)
        assert np.isfinite(seats).all()
        assert np.isfinite(shared).all()
        open_ = alive.any(axis=1)
        by_numpy = chances_of(value.networks, seats, shared, alive)
        compiled = value.chances(states, rules)
        assert np.abs(by_numpy - compiled)[open_].max(initial=0) < 1e-4  # both add up float32
        compared += int(open_.sum())
    assert compared > 1000
