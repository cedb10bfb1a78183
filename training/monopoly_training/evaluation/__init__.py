"""Evaluation: win rates, learning curves and score tables."""
