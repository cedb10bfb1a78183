"""AgileRL's IPPO plays all seats of a parallel game with one masked actor.

AgileRL 2.58 forgets masks when it updates the policy, so they come in the observation, and the actor
takes them from there. Run it as ``python ippo.py``.
"""

import copy

import numpy as np
import torch
from agilerl.algorithms import IPPO
from agilerl.modules import ModuleDict
from agilerl.networks import StochasticActor, ValueNetwork
from agilerl.vector import PzDummyVecEnv
from gymnasium import spaces
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import BaseParallelWrapper

from monopoly_env import monopoly_v0
from monopoly_env.learners import kind_bias


class MaskInObservation(BaseParallelWrapper):
    """Observations with appended masks; the mask of an agent that does not decide is empty."""

    def observation_space(self, agent):
        size = self.env.observation_space(agent).shape[0] + self.action_space(agent).n
        return spaces.Box(-1, 1, (size,), np.float32)

    def reset(self, seed=None, options=None):
        seen, infos = self.env.reset(seed=seed, options=options)
        return self.joined(seen, infos), {agent: {} for agent in seen}

    def step(self, actions):
        seen, rewards, ended, truncated, infos = self.env.step(actions)
        none = {agent: {} for agent in seen}
        return self.joined(seen, infos), rewards, ended, truncated, none

    def joined(self, seen, infos):
        masks = {agent: infos[agent]["action_mask"].astype(np.float32) for agent in seen}
        return {agent: np.concatenate([seen[agent], masks[agent]]) for agent in seen}


class MaskedActor(StochasticActor):
    """An actor that reads its mask from the end of the observation, also in updates."""

    def forward(self, obs, action_mask=None):
        return super().forward(obs, obs[..., -self.action_space.n :])


def make_env(**options):
    """All seats in parallel; actions of agents that do not decide have no effect."""
    game = monopoly_v0.raw_env(
        preset="basic", narrow=True, observation="flat", elimination="end", **options
    )
    return MaskInObservation(turn_based_aec_to_parallel(game))


def make_agent(env):
    """IPPO with one actor and one critic for all seats."""
    seen, actions = (
        {agent: space(agent) for agent in env.possible_agents}
        for space in (env.observation_space, env.action_space)
    )
    layers = {"hidden_size": [64], "activation": "Tanh"}
    sizes = {"encoder_config": layers, "head_config": layers}
    actor = MaskedActor(seen["player_0"], actions["player_0"], **copy.deepcopy(sizes))
    critic = ValueNetwork(seen["player_0"], **copy.deepcopy(sizes))
    head = [part for part in actor.modules() if isinstance(part, torch.nn.Linear)][-1]
    with torch.no_grad():
        head.weight.mul_(0.01)
        head.bias.copy_(torch.from_numpy(kind_bias(actions["player_0"].action_ids)))
    return IPPO(
        seen,
        actions,
        agent_ids=env.possible_agents,
        actor_networks=ModuleDict({"player": actor}),  # AgileRL groups player_0, player_1, …
        critic_networks=ModuleDict({"player": critic}),
        batch_size=512,
        update_epochs=2,
        lr=1e-3,
        gamma=0.997,
        ent_coef=0.01,
    )


def train(env, agent, updates, steps=512, seed=0, report=print):
    """Rollouts and updates; ``report`` gets the loss of each update."""
    games, agents = PzDummyVecEnv(env), env.possible_agents
    seen, infos = games.reset(seed=seed)
    done = {name: np.zeros(1) for name in agents}
    for _ in range(updates):
        rows = [{name: [] for name in agents} for _ in range(6)]
        for _ in range(steps):
            actions, log_probs, _, values = agent.get_action(obs=seen, infos=infos)
            following, rewards, ended, truncated, infos = games.step(actions)
            for row, kept in zip(
                rows, (seen, actions, log_probs, rewards, done, values), strict=True
            ):
                for name in agents:
                    row[name].append(kept[name])
            seen = following
            done = {name: np.logical_or(ended[name], truncated[name]) * 1.0 for name in agents}
        report(agent.learn((*rows, seen, done))["player"])


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    np.random.seed(0)
    table = make_env()
    train(table, make_agent(table), updates=40)
