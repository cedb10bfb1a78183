"""What Numba does beside compiling, and what nobody needs while our functions are compiled.

Garbage is collected whenever many objects are made, which compiling does all the time: a tenth of
a cold start. Each of the 60,000 calls of LLVM tells the timers of all functions that are being
compiled, one inside another: a twentieth.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite.binding import ffi

RARELY = 100_000  # objects more than there were, before garbage is looked for among them


@contextmanager
def quiet() -> Iterator[None]:
    """Do less of both in a ``with`` block. Blocks may lie one inside another."""
    with rarely_collecting(), without_timers():
        yield


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Few collections of garbage. Without any, a cold start would take twice the memory."""
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], RARELY) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@contextmanager
def without_timers() -> Iterator[None]:
    """No word of LLVM's lock, which Numba's timers listen for and nobody reads."""
    listening = getattr(getattr(ffi.lib, "_lock", None), "_cblist", [])
    those = list(listening)
    listening.clear()
    try:
        yield
    finally:
        listening[:0] = those
