"""Rollouts from a position, for search, evaluation and training targets."""

from monopoly_env.planning.simulation import Rollouts, rollouts

__all__ = ["Rollouts", "rollouts"]
