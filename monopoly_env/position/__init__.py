"""Positions as data that people can read and edit: who has what, and what is decided next."""

from monopoly_env.position.document import Position, build, describe, read_position, to_text
from monopoly_env.position.public_state import PositionError

__all__ = ["Position", "PositionError", "build", "describe", "read_position", "to_text"]
