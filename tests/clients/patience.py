"""Ray on a busy machine: it gives up on a node whose agent needs 15 s to start, so try again."""

from __future__ import annotations

from collections.abc import Callable

TRIES = 12


def patiently(begin: Callable[[], object]) -> None:
    """Start a node of Ray, in several tries."""
    for attempt in range(1, TRIES + 1):
        try:
            begin()
            return
        except Exception:
            if attempt == TRIES:
                raise
