"""Positions that do not fit: the one line that says so."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Game
from monopoly_env.errors import PositionError

FULL: dict[str, Any] = {"players": 3, "A": {"cash": 5}, "hidden": {"rng": 7}}


def fault_of(change: dict[str, Any]) -> str:
    """The message for a small position with some keys replaced."""
    with pytest.raises(PositionError) as caught:
        Game.from_position({**FULL, **change})
    message = str(caught.value)
    assert message.startswith("position: ")
    assert "\n" not in message
    return message
