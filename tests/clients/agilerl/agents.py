"""AgileRL's DQN learns for all seats of a PettingZoo game, in a custom loop.

Run it as ``python agents.py``.
"""

import numpy as np
import torch
from agilerl.algorithms import DQN
from agilerl.components import ReplayBuffer
from agilerl.components.data import Transition

from monopoly_env import monopoly_v0


def make_env(**options):
    """All agents with flat observations; the masks are in ``infos``."""
    return monopoly_v0.raw_env(
        preset="basic", narrow=True, observation="flat", elimination="end", **options
    )


def make_agent(env):
    """One DQN for all seats."""
    return DQN(
        env.observation_space("player_0"),
        env.action_space("player_0"),
        net_config={"encoder_config": {"hidden_size": [64]}, "head_config": {"hidden_size": [64]}},
        batch_size=128,
        lr=1e-3,
        gamma=0.99,
    )


def train(env, agent, decisions, epsilon=0.2, seed=0, report=print):
    """Play and learn; ``report`` gets each loss. A transition leads to the same seat's next decision."""
    buffer, taken = ReplayBuffer(max_size=20_000), 0
    while taken < decisions:
        env.reset(seed=seed + taken)
        before = {}
        for name in env.agent_iter():
            seen, reward, terminated, truncated, info = env.last()
            if name in before:
                obs, action = before[name]
                row = Transition(
                    obs=obs[None],
                    action=action,
                    next_obs=seen[None],
                    reward=np.array([reward], np.float32),
                    done=np.array([terminated]),
                    batch_size=[1],
                )
                buffer.add(row.to_tensordict())
            if terminated or truncated:
                env.step(None)
                continue
            mask = info["action_mask"]
            action = agent.get_action(seen[None], epsilon, action_mask=mask[None])
            before[name] = seen, action
            env.step(int(action[0]))
            taken += 1
            if taken % 8 == 0 and len(buffer) >= 512:
                report(agent.learn(buffer.sample(agent.batch_size)))


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    np.random.seed(0)
    losses = []
    games = make_env()
    train(games, make_agent(games), 10_000, report=losses.append)
    print(losses[:3], losses[-3:])
