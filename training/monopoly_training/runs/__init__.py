"""Training runs: configs, opponents, imitation, checkpoints, logs."""

PACKAGES = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "safetensors")  # all needed
