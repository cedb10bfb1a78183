"""What Stable-Baselines3 needs: a vector environment, a masked policy, PPO in a loop of one's own."""
