"""What Stable-Baselines3 needs: a vector environment, a masked policy, PPO in a loop of one's own."""

from monopoly_env.extras import require

require(__name__, "torch", "stable_baselines3", "sb3_contrib")
