"""Positions as data that people can read and edit: who has what, and what is decided next."""

from monopoly_env.errors import PositionError
from monopoly_env.position.document import Position, build, describe, read_position, to_text

__all__ = ["Position", "PositionError", "build", "describe", "read_position", "to_text"]
