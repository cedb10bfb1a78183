"""Stable-Baselines3 and sb3-contrib on the environments."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
import torch
from monopoly_training.sb3.vec_env import MonopolyVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecMonitor

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.envs import SingleSeatEnv

torch.set_num_threads(1)
SHORT = {"max_turns": 40}


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_check_env(observation):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(SingleSeatEnv(illegal_action="random", observation=observation))


def learner(env, **parameters):
    return MaskablePPO(
        "MlpPolicy", env, n_steps=64, batch_size=256, n_epochs=1, seed=1,
        policy_kwargs={"net_arch": [16]}, **parameters,
    )  # fmt: skip


def test_maskable_ppo_learns_on_the_vec_env():
    env = MonopolyVecEnv(8, rules=SHORT, windows="own", deals="off")
    model = learner(env)
    model.learn(2048)
    assert model.num_timesteps == 2048
    rewards = [episode["r"] for episode in model.ep_info_buffer]
    assert rewards
    mean, _ = evaluate_policy(model, env, n_eval_episodes=10)
    assert -1 <= mean <= 1


def test_maskable_ppo_learns_on_the_single_environment():
    model = learner(SingleSeatEnv(rules=SHORT))
    model.learn(128)
    assert model.num_timesteps == 128


def test_masks_are_one_array_that_stacks():
    env = MonopolyVecEnv(3)
    env.seed(1)
    env.reset()
    assert is_masking_supported(env)
    assert get_action_masks(env).reshape(3, -1).tolist() == env.action_masks().tolist()
    rows = env.env_method("action_masks", indices=[0, 2])
    assert [row.shape for row in rows] == [env.action_masks()[0].shape] * 2


def play(env, count):
    """Random legal steps; the infos of ended games, and all rewards."""
    told, paid = [], []
    for key in range(count):
        seen, rewards, dones, infos = env.step(env.games.sample_actions(key))
        assert env.observation_space.contains(seen[0])
        assert [bool(info) for info in infos] == dones.tolist()
        told += [info for info in infos if info]
        paid += rewards.tolist()
    return told, paid


def test_a_truncated_game_is_left_to_the_learners_estimate():
    env = MonopolyVecEnv(4, rules=SHORT)
    env.seed(1)
    env.reset()
    told, paid = play(env, 300)
    cut = [info for info in told if info["TimeLimit.truncated"]]
    assert cut
    assert all(info["episode"]["r"] == 0 for info in cut)
    assert all(env.observation_space.contains(info["terminal_observation"]) for info in told)
    assert sum(info["episode"]["r"] for info in told) == pytest.approx(sum(paid), abs=1e-4)


def test_or_it_is_an_end_that_pays_by_standings():
    env = MonopolyVecEnv(4, rules=SHORT, reward={"name": "win", "truncation": "standings"})
    env.seed(1)
    env.reset()
    told, _ = play(env, 300)
    cut = [info for info in told if info["truncated"]]
    assert cut
    assert not any(info["TimeLimit.truncated"] for info in told)
    assert any(info["episode"]["r"] for info in cut)


def test_seeds():
    env, twin = MonopolyVecEnv(3, rules=SHORT), MonopolyVecEnv(3, rules=SHORT)
    assert env.seed(7) == twin.seed(7)
    assert (env.reset() == twin.reset()).all()
    assert str(play(env, 100)[1]) == str(play(twin, 100)[1])
    env.seed(8)
    assert env.games.reset(seed=8)[0].tobytes() == env.reset().tobytes()


def test_it_goes_with_sb3s_wrappers():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has what a Monitor gives already
        env = VecMonitor(MonopolyVecEnv(2, rules=SHORT))
    env.reset()
    assert is_masking_supported(env)
    assert get_action_masks(env).size == 2 * env.action_space.n
    for key in range(50):
        env.step(env.unwrapped.games.sample_actions(key))


def test_parameters_stay_as_they_are():
    env = MonopolyVecEnv(2)
    with pytest.raises(AttributeError, match="fixed when they are made"):
        env.set_attr("seat", 1)
    assert env.get_attr("render_mode") == [None, None]
    assert np.shape(env.get_images()) == (2,)


def test_the_usual_way_to_make_environments():
    """It asks for pictures first, and goes without where there are none."""
    env = make_vec_env(
        "monopoly_env/Monopoly-v0", n_envs=2, env_kwargs={"opponents": ["random"] * 2}
    )
    assert env.reset().shape == (2, OBSERVATION_SIZE)
