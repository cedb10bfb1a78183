"""Decodes packed rows into float32 observations, bit for bit, with NumPy arrays."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.jit import jit
from monopoly_env.encoding.packed import PACKED_SIZE, DecodePlan
from monopoly_env.engine.state import Float32s
from monopoly_env.errors import InputError, show


@cache
def whole_plan() -> DecodePlan:
    """Return the plan for all columns."""
    return DecodePlan()


def unpack(rows: npt.NDArray[np.uint8], plan: DecodePlan | None = None) -> Float32s:
    """Decode packed rows into observations, float32[..., n], bit for bit.

    Args:
        rows: uint8[..., PACKED_SIZE], from environments with ``observation="packed"``.
        plan: the columns to decode; None for all. Create it once: that takes milliseconds.

    Raises: InputError, one line, for rows of another type or length.

    >>> import numpy as np
    >>> unpack(np.zeros((2, PACKED_SIZE), np.uint8)).shape
    (2, 1365)
    """
    data = np.ascontiguousarray(rows)
    if data.dtype != np.uint8 or data.ndim == 0 or data.shape[-1] != PACKED_SIZE:
        got = f"{data.dtype}{list(data.shape)}"
        InputError.at("rows").fail(f"must be uint8[…, {PACKED_SIZE}], not {show(got)}")
    plan = whole_plan() if plan is None else plan
    found = np.empty((*data.shape[:-1], len(plan.order)), np.float32)
    flat = data.reshape(-1)
    decode_rows(flat, _words(flat), found.reshape(-1), *plan.arrays)
    return found


def _words(data: npt.NDArray[np.uint8]) -> Any:
    """View the bytes as float32; copies them if they are not aligned to four bytes."""
    if data.__array_interface__["data"][0] % 4:
        data = np.frombuffer(data.tobytes(), np.uint8)
    return data.view(np.float32)


@jit
def decode_rows(
    data: Any,
    words: Float32s,
    found: Float32s,
    plain: Any,
    coded: Any,
    narrow: int,
    numbers: Float32s,
) -> None:
    """Decode consecutive rows.

    ``plain`` int32[f, 2]: source index and target column of each float32 feature. ``coded``
    int32[c, 5]: first byte, shift, mask, start of the table, and target column; two-byte codes
    begin at row ``narrow``.
    """
    size = len(plain) + len(coded)
    for row in range(len(data) // PACKED_SIZE):
        start, target = row * PACKED_SIZE, row * size
        for k in range(len(plain)):
            found[target + plain[k, 1]] = words[start // 4 + plain[k, 0]]
        for k in range(narrow):
            code = int(data[start + coded[k, 0]]) >> coded[k, 1] & coded[k, 2]
            found[target + coded[k, 4]] = numbers[code + coded[k, 3]]
        for k in range(narrow, len(coded)):
            byte = start + coded[k, 0]
            code = int(data[byte]) | int(data[byte + 1]) << 8
            found[target + coded[k, 4]] = numbers[code + coded[k, 3]]
