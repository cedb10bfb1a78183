"""Ctrl-C handling for code that catches all errors of bots.

A bot may raise KeyboardInterrupt itself, and it may catch one that was meant for the program. Code
that installs a signal handler reports it here (:func:`handle`, :func:`request`). Without a handler,
as in a notebook, every KeyboardInterrupt counts as the user's.
"""

from __future__ import annotations


class _State:
    """Interrupt state of this process."""

    handled = False  # a signal handler calls request()
    requested = False  # the user has asked the program to stop


def handle(handled: bool) -> None:
    """Set whether a signal handler calls :func:`request`, and clear earlier requests."""
    _State.handled, _State.requested = handled, False


def request() -> None:
    """Record that the user has asked the program to stop."""
    _State.requested = True


def is_requested() -> bool:
    """Return whether the user has asked the program to stop."""
    return _State.requested


def is_real(problem: BaseException) -> bool:
    """Return whether an error is the user's interrupt rather than a bot's own."""
    return isinstance(problem, KeyboardInterrupt) and (_State.requested or not _State.handled)


def check() -> None:
    """Raise KeyboardInterrupt if a stop was requested, even if a bot caught it before."""
    if _State.requested:
        raise KeyboardInterrupt
