"""Positions as readable, editable data: the holdings of all players, and the next decision."""

from monopoly_env.errors import PositionError
from monopoly_env.position.document import Position, build, describe, read_position, to_text

__all__ = ["Position", "PositionError", "build", "describe", "read_position", "to_text"]
