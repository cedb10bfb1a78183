"""File locks: one process at a time may write a file."""

from __future__ import annotations

from importlib import import_module
from typing import IO, Any


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
