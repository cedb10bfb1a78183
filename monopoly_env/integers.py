"""Integer conversion for arguments that may be Python or NumPy integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

WHOLE = "iu"  # dtype kinds of NumPy integers; bool is not one


def as_int(value: object) -> int | None:
    """Return a whole number as a Python int; None for anything else.

    Accepts an int, a NumPy integer of any width, or a zero-dimensional integer array (of NumPy, or
    of a library whose arrays NumPy can read). Bools and floats, even 5.0, are refused.

    >>> as_int(np.uint8(7)), as_int(np.array(7)), as_int(True), as_int(7.0)
    (7, 7, None, None)
    """
    if type(value) is int:
        return value
    if isinstance(value, int | np.generic):
        if isinstance(value, bool) or (isinstance(value, np.generic) and not is_whole(value)):
            return None
        return int(value)
    array = as_array(value)
    return int(array) if array is not None and array.shape == () and is_whole(array) else None


def as_array(value: object) -> npt.NDArray[Any] | None:
    """Return an array as a NumPy array; None for non-arrays and arrays with masked values."""
    if type(value) is np.ndarray:
        return value
    if not hasattr(value, "__array__") or isinstance(value, type):
        return None
    try:
        return None if np.ma.is_masked(value) else np.asarray(value)
    except Exception:  # noqa: BLE001 - foreign arrays, such as those on a GPU, may raise anything
        return None


def is_whole(array: npt.NDArray[Any] | np.generic) -> bool:
    """Return whether an array has an integer dtype."""
    return array.dtype.kind in WHOLE
