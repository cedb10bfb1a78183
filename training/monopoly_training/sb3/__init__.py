"""Stable-Baselines3: a VecEnv, a masked policy, a PPO loop."""

from monopoly_env.extras import require

require(__name__, "torch", "stable_baselines3", "sb3_contrib")
