"""The byte format of ``clone_state()``, and the checks of ``restore_state()``.

A state is a header, blocks of records, data of the environment, and a checksum::

    magic, form, kind, flags, games   the type of the state, and its number of games
    fingerprints                      one per PART: the options of the environment
    blocks                            the records of all games, one kind after the other
    extra                             data of the environment, such as the current agent
    checksum                          CRC-32 of everything before it

The content is plain numbers; reading them runs no code.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.state import Int64s
from monopoly_env.envs.checks import check_games, check_mask, fail, items_of
from monopoly_env.errors import show
from monopoly_env.integers import as_array, as_int

MAGIC = b"monopoly"
FORM = 1  # increases when the layout of these bytes changes
HEAD = struct.Struct("<8sHBBI")
CHECKSUM = struct.Struct("<I")
SEEDED, WHOLE, STARTS = 1, 2, 4  # flags: games have begun; all games included; some have a start

# What a state must share with the environment that restores it, and the message if it does not.
PARTS = {
    "version": "was taken by another version of monopoly-env",
    "players": "has another number of players",
    "rules": "is played by other rules (edition, mode, rules, windows, deals)",
    "bots": "has other bots (opponents, pool, rest)",
    "reward": "has another reward",
    "options": "has other options (seat, decides, leaves, skip_forced, play_out, elimination …)",
}
KINDS = ("batch of games", "single-seat environment", "vector environment", "AEC environment")
BATCH, SINGLE, VECTOR, AEC = range(len(KINDS))
REMEDY = "restore it in an environment that is made as the one it is of"


class Saved(NamedTuple):
    """A verified state, and the offset of its blocks."""

    data: bytes
    offset: int
    games: int  # number of games
    flags: int


def fingerprint(parts: Sequence[bytes]) -> bytes:
    """Return four bytes for each of the PARTS."""
    return b"".join(zlib.crc32(part).to_bytes(4, "little") for part in parts)


def write_state(kind: int, flags: int, count: int, prints: bytes, blocks: Sequence[bytes]) -> bytes:
    """Return the bytes of a state with these blocks."""
    body = b"".join((HEAD.pack(MAGIC, FORM, kind, flags, count), prints, *blocks))
    return body + CHECKSUM.pack(zlib.crc32(body))


def read_state(state: object, kind: int, prints: bytes) -> Saved:
    """Verify a state before it is used. Raises: InputError, one line."""
    if not isinstance(state, bytes | bytearray | memoryview):
        fail("state", f"must be the bytes that clone_state() returned, not {show(state)}")
    data = bytes(state)
    offset, end = HEAD.size + len(prints), len(data) - CHECKSUM.size
    if end < offset or not data.startswith(MAGIC):
        fail(
            "state", "is not a state of an environment; give the bytes that clone_state() returned"
        )
    if zlib.crc32(memoryview(data)[:end]) != CHECKSUM.unpack_from(data, end)[0]:
        fail("state", "is damaged: its checksum does not fit; clone the state again")
    _, form, taken_from, flags, games = HEAD.unpack_from(data)
    if form != FORM:
        fail("state", f"{PARTS['version']}; clone it again")
    if taken_from != kind:
        what = KINDS[taken_from] if taken_from < len(KINDS) else "another kind"
        fail("state", f"is of a {what}, not of a {KINDS[kind]}; {REMEDY}")
    if data[HEAD.size : offset] != prints:
        _refuse(data[HEAD.size : offset], prints)
    return Saved(data, offset, games, flags)


def _refuse(given: bytes, own: bytes) -> None:
    """Raise an error that names the first difference."""
    for k, problem in enumerate(PARTS.values()):
        if given[4 * k : 4 * k + 4] != own[4 * k : 4 * k + 4]:
            fail("state", f"{problem}; {REMEDY}")


def byte_rows(records: Any, n: int) -> npt.NDArray[np.uint8]:
    """Return a view of records as bytes, one row per game: uint8[n, size]."""
    return np.asarray(records).reshape(-1).view(np.ndarray).view(np.uint8).reshape(n, -1)


def fill(records: Any, data: bytes) -> None:
    """Fill records from bytes. Raises: InputError if the size does not match."""
    target = byte_rows(records, 1)
    if len(data) != target.size:
        fail("state", f"{PARTS['version']}; create it again")
    target[0] = np.frombuffer(data, np.uint8)


def check_rows(indices: object, n: int) -> Int64s:
    """Return the games selected by a number, a list of numbers, or a mask; None selects all.

    Raises: InputError that names the index.
    """
    if indices is None:
        return np.arange(n)
    number = as_int(indices)
    if number is not None:
        return check_games("indices", [number], n)
    array = as_array(indices)
    several = items_of(indices) or []
    if several and all(isinstance(one, bool | np.bool_) for one in several):
        array = np.array(several)
    if array is not None and array.dtype == np.bool_:
        return np.flatnonzero(check_mask("indices", array, n))
    return check_games("indices", several or indices, n)
