"""The text environment for language models: prompts, numbered actions, answers.

>>> from monopoly_env import TextEnv
>>> env = TextEnv("short", opponents=["background"] * 3)
>>> observation, info = env.reset(seed=7)
>>> info["seat"], info["phase"]
('A', 'BUY')
>>> print(observation.splitlines()[-1])
1 buy (-$200); 2 auction
"""

from __future__ import annotations
