"""Past selves: kept up to a limit, and playing as they were."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env, make_learner, make_pool
from monopoly_training.runs.random_state import random_state, set_random_state

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.actions import N_ACTIONS

PAST = ("pool.past=0.5", "pool.weights=beats", "pool.every=256", "pool.keep=2")


def test_past_selves_are_kept_up_to_a_limit_and_play_as_they_were():
    config = load_train_config("small", [*PAST])
    env = make_env(config)
    learner = make_learner(config, env)
    past = make_pool(config, env, learner).past
    env.reset()
    observations = np.zeros((env.num_envs, OBSERVATION_SIZE), np.float32)
    masks = np.zeros((env.num_envs, N_ACTIONS), np.int8)
    env.games.batch.observe_learners(np.arange(env.num_envs), observations, masks)
    state = random_state()
    past.add(learner.policy)
    before = past.decide(observations, masks)
    assert masks[np.arange(len(masks)), before].all()
    assert before.max() < N_ACTIONS
    for weight in learner.policy.parameters():
        weight.data.add_(1.0)
    set_random_state(state)
    np.testing.assert_array_equal(past.decide(observations, masks), before)
    past.tally.record(0, True)
    past.add(learner.policy)
    past.add(learner.policy)
    assert len(past.weights) == len(past.tally.rates()) == 2
