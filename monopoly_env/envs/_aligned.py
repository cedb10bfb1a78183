"""Arrays aligned to 64 bytes, which JAX can use without a copy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

ALIGNMENT = 64  # bytes; NumPy's own arrays are aligned to 16


def aligned(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an array of zeros aligned to 64 bytes."""
    made = _aligned_empty(shape, dtype)
    made[...] = 0
    return made


def _aligned_empty(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return an uninitialized aligned array, because writing zeros first costs time."""
    size = math.prod(shape if isinstance(shape, tuple) else (shape,)) * np.dtype(dtype).itemsize
    raw = np.empty(size + ALIGNMENT, np.uint8)
    start = -raw.__array_interface__["data"][0] % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)


def aligned_copy(array: npt.NDArray[Any], dtype: npt.DTypeLike | None = None) -> npt.NDArray[Any]:
    """Return a copy of an array, aligned to 64 bytes and optionally of another dtype."""
    made = _aligned_empty(array.shape, array.dtype if dtype is None else dtype)
    made[...] = array
    return made


def aligned_take(array: npt.NDArray[Any], indices: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Take ``indices`` from the last axis; a result of several rows is aligned to 64 bytes."""
    if array.ndim == 1:
        return array.take(indices)
    made = _aligned_empty((*array.shape[:-1], len(indices)), array.dtype)
    return array.take(indices, axis=-1, out=made, mode="clip")
