"""Calls the kernel with one address instead of seven arrays.

Numba takes about 0.1 µs to unpack each array argument, and a step of one game takes only a few µs.
A batch therefore stores the addresses of its arrays in a CALL record once and passes the address of
that record.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.pointers import array_at, record_at
from monopoly_env.compiler.records import Field, Records, dtype_of, new_records
from monopoly_env.encoding.row_cache import NOTHING_SHOWN, SHOWN
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.policy import VIEW
from monopoly_env.engine.state import GAME, Float32s, Int8s, Int64s
from monopoly_env.envs._kernel import play_batch
from monopoly_env.envs._records import EPISODE, KERNEL_CONFIG, STEP_RECORD
from monopoly_env.envs._work_queue import NO_QUEUE


class CallState:
    """The addresses and lengths of the arguments of ``_kernel.play_batch``."""

    games: Annotated[int, Field("i8", (), "address", "GAME records")]
    episodes: Annotated[int, Field("i8", (), "address", "EPISODE records")]
    configs: Annotated[int, Field("i8", (), "address", "one KERNEL_CONFIG record")]
    records: Annotated[int, Field("i8", (), "address", "STEP_RECORD records")]
    views: Annotated[int, Field("i8", (), "address", "VIEW records")]
    shown: Annotated[int, Field("i8", (), "address", "SHOWN records")]
    queue: Annotated[int, Field("i8", (), "address", "the work queue of the threads")]
    n: Annotated[int, Field("i8", (), "games", "in the batch")]
    n_shown: Annotated[int, Field("i8", (), "rows", "in ``shown``; 0: write rows in full")]
    n_queue: Annotated[int, Field("i8", (), "numbers", "in ``queue``; 0: a single thread")]


CALL = dtype_of(CallState)
ADDRESSES = ("games", "episodes", "configs", "records", "views", "shown", "queue")

call_at = record_at(CALL)
games_at, episodes_at, configs_at = array_at(GAME), array_at(EPISODE), array_at(KERNEL_CONFIG)
records_at, views_at = array_at(STEP_RECORD), array_at(VIEW, PLAYERS)
shown_at, queue_at = array_at(SHOWN), array_at(np.dtype(np.int64))


@jit
def play_at(address: int, thread: int, observations: Float32s, masks: Int8s, packed: Any) -> bool:
    """Call ``_kernel.play_batch`` with the arrays of the CALL record at ``address``."""
    call = call_at(address)
    return play_batch(
        games_at(call.games, call.n),
        episodes_at(call.episodes, call.n),
        configs_at(call.configs, 1),
        records_at(call.records, call.n),
        views_at(call.views, call.n),
        observations,
        shown_at(call.shown, call.n_shown),
        masks,
        queue_at(call.queue, call.n_queue),
        thread,
        packed,
    )


class Call:
    """The CALL record of one batch; keeps its arrays alive and never changes.

    Attributes:
        address: the address of the record, for :func:`play_at`.
    """

    def __init__(self, arrays: tuple[Records, ...], shown: Records, queue: Int64s) -> None:
        self._held = (*arrays, shown, queue)
        self._written = new_records(1, CALL)
        for name, array in zip(ADDRESSES, self._held, strict=True):
            self._written[name] = array.ctypes.data
        self._written["n"] = len(arrays[0])
        self._written["n_shown"], self._written["n_queue"] = len(shown), len(queue)
        self.address = int(self._written.ctypes.data)


class Calls:
    """The CALL records of one batch: one for each pair of a buffer and a work queue.

    A record is never rewritten, because a thread that starts late may still use the one of an
    earlier step.

    Attributes:
        alone: the address for a single thread that writes all rows in full.
    """

    def __init__(self, arrays: tuple[Records, ...]) -> None:
        self._arrays = arrays
        self._known: dict[tuple[int, int], Call] = {}
        self.alone = self.address(NOTHING_SHOWN, NO_QUEUE)

    def address(self, shown: Records, queue: Int64s) -> int:
        """Return the address for these arrays; it stays valid as long as the batch exists."""
        key = id(shown), id(queue)
        call = self._known.get(key)
        if call is None:
            call = self._known[key] = Call(self._arrays, shown, queue)
        return call.address
