"""What Stable-Baselines3 needs: a vector environment, and views of it."""
