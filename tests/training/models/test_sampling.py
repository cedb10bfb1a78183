"""Draws of actions: they follow the policy, and from nothing that others can influence."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.models.sampling import sample_columns, uniforms

from monopoly_env.engine.actions import N_ACTIONS


def drawn_for(seeds, seats, counts):
    return uniforms(np.asarray(seeds, np.uint64), np.asarray(seats), np.asarray(counts))


def test_sampling_never_takes_an_illegal_action_and_follows_the_policy():
    logits = np.full((4000, N_ACTIONS), -1e30, np.float32)
    logits[:, [3, 7]] = np.log([0.25, 0.75])
    drawn = sample_columns(
        logits, drawn_for(np.full(4000, 7), np.zeros(4000, int), np.arange(4000))
    )
    assert set(drawn.tolist()) == {3, 7}
    assert (drawn == 7).mean() == pytest.approx(0.75, abs=0.03)


def test_draws_are_even_and_apart_by_seed_by_seat_and_by_number():
    numbers, zeros = np.arange(4000), np.zeros(4000, int)
    lines = [
        drawn_for(zeros, zeros, numbers),
        drawn_for(zeros + 1, zeros, numbers),
        drawn_for(zeros, zeros + 1, numbers),
        drawn_for(numbers, zeros, zeros),
        drawn_for(np.full(4000, 2**63 - 1, np.uint64), zeros, numbers),
    ]
    for line in lines:
        assert line.min() >= 0
        assert line.max() < 1
        assert np.histogram(line, 10, (0, 1))[0] == pytest.approx(np.full(10, 400), abs=90)
        assert abs(np.corrcoef(line[1:], line[:-1])[0, 1]) < 0.06
    assert np.abs(np.corrcoef(lines) - np.eye(len(lines))).max() < 0.06
