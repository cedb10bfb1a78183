"""The PettingZoo environment under its versioned name.

>>> from monopoly_env import monopoly_v0
>>> env = monopoly_v0.env(num_players=3)
>>> env.reset(seed=7)
>>> env.agent_selection
'player_2'
"""

from monopoly_env.envs.aec import MonopolyEnv, env, raw_env

__all__ = ["MonopolyEnv", "env", "raw_env"]
