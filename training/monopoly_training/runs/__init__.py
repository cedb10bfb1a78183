"""Training runs: configs, opponents, imitation, checkpoints, logs."""

# all are required
PACKAGES = ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "safetensors")
