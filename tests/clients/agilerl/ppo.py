"""AgileRL's PPO on 128 parallel games against three random bots, with masks from ``infos``.

Run it as ``python ppo.py``.
"""

import time

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts

import monopoly_env  # noqa: F401 (registers the environment)
from monopoly_env.learners import kind_bias

GAMES, STEPS = 128, 64


def make_envs(games=GAMES, **options):
    """A vectorized environment."""
    return gymnasium.make_vec(
        "monopoly_env/Monopoly-v0",
        num_envs=games,
        vectorization_mode="vector_entry_point",
        preset="basic",
        narrow=True,
        **options,
    )


def make_agent(envs, steps=STEPS):
    """PPO whose actor starts with all kinds of action equally likely."""
    agent = PPO(
        envs.single_observation_space,
        envs.single_action_space,
        net_config={
            "encoder_config": {"hidden_size": [64], "activation": "Tanh"},
            "head_config": {"hidden_size": [64], "activation": "Tanh"},
        },
        num_envs=envs.num_envs,
        learn_step=steps * envs.num_envs,
        batch_size=2048,
        update_epochs=2,
        lr=1e-3,
        gamma=0.997,
        ent_coef=0.01,
    )
    head = [part for part in agent.actor.modules() if isinstance(part, torch.nn.Linear)][-1]
    with torch.no_grad():
        head.weight.mul_(0.01)
        head.bias.copy_(torch.from_numpy(kind_bias(envs.unwrapped.action_ids)))
    return agent


class Wins(gymnasium.vector.VectorWrapper):
    """Records wins, because AgileRL's scores are episode returns."""

    def __init__(self, envs):
        super().__init__(envs)
        self.won = []

    def step(self, actions):
        found = super().step(actions)
        infos = found[-1]
        if "final_info" in infos:
            self.won += infos["final_info"]["win"][infos["_final_info"]].tolist()
        return found


def train(envs, agent, decisions, report=print):
    """Rollouts and updates; ``report`` gets the win rate of each rollout's finished games."""
    envs, carried = Wins(envs), {}
    for _ in range(0, decisions, agent.learn_step):
        _, obs, done, scores, info = collect_rollouts(agent, envs, **carried)
        carried = {"last_obs": obs, "last_done": done, "last_scores": scores, "last_info": info}
        agent.learn()
        report(float(np.mean(envs.won)) if envs.won else np.nan)
        envs.won.clear()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    games = make_envs()
    began = time.perf_counter()
    show = lambda won: print(f"{time.perf_counter() - began:.0f} s: {won:.0%} of games won")
    train(games, make_agent(games), 500_000, report=show)
