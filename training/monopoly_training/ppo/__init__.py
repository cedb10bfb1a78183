"""Proximal policy optimization with masks: policy, rollout buffer, KL penalty, and a minimal loop."""
