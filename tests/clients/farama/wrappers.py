"""SuperSuit's wrappers on the PettingZoo environment; the mask is in ``infos``."""

import numpy as np
import supersuit

from monopoly_env import monopoly_v0


def make_env(**options):
    """Stacked, normalized observations of every seat, and clipped rewards."""
    env = monopoly_v0.raw_env(preset="basic", narrow=True, observation="flat", **options)
    env = supersuit.normalize_obs_v0(env)
    env = supersuit.frame_stack_v2(env, 2)
    return supersuit.clip_reward_v0(env, -1, 1)


def play(env, seed=0):
    """Play a game with random legal actions; returns the rewards."""
    random = np.random.default_rng(seed)
    env.reset(seed=seed)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        paid[agent] += reward
        assert env.observation_space(agent).contains(observation)
        if terminated or truncated:
            env.step(None)
        else:
            env.step(int(random.choice(np.flatnonzero(info["action_mask"]))))
    return paid


if __name__ == "__main__":
    print(play(make_env()))
