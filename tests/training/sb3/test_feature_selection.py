"""The environment with fewer columns and actions: nothing else changes."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from monopoly_training.sb3.feature_selection import FeatureSelection
from monopoly_training.sb3.vec_env import MonopolyVecEnv

from monopoly_env.editions import load_edition
from monopoly_env.encoding.features import used_actions, used_columns

TABLE = {"opponents": ["random"], "windows": "own", "deals": "off", "rules": {"max_turns": 15}}


def test_columns_and_actions_are_those_of_the_whole_environment():
    edition = load_edition(rules={"windows": "own", "deals": "off"})
    columns, actions = used_columns(2, edition), used_actions(edition)
    whole, view = MonopolyVecEnv(3, **TABLE), MonopolyVecEnv(3, **TABLE)
    env = FeatureSelection(view, columns, actions)
    whole.seed(2)
    env.seed(2)
    before = np.array(whole.reset())
    np.testing.assert_array_equal(env.reset(), before[:, columns])
    ended = 0
    for step in range(60):
        masks = np.stack(env.env_method("action_masks"))
        np.testing.assert_array_equal(masks, whole.action_masks()[:, actions])
        ids = whole.games.sample_actions(step)
        observations, rewards, dones, infos = whole.step(ids)
        selected, paid, over, final_infos = env.step(np.searchsorted(actions, ids))
        np.testing.assert_array_equal(selected, observations[:, columns])
        np.testing.assert_array_equal(env.previous_observations, before)
        np.testing.assert_array_equal(paid, rewards)
        np.testing.assert_array_equal(over, dones)
        for k in np.flatnonzero(dones):
            ended += 1
            final = infos[k]["terminal_observation"]
            np.testing.assert_array_equal(final_infos[k]["terminal_observation"], final[columns])
        before = np.array(observations)
    assert ended > 0
