"""Checks of what users give the environments: every fault is one line that names the parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.errors import InputError, show
from monopoly_env.integers import as_array, as_int, is_whole

LONGEST = 1 << 20  # items of a sequence
LENGTHS = (list.__len__, tuple.__len__)
UNKNOWN = N_ACTIONS  # stands for any number that no action has: it is never legal


def fail(parameter: str, problem: str) -> NoReturn:
    """Raise the error for a parameter: one line."""
    InputError.at(parameter).fail(problem)


def check_word(parameter: str, value: object, known: Sequence[str]) -> None:
    """A word out of a few."""
    if not isinstance(value, str) or value not in known:
        fail(parameter, f"must be one of {', '.join(known)}, not {show(value)}")


class RenderModeError(InputError, TypeError):
    """A way of rendering that there is not, or that needs packages which are not installed.

    A TypeError too: Stable-Baselines3 asks for pictures first, and goes without after that error.
    """


def check_list(parameter: str, value: object, what: str) -> list[Any]:
    """A list or tuple; a lone word is none."""
    items = None if isinstance(value, str) else items_of(value)
    if items is None:
        fail(parameter, f"must be a list of {what}, not {show(value)}")
    return items


def items_of(value: object) -> list[Any] | None:
    """What a list, a tuple or another sequence holds; None for anything else, and what is endless."""
    if isinstance(value, list | tuple) and type(value).__len__ in LENGTHS:
        return list(value)
    try:
        if isinstance(value, Sequence) and len(value) <= LONGEST:
            return list(value)
    except Exception:  # noqa: BLE001 - a stranger's sequence
        return None
    return None


def check_flag(parameter: str, value: object) -> bool:
    """Yes or no."""
    if not isinstance(value, bool | np.bool_):
        fail(parameter, f"must be True or False, not {show(value)}")
    return bool(value)


def is_true(parameter: str, value: object) -> bool:
    """Return whether something is true, as ``if`` has it."""
    try:
        return bool(value)
    except Exception:  # noqa: BLE001 - whatever an object of a caller raises
        fail(parameter, f"must be True or False, not {describe(value)}")


def check_whole(parameter: str, value: object, low: int, high: int) -> int:
    """Return a whole number within limits."""
    number = as_int(value)
    if number is None:
        fail(parameter, f"must be a whole number, not {show(value)}")
    if not low <= number <= high:
        fail(parameter, f"must be from {low} to {high}, not {show(value)}")
    return number


def check_options(options: object) -> dict[str, Any]:
    """Return the options of a reset: a mapping from names, or None; a new dictionary."""
    return InputError.at("options").mapping(options)


def check_mask(parameter: str, mask: object, n: int) -> npt.NDArray[np.bool_]:
    """Return one bool for each of ``n`` games, as a new array, at least one of them True."""
    items = items_of(mask)
    if items is not None and all(isinstance(one, bool | np.bool_) for one in items):
        mask = np.array(items, np.bool_)
    given = as_array(mask)
    if given is None or given.dtype != np.bool_ or given.shape != (n,):
        fail(parameter, f"must be bool[{n}], not {describe(mask)}")
    if not given.any():
        fail(parameter, "names no game; at least one must be True")
    return given.copy()


def check_games(parameter: str, numbers: object, n: int) -> npt.NDArray[np.intp]:
    """Numbers of different games out of ``n``."""
    given = as_array(numbers)
    if (items := items_of(numbers)) is not None:
        whole = [number for one in items if (number := as_int(one)) is not None]
        if len(whole) == len(items):  # what fits no array is out of range anyway
            given = np.array([one if 0 <= one < n else n for one in whole], np.intp)
    if given is None or given.ndim != 1 or not is_whole(given):
        fail(parameter, f"must be numbers of games, int64[k], not {show(numbers)}")
    if len(given) and not 0 <= given.min() <= given.max() < n:
        fail(parameter, f"must be from 0 to {n - 1}, not {show(numbers)}")
    if len(set(given.tolist())) < len(given):
        fail(parameter, f"names a game twice: {show(numbers)}")
    return given.astype(np.intp)


# Actions


def check_action(parameter: str, action: object) -> int:
    """The number that a caller gives as an action; whether it is legal, the rules say."""
    number = as_int(action)
    if number is None:
        fail(parameter, f"must be the id of an action, a whole number, not {describe(action)}")
    return number


def known_id(number: int) -> int:
    """A number that fits the kernel: itself if an action has it, else UNKNOWN."""
    return number if 0 <= number < N_ACTIONS else UNKNOWN


def check_actions(parameter: str, actions: object, n: int) -> npt.NDArray[Any]:
    """What a caller gives as the actions of ``n`` games: an array of whole numbers, of shape (n,).

    An array of any integer type, strided or read-only as it may be, or a sequence of numbers; bool
    and float are refused, and so is a shape like (n, 1). Numbers that no action has are left for
    the rules to refuse, which say in which game: no number means anything but an action.
    """
    if type(actions) is np.ndarray and actions.dtype.kind in "iu" and actions.shape == (n,):
        return actions
    given = as_array(actions)
    if given is not None:
        if given.shape == (n,) and is_whole(given):
            return given
        first = f"; {parameter}[0] is {show(given[0])}" if given.shape == (n,) and n else ""
        fail(parameter, f"must be whole numbers of shape ({n},), not {describe(given)}{first}")
    items = None if isinstance(actions, str | bytes | bytearray) else items_of(actions)
    if items is None or len(items) != n:
        fail(parameter, f"must be whole numbers of shape ({n},), not {describe(actions)}")
    numbers = [check_action(f"{parameter}[{k}]", one) for k, one in enumerate(items)]
    return np.array([known_id(one) for one in numbers], np.int64)


def describe(value: object) -> str:
    """Return a value as a short text; an array by its type and shape."""
    if not isinstance(value, np.ndarray):
        return show(value)
    if value.ndim == 0:
        return f"{show(value[()])}, an array of type {value.dtype}"
    return f"an array of type {value.dtype} and shape {value.shape}"


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
