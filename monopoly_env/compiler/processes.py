"""What several processes of a machine share: its processor cores, and files that one of them locks."""

from __future__ import annotations

import os
from importlib import import_module
from typing import IO, Any


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def lock(file: IO[Any]) -> bool:
    """Lock a file until it is closed or the process ends; return False if it is already locked.

    On systems without such locks, such as Windows, this always succeeds.
    """
    try:
        fcntl = import_module("fcntl")
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
