"""Stable-Baselines3 and sb3-contrib on the single environment."""

from __future__ import annotations

import warnings

import pytest

pytest.importorskip("sb3_contrib")
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.envs import SingleSeatEnv

torch.set_num_threads(1)


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_check_env(observation):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(SingleSeatEnv(illegal_action="random", observation=observation))


def test_maskable_ppo_learns_on_the_single_environment():
    model = MaskablePPO(
        "MlpPolicy",
        SingleSeatEnv(rules={"max_turns": 40}),
        n_steps=64,
        batch_size=64,
        n_epochs=1,
        seed=1,
        policy_kwargs={"net_arch": [16]},
    )
    model.learn(128)
    assert model.num_timesteps == 128


def test_the_usual_way_to_make_environments():
    """It asks for pictures first, and goes without where there are none."""
    env = make_vec_env(
        "monopoly_env/Monopoly-v0", n_envs=2, env_kwargs={"opponents": ["random"] * 2}
    )
    assert env.reset().shape == (2, OBSERVATION_SIZE)
