"""Integers of any type that callers may pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

WHOLE = "iu"  # kinds of NumPy's integer types, in any width and byte order; bool is none of them


def as_int(value: object) -> int | None:
    """A whole number as Python's own int; None for anything else.

    An int, a NumPy integer of any width, or an array of an integer type without dimensions (of
    NumPy, or of a library whose arrays NumPy can read). A bool is no number, and neither is 5.0.

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
    """An array as NumPy's; None for what is no array, and for one in which values are masked out."""
    if type(value) is np.ndarray:
        return value
    if not hasattr(value, "__array__") or isinstance(value, type):
        return None
    try:
        return None if np.ma.is_masked(value) else np.asarray(value)
    except Exception:  # noqa: BLE001 - whatever stops a foreign array, such as one on a GPU
        return None


def is_whole(array: npt.NDArray[Any] | np.generic) -> bool:
    """Whether an array is of an integer type."""
    return array.dtype.kind in WHOLE
