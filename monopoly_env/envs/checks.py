"""Checks of arguments to the environments; each error is one line that names the parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.errors import InputError, show
from monopoly_env.integers import as_array, as_int, is_whole

LONGEST = 1 << 20  # limit for the length of a sequence
LENGTHS = (list.__len__, tuple.__len__)
UNKNOWN = N_ACTIONS  # replaces every number that is not an action id; never legal


def fail(parameter: str, problem: str) -> NoReturn:
    """Raise a one-line InputError for a parameter."""
    InputError.at(parameter).fail(problem)


def check_word(parameter: str, value: object, known: Sequence[str]) -> None:
    """Check that a value is one of a few words. Raises: InputError."""
    if not isinstance(value, str) or value not in known:
        fail(parameter, f"must be one of {', '.join(known)}, not {show(value)}")


class RenderModeError(InputError, TypeError):
    """An unknown render mode, or one whose packages are not installed.

    Also a TypeError: Stable-Baselines3 tries to render first, and continues without after that
    error.
    """


def check_list(parameter: str, value: object, what: str) -> list[Any]:
    """Return the items of a list or tuple; a string is not a list. Raises: InputError."""
    items = None if isinstance(value, str) else items_of(value)
    if items is None:
        fail(parameter, f"must be a list of {what}, not {show(value)}")
    return items


def items_of(value: object) -> list[Any] | None:
    """Return the items of a list, tuple or other finite sequence; None for anything else."""
    if isinstance(value, list | tuple) and type(value).__len__ in LENGTHS:
        return list(value)
    try:
        if isinstance(value, Sequence) and len(value) <= LONGEST:
            return list(value)
    except Exception:  # noqa: BLE001 - a third-party sequence may raise anything
        return None
    return None


def check_flag(parameter: str, value: object) -> bool:
    """Return a bool. Raises: InputError."""
    if not isinstance(value, bool | np.bool_):
        fail(parameter, f"must be True or False, not {show(value)}")
    return bool(value)


def is_true(parameter: str, value: object) -> bool:
    """Return the truth value of any object. Raises: InputError if it has none."""
    try:
        return bool(value)
    except Exception:  # noqa: BLE001 - a caller's object may raise anything
        fail(parameter, f"must be True or False, not {describe(value)}")


def check_whole(parameter: str, value: object, low: int, high: int) -> int:
    """Return an integer within limits. Raises: InputError."""
    number = as_int(value)
    if number is None:
        fail(parameter, f"must be a whole number, not {show(value)}")
    if not low <= number <= high:
        fail(parameter, f"must be from {low} to {high}, not {show(value)}")
    return number


def check_options(options: object) -> dict[str, Any]:
    """Return the options of a reset (a mapping, or None) as a new dict."""
    return InputError.at("options").mapping(options)


def check_mask(parameter: str, mask: object, n: int) -> npt.NDArray[np.bool_]:
    """Return a bool[n] mask as a new array; at least one item must be True."""
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
    """Return distinct game indices below ``n`` as an array. Raises: InputError."""
    given = as_array(numbers)
    if (items := items_of(numbers)) is not None:
        whole = [number for one in items if (number := as_int(one)) is not None]
        if len(whole) == len(items):  # numbers too large for an array are out of range anyway
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
    """Return an action as an int. The rules decide later whether it is legal."""
    number = as_int(action)
    if number is None:
        fail(parameter, f"must be the id of an action, a whole number, not {describe(action)}")
    return number


def known_id(number: int) -> int:
    """Return the number if it is an action id, else UNKNOWN, so that it fits the kernel."""
    return number if 0 <= number < N_ACTIONS else UNKNOWN


def check_actions(parameter: str, actions: object, n: int) -> npt.NDArray[Any]:
    """Return the actions of ``n`` games as an integer array of shape (n,).

    Accepts an array of any integer type, even strided or read-only, or a sequence of integers.
    Refuses bools, floats and shapes such as (n, 1). Numbers that are not action ids are kept or
    become UNKNOWN, so that the rules refuse them and name the game.
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
    """Return a value as short text; an array by its type and shape."""
    if not isinstance(value, np.ndarray):
        return show(value)
    if value.ndim == 0:
        return f"{show(value[()])}, an array of type {value.dtype}"
    return f"an array of type {value.dtype} and shape {value.shape}"


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a read-only view of an array."""
    view = array.view()
    view.flags.writeable = False
    return view
