"""Tianshou's PPO learns one seat against three random bots, with a masked actor.

Tianshou hands the whole observation to the network: a dictionary, with its mask. Run it as
``python one_seat.py``.
"""

import time
from math import nan

import gymnasium
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.algorithm_base import policy_within_training_step
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from torch import nn

import monopoly_env  # noqa: F401 (registers the environment)
from monopoly_env.learners import kind_bias

NAME = "monopoly_env/Monopoly-v0"
OPTIONS = {"preset": "basic", "narrow": True, "observation": "dict", "mask_dtype": "bool"}


def layers(columns, out):
    return nn.Sequential(
        nn.Linear(columns, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, out)
    )


class Actor(nn.Module):
    """Logits, -1e30 for illegal actions; starts with all kinds of action equally likely."""

    def __init__(self, columns, action_ids):
        super().__init__()
        self.layers = layers(columns, len(action_ids))
        with torch.no_grad():
            self.layers[-1].weight.mul_(0.01)
            self.layers[-1].bias.copy_(torch.from_numpy(kind_bias(action_ids)))

    def forward(self, obs, state=None, info=None):
        logits = self.layers(torch.as_tensor(obs.observation))
        return logits.masked_fill(~torch.as_tensor(obs.action_mask), -1e30), state


class Critic(nn.Module):
    """Values."""

    def __init__(self, columns):
        super().__init__()
        self.layers = layers(columns, 1)

    def forward(self, obs, state=None, info=None):
        return self.layers(torch.as_tensor(obs.observation))


def make_learner(env):
    """PPO with the networks above."""
    columns, action_ids = len(env.unwrapped.columns), env.unwrapped.action_ids
    policy = ProbabilisticActorPolicy(
        actor=Actor(columns, action_ids),
        dist_fn=lambda logits: torch.distributions.Categorical(logits=logits, validate_args=False),
        action_space=env.action_space,
        action_scaling=False,
        action_bound_method=None,
    )
    return PPO(
        policy=policy,
        critic=Critic(columns),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.997,
        ent_coef=0.01,
        max_grad_norm=0.5,
        max_batchsize=2048,
    )


def train(steps, games=32, length=64, seed=0, report=print, **options):
    """Train PPO for this many decisions; ``report`` gets the win rate of each batch."""
    torch.manual_seed(seed)
    make = lambda: gymnasium.make(NAME, **OPTIONS, **options)
    venv = DummyVectorEnv([make] * games)
    venv.seed(seed)
    learner = make_learner(make())
    collector = Collector(learner, venv, VectorReplayBuffer(games * length, games))
    collector.reset()
    while collector.collect_step < steps:
        with policy_within_training_step(learner.policy):
            collector.collect(n_step=games * length)
            batch = collector.buffer[:]
            report(float((batch.rew[batch.done] > 0).mean()) if batch.done.any() else nan)
            learner.update(collector.buffer, batch_size=1024, repeat=2)
        collector.reset_buffer(keep_statistics=True)
    return learner


if __name__ == "__main__":
    torch.set_num_threads(1)
    began = time.perf_counter()
    show = lambda won: print(f"{time.perf_counter() - began:.0f} s: {won:.0%} of games won")
    train(250_000, report=show)
