"""Gymnasium's autoreset modes: when the finished games of a vector environment restart."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import gymnasium.vector

from monopoly_env.envs.checks import fail
from monopoly_env.errors import show

__all__ = ["AutoresetMode", "check_autoreset_mode"]

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode
elif hasattr(gymnasium.vector, "AutoresetMode"):
    AutoresetMode = gymnasium.vector.AutoresetMode
else:  # before Gymnasium 1.1

    class AutoresetMode(Enum):
        """When finished games restart."""

        NEXT_STEP = "NextStep"  # the next step restarts them and ignores its action
        SAME_STEP = "SameStep"  # the step that ends a game also starts the next one
        DISABLED = "Disabled"  # only reset() restarts them


def check_autoreset_mode(mode: object) -> AutoresetMode:
    """Return a mode, also from text such as ``SameStep`` or ``same_step``."""
    if isinstance(mode, AutoresetMode):
        return mode
    known = {plain(one.value): one for one in AutoresetMode}
    if not isinstance(mode, str) or plain(mode) not in known:
        names = ", ".join(one.value for one in AutoresetMode)
        fail("autoreset_mode", f"must be one of {names}, not {show(mode)}")
    return known[plain(mode)]


def plain(word: str) -> str:
    """Return a word in lower case, without underscores and hyphens."""
    return word.lower().replace("_", "").replace("-", "")
