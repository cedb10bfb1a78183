"""A file that one process at a time may have open to write."""

from __future__ import annotations

from importlib import import_module
from typing import IO, Any


def lock(file: IO[Any]) -> bool:
    """Hold a file until it is closed, or the process ends; False if another one holds it.

    Where the system has no such locks, as Windows, every process is let in.
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
