"""Arrays that begin at a multiple of 64 bytes, which JAX takes without a copy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

ALIGNMENT = 64  # bytes; NumPy's own arrays begin at a multiple of 16


def aligned(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Zeros that begin at a multiple of 64 bytes."""
    made = _aligned_empty(shape, dtype)
    made[...] = 0
    return made


def _aligned_empty(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Room for numbers to come: to write zeros first would take as long as to write them."""
    size = math.prod(shape if isinstance(shape, tuple) else (shape,)) * np.dtype(dtype).itemsize
    raw = np.empty(size + ALIGNMENT, np.uint8)
    start = -raw.__array_interface__["data"][0] % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)


def aligned_copy(array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
    """A copy of an array, of another type if one is given, that begins at a multiple of 64 bytes."""
    made = _aligned_empty(array.shape, array.dtype if dtype is None else dtype)
    made[...] = array
    return made


def aligned_take(array: npt.NDArray[Any], indices: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Some of an array's last axis; of more than one row, an array that begins as :func:`aligned`'s."""
    if array.ndim == 1:
        return array.take(indices)
    made = _aligned_empty((*array.shape[:-1], len(indices)), array.dtype)
    return array.take(indices, axis=-1, out=made, mode="clip")
