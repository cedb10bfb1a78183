"""What people hear of compiling: a line on the terminal, and why it takes longer than usual."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from numba.core import event

UNNOTICED = 2.0  # seconds: a bot or two compile without a word
COMPILING = "numba:compile"  # Numba's event
OURS = "monopoly_"  # how the names of our packages begin


class CompileLine(event.Listener):  # type: ignore[misc]  # Numba is not typed
    """Shows how many functions have been compiled and for how long, which happens once a machine."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream  # the terminal itself: a progress bar may stand before sys.stderr
        self.functions = self.depth = 0
        self.began = self.ended = 0.0

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - Numba's interface
        """Count the function, and show the count."""
        now = time.monotonic()
        if self.depth == 0 and now - self.ended > UNNOTICED:  # another spell of compiling
            self.functions, self.began = 0, now
        self.depth += 1
        self.functions += 1
        if now - self.began > UNNOTICED:
            self.stream.write(
                f"\rmonopoly-env: compiling, once a machine … {self.functions} functions, "
                f"{now - self.began:.0f} s "
            )
            self.stream.flush()

    def on_end(self, event: Any) -> None:  # noqa: ARG002 - Numba's interface
        """Clear the line for whatever the program writes next."""
        self.depth -= 1
        self.ended = time.monotonic()
        if self.depth == 0 and self.ended - self.began > UNNOTICED:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def show_progress(stream: Any) -> None:
    """Show the line on a terminal whenever this process compiles; elsewhere nothing."""
    if stream is not None and stream.isatty():
        event.register(COMPILING, CompileLine(stream))


class Notice(event.Listener):  # type: ignore[misc]
    """Logs one warning when the first of our functions is compiled, none where all are on disk."""

    def __init__(self, find_text: Callable[[], str]) -> None:
        self.find_text = find_text
        self.due = True

    def on_start(self, event: Any) -> None:
        """Log it, unless that is done, there is nothing to say, or another package compiles."""
        if self.due and event.data["dispatcher"].py_func.__module__.startswith(OURS):
            self.due = False
            text = self.find_text()
            if text:
                logging.getLogger(__name__).warning(text)

    def on_end(self, event: Any) -> None:
        """Nothing is to be said."""


def tell_on_compiling(find_text: Callable[[], str]) -> None:
    """Have the next spell of compiling begin with a line, found when it is due; empty: without."""
    event.register(COMPILING, Notice(find_text))


def tell_fallback(why: str) -> None:
    """Have the next spell of compiling say why functions are not linked as usual."""
    text = f"{why}; compiling takes longer, once a machine, games are the same"
    tell_on_compiling(lambda: text)
