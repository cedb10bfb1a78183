"""Training runs: configs, opponents, imitation, checkpoints, logs."""
