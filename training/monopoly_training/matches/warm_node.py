"""Lets one process of a node compile what the others need, too.

Numba compiles in each process. When all processors of a node begin cold, each would compile the same
code; here the others wait for the first one and load its result from the cache.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from monopoly_env.compiler.cache import CACHE_FOLDER
from monopoly_env.compiler.processes import lock

PATIENCE = 90.0  # s, the longest wait
POLL = 0.2  # s


@contextmanager
def first_alone(work: str, folder: Path = CACHE_FOLDER) -> Iterator[None]:
    """Run the block alone on this machine until some process has finished it for this ``work``.

    Nobody waits longer than it takes to compile, as a piece of work may take much longer. ``folder``
    is the cache, which holds a mark for each work. The lock of a killed process is free.
    """
    mark = folder / f"warm-{hashlib.sha256(work.encode()).hexdigest()[:16]}"
    if mark.exists():
        yield
        return
    with mark.with_suffix(".lock").open("ab") as file:
        until = time.monotonic() + PATIENCE
        while not lock(file) and not mark.exists() and time.monotonic() < until:
            time.sleep(POLL)
        if mark.exists():
            file.close()  # nobody else needs to wait
        yield
        with suppress(OSError):
            mark.touch()
