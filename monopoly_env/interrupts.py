"""Ctrl-C handling for code that catches all errors of bots.

A bot may raise KeyboardInterrupt itself, and it may catch one that was meant for the program. Whoever
handles the signals says so here (:func:`handle`, :func:`request`); where nobody does, as in a
notebook, every KeyboardInterrupt is taken for real.
"""

from __future__ import annotations


class _State:
    """Of this process."""

    handled = False  # somebody calls request() at a signal
    requested = False  # the program is to end


def handle(handled: bool) -> None:
    """Say whether signals are announced by :func:`request` from now on; none has come yet."""
    _State.handled, _State.requested = handled, False


def request() -> None:
    """A signal has come: the program is to end."""
    _State.requested = True


def is_requested() -> bool:
    """Whether the program is to end."""
    return _State.requested


def is_real(problem: BaseException) -> bool:
    """Whether an error is an interrupt of the program, not a bot's own."""
    return isinstance(problem, KeyboardInterrupt) and (_State.requested or not _State.handled)


def check() -> None:
    """Raise the interrupt that has come, wherever it was caught before."""
    if _State.requested:
        raise KeyboardInterrupt
