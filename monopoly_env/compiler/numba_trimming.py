"""Suspends costly side activities while our functions are compiled.

Garbage collection runs whenever many objects are created, which takes a tenth of a cold start. Each
of the 60,000 calls to LLVM also notifies the timers of all nested compilations, which takes a
twentieth.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from llvmlite.binding import ffi

RARELY = 100_000  # new objects between two garbage collections


@contextmanager
def quiet() -> Iterator[None]:
    """Suspend both within a ``with`` block; blocks may be nested."""
    with rarely_collecting(), without_timers():
        yield


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Collect garbage rarely. Never collecting would double the memory of a cold start."""
    usual = gc.get_threshold()
    gc.set_threshold(max(usual[0], RARELY) if usual[0] else 0, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


@contextmanager
def without_timers() -> Iterator[None]:
    """Detach the timers that listen to LLVM's lock, which nobody reads."""
    listening = getattr(getattr(ffi.lib, "_lock", None), "_cblist", [])
    those = list(listening)
    listening.clear()
    try:
        yield
    finally:
        listening[:0] = those
