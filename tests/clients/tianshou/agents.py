"""Tianshou's DQN learns in PettingZooEnv, against three seats with random actions.

Run it as ``python agents.py``.
"""

import torch
from tianshou.algorithm import DQN
from tianshou.algorithm.algorithm_base import policy_within_training_step
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net

from monopoly_env import monopoly_v0


def make_env(**options):
    """All agents end together: Tianshou ends an episode when the first agent is out."""
    game = monopoly_v0.raw_env(preset="basic", narrow=True, elimination="end", **options)
    return PettingZooEnv(game)


def make_learner(env):
    """DQN in the first seat, random legal actions in the others."""
    net = Net(
        state_shape=env.observation_space["observation"].shape,
        action_shape=env.action_space.n,
        hidden_sizes=[128, 128],
    )
    dqn = DQN(
        policy=DiscreteQLearningPolicy(model=net, action_space=env.action_space, eps_training=0.1),
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=0.99,
        n_step_return_horizon=3,
        target_update_freq=100,
    )
    others = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in range(3)]
    return MultiAgentOffPolicyAlgorithm(algorithms=[dqn, *others], env=env), dqn


def train(steps, games=4, seed=0, **options):
    """Play and learn in turns; the losses of the learner."""
    torch.manual_seed(seed)
    venv = DummyVectorEnv([lambda: make_env(**options) for _ in range(games)])
    venv.seed(seed)
    learners, _ = make_learner(make_env(**options))
    collector = Collector(learners, venv, VectorReplayBuffer(20_000, games), exploration_noise=True)
    collector.reset()
    losses = []
    while collector.collect_step < steps:
        with policy_within_training_step(learners.policy):
            collector.collect(n_step=games * 64)
            for _ in range(16):
                stats = learners.update(collector.buffer, sample_size=256)
                losses.append(stats.get_loss_stats_dict()["player_0/loss"])
    return losses


if __name__ == "__main__":
    torch.set_num_threads(1)
    found = train(20_000)
    print("losses, first and last:", found[:3], found[-3:])
