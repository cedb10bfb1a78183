"""Declares records: each field once, with its storage type, shape, unit and meaning.

A record class serves the type checker (``game.cash`` is an array of int32), NumPy (as a dtype) and
the documentation (as a table of fields). Such classes are never instantiated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

import numpy as np

from monopoly_env.compiler.jit import JIT

Records = Any  # an array of records, whose fields NumPy's types cannot express


@dataclass(frozen=True)
class Field:
    """One field of a record: storage type, shape, unit and meaning."""

    storage: str | np.dtype[Any]
    shape: tuple[int, ...]
    unit: str
    meaning: str


@cache
def fields(record: type) -> Mapping[str, Field]:
    """Return the fields of a record class by name, in the order they were declared."""
    hints = get_type_hints(record, include_extras=True)  # takes milliseconds
    return MappingProxyType({name: get_args(hint)[1] for name, hint in hints.items()})


def _alignment(storage: str | np.dtype[Any]) -> int:
    """Return the alignment in bytes: a record's is that of its widest field, at any depth."""
    dtype = np.dtype(storage)
    if dtype.names is None:
        return dtype.alignment
    return max(_alignment(dtype[name].base) for name in dtype.names)


def dtype_of(record: type) -> np.dtype[Any]:
    """Return the dtype of a record class: fields sorted by alignment, with explicit padding.

    Implicit padding would contain garbage after a copy, and equal games must have equal bytes.
    """
    declared = fields(record)
    layout = sorted(declared.items(), key=lambda item: -_alignment(item[1].storage))
    parts: list[tuple[Any, ...]] = [
        (name, field.storage, field.shape) if field.shape else (name, field.storage)
        for name, field in layout
    ]
    size = np.dtype(parts).itemsize
    widest = max(_alignment(field.storage) for field in declared.values())
    if size % widest:
        parts.append(("padding_", np.uint8, (widest - size % widest,)))
    dtype = np.dtype(parts, align=True)
    if dtype.itemsize != np.dtype(parts).itemsize:
        raise TypeError(f"{record.__name__} has implicit padding")
    return np.dtype((np.record, dtype))


def new_records(n: int, dtype: np.dtype[Any]) -> Any:
    """Return ``n`` zeroed records: a structured array, or a recarray without compilation."""
    records = np.zeros(n, dtype)
    return records if JIT else records.view(np.recarray)


def read_only(records: Any) -> Any:
    """Return a copy in memory that Python cannot write to."""
    return np.frombuffer(records.tobytes(), records.dtype).view(type(records))


def copy_records(records: Any) -> Any:
    """Return a byte-wise copy.

    NumPy copies field by field, which takes a hundred times as long. Creating an empty array of a
    dtype with this many fields alone takes seven times as long as this function.
    """
    copied: Any = np.ndarray(records.shape, records.dtype, bytearray(records.tobytes()))
    return copied if JIT else copied.view(type(records))


def records_of(content: bytes, dtype: np.dtype[Any]) -> Any:
    """Return records from the bytes of ``tobytes()``, in their own memory."""
    records: Any = np.ndarray(len(content) // dtype.itemsize, dtype, bytearray(content))
    return records if JIT else records.view(np.recarray)
