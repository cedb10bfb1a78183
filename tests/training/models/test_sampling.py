"""Draws of actions that follow from the observation alone."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.models.sampling import hashed_uniforms, sample_columns

from monopoly_env.engine.actions import N_ACTIONS
from tests.training.random_models import random_observations


def test_sampling_never_takes_an_illegal_action_and_follows_the_policy():
    logits = np.full((4000, N_ACTIONS), -1e30, np.float32)
    logits[:, [3, 7]] = np.log([0.25, 0.75])
    drawn = sample_columns(logits, hashed_uniforms(random_observations(4000)))
    assert set(drawn.tolist()) == {3, 7}
    assert (drawn == 7).mean() == pytest.approx(0.75, abs=0.03)


def test_what_is_drawn_follows_from_what_is_seen():
    observations = random_observations(2000)
    drawn = hashed_uniforms(observations)
    np.testing.assert_array_equal(hashed_uniforms(observations[::-1])[::-1], drawn)
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert drawn.mean() == pytest.approx(0.5, abs=0.03)
    other = observations.copy()
    other[:, 17] = np.nextafter(other[:, 17], 2)  # the least change of one number
    assert abs(np.corrcoef(drawn, hashed_uniforms(other))[0, 1]) < 0.1
