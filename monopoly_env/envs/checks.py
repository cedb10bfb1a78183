"""Checks of what users give the environments: every fault is one line that names the parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from monopoly_env.errors import InputError, show


def fail(parameter: str, problem: str) -> NoReturn:
    """Raise the error for a parameter: one line."""
    InputError.at(parameter).fail(problem)


def check_word(parameter: str, value: object, known: Sequence[str]) -> None:
    """A word out of a few."""
    if not isinstance(value, str) or value not in known:
        fail(parameter, f"must be one of {', '.join(known)}, not {show(value)}")


class RenderModeError(InputError, TypeError):
    """A way of rendering that there is not.

    A TypeError too: Stable-Baselines3 asks for pictures first, and goes without after that error.
    """


def check_render_mode(mode: object) -> None:
    """None, or the one there is."""
    if mode is not None and not (isinstance(mode, str) and mode == "ansi"):
        RenderModeError.at("render_mode").fail(f"must be one of ansi, or None, not {show(mode)}")


def check_list(parameter: str, value: object, what: str) -> list[Any]:
    """A list or tuple; a lone word is none."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        fail(parameter, f"must be a list of {what}, not {show(value)}")
    return list(value)


def check_flag(parameter: str, value: object) -> bool:
    """Yes or no."""
    if not isinstance(value, bool | np.bool_):
        fail(parameter, f"must be True or False, not {show(value)}")
    return bool(value)


def check_whole(parameter: str, value: object, low: int, high: int) -> int:
    """A whole number within limits."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        fail(parameter, f"must be a whole number, not {show(value)}")
    if not low <= value <= high:
        fail(parameter, f"must be from {low} to {high}, not {show(value)}")
    return int(value)
