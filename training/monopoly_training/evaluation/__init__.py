"""Evaluation: win rates, learning curves, score tables."""
