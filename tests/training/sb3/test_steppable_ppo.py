"""MaskablePPO with its loop outside: the rollouts and updates of SB3's own loop."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib")

import torch
from monopoly_training.sb3.steppable_ppo import SteppablePPO
from monopoly_training.sb3.vec_env import MonopolyVecEnv
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import CallbackList
from stable_baselines3.common.logger import Logger

SETTINGS = {
    "n_steps": 8,
    "batch_size": 16,
    "n_epochs": 1,
    "seed": 1,
    "policy_kwargs": {"net_arch": [8]},
}


def learner(kind):
    env = MonopolyVecEnv(4, rules={"max_turns": 20}, windows="own", deals="off")
    return kind("MlpPolicy", env, **SETTINGS)


def test_a_loop_outside_learns_what_sb3s_loop_learns():
    theirs = learner(MaskablePPO).learn(64)
    ours = learner(SteppablePPO)
    ours.set_logger(Logger(None, []))
    ours.start()
    callback = CallbackList([])
    callback.init_callback(ours)
    for _ in range(2):
        ours.collect_rollouts(ours.env, callback, ours.rollout_buffer, ours.n_steps)
        ours.train()
    for one, other in zip(ours.policy.parameters(), theirs.policy.parameters(), strict=True):
        assert torch.equal(one, other)
    assert (ours.next_obs == theirs.env.games.observations).all()
    assert ours.next_episode_starts.shape == (4,)
