"""Read weight files, checking their header before anything large is read.

A safetensors file begins with a JSON header that gives the type, shape and byte range of each
tensor. The card lists the same for the expected tensors, with digests; errors name the tensor that
differs.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int64s
from monopoly_env.errors import show
from monopoly_env.files import DIGITS, file_digest, parse_json
from monopoly_training.models.card import ModelError, fail
from monopoly_training.models.model import FIRST_OF_MASK

MOST_BYTES = 1 << 30  # maximum size of a weights file
MOST_HEADER = 1 << 20
# tensors of ids, with their upper limit
INDICES = {"columns": FIRST_OF_MASK + N_ACTIONS, "actions": N_ACTIONS}
KINDS: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "I64": np.dtype("<i8")}

Shape = tuple[int, ...]


@dataclass(frozen=True)
class TensorEntry:
    """A tensor's entry in the header."""

    kind: str  # a key of KINDS
    shape: Shape
    begin: int  # offset in the file
    size: int  # bytes


def describe(tensors: Mapping[str, npt.NDArray[Any]]) -> dict[str, dict[str, Any]]:
    """Return the card's description of the tensors."""
    names = {dtype: kind for kind, dtype in KINDS.items()}
    return {
        name: {
            "dtype": names.get(array.dtype, str(array.dtype)),
            "shape": list(array.shape),
            "sha256": hashlib.sha256(array.tobytes()).hexdigest()[:DIGITS],
        }
        for name, array in tensors.items()
    }


def read_header(file: IO[bytes], path: Path) -> dict[str, TensorEntry]:
    """Read the header; return its tensors by name.

    Raises: ModelError, one line, if it is invalid.
    """
    size = os.fstat(file.fileno()).st_size
    if size > MOST_BYTES:
        fail(path, f"has {size:,} bytes; weights have up to {MOST_BYTES:,}")
    length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= min(MOST_HEADER, size - 8):
        fail(path, "is not a safetensors file, or is cut off")
    location = ModelError.at(path) / "header"
    header = parse_json(file.read(length), location, "this is not a safetensors file")
    if not isinstance(header, dict):
        location.fail(f"must be a mapping, not {show(header)}")
    start, end = 8 + length, 0
    entries = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        try:
            kind, shape = entry["dtype"], tuple(entry["shape"])
            begin, after = entry["data_offsets"]
            fits = after - begin == math.prod(shape) * KINDS[kind].itemsize and begin == end
            fits = fits and all(isinstance(n, int) and n >= 0 for n in (*shape, begin, after))
        except (LookupError, TypeError, ValueError):
            fits = False
        if not fits:
            fail(path, f"{show(name)} must be float32, its ids int64, with its bytes in the file")
        entries[name] = TensorEntry(kind, shape, start + begin, after - begin)
        end = after
    if start + end != size:
        fail(path, f"has {size:,} bytes, its header tells of {start + end:,}; was it cut off?")
    return entries


def check_entries(entries: Mapping[str, TensorEntry], card: Mapping[str, Any], path: Path) -> None:
    """Raise ModelError, one line, if a file's tensors differ from those on its card."""
    listed = card.get("tensors")
    if not isinstance(listed, dict):
        fail(path, "its card does not tell of tensors; save the model again")
    for name in dict.fromkeys([*listed, *entries]):
        if name not in listed or name not in entries:
            where = "on its card" if name in listed else "in the file"
            fail(path, f"{show(name)} is {where} only; save the model again")
        entry, mine = entries[name], listed[name]
        here = {"dtype": entry.kind, "shape": list(entry.shape)}
        there = {key: mine.get(key) for key in here} if isinstance(mine, dict) else mine
        if here != there:
            fail(path, f"{show(name)} is {show(here)}, on its card {show(there)}; save it again")
        if (entry.kind == "I64") != (name in INDICES):
            fail(path, f"{show(name)} must be {'int64' if name in INDICES else 'float32'}")


def read_ids(file: IO[bytes], entries: Mapping[str, TensorEntry], name: str, path: Path) -> Int64s:
    """Read the columns or actions of a network, which determine the size of the other tensors."""
    entry, end = entries.get(name), INDICES[name]
    if entry is None or len(entry.shape) != 1 or not 1 <= entry.shape[0] <= end:
        fail(path, f"{name} must be from 1 to {end} ids; save the model again")
    ids: Int64s = read_tensor(file, entry).astype(np.int64)
    if ids.min() < 0 or ids.max() >= end or len(np.unique(ids)) < len(ids):
        fail(path, f"{name} must be ids from 0 to {end - 1}, each once; save the model again")
    return ids


def read_tensor(file: IO[bytes], entry: TensorEntry) -> npt.NDArray[Any]:
    """Read one tensor into its own array."""
    file.seek(entry.begin)
    data = np.frombuffer(file.read(entry.size), KINDS[entry.kind])
    return data.reshape(entry.shape).copy()


def check_digest(
    file: IO[bytes], entries: Mapping[str, TensorEntry], card: Mapping[str, Any], path: Path
) -> None:
    """Raise ModelError, one line that names the tensor, if the file does not match its digest."""
    file.seek(0)
    if file_digest(file) == card.get("weights_sha256"):
        return
    for name, entry in entries.items():
        file.seek(entry.begin)
        found = hashlib.sha256(file.read(entry.size)).hexdigest()[:DIGITS]
        if found != card["tensors"][name].get("sha256"):
            fail(path, f"is damaged, or of another card: {name} does not fit its digest")
    fail(path, "is damaged, or of another card: its header does not fit its digest")
