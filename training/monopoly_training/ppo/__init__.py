"""Masked PPO: policy, rollout buffer, KL penalty, and a minimal single-file version."""
