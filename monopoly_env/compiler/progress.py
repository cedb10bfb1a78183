"""Messages about compilation: a progress line on the terminal, and reasons for long compiles."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from numba.core import event

UNNOTICED = 2.0  # s, shorter compilations show no message
COMPILING = "numba:compile"  # name of Numba's event
OURS = "monopoly_"  # prefix of our packages


class CompileLine(event.Listener):  # type: ignore[misc]  # Numba is not typed
    """Shows the number of compiled functions and the time, once per machine."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream  # the terminal itself, because a progress bar may wrap sys.stderr
        self.functions = self.depth = 0
        self.began = self.ended = 0.0

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - Numba's interface
        """Count the function and show the progress."""
        now = time.monotonic()
        if self.depth == 0 and now - self.ended > UNNOTICED:  # a new series of compilations
            self.functions, self.began = 0, now
        self.depth += 1
        self.functions += 1
        if now - self.began > UNNOTICED:
            self.stream.write(
                f"\rmonopoly-env: compiling (only the first time) … {self.functions} functions, "
                f"{now - self.began:.0f} s "
            )
            self.stream.flush()

    def on_end(self, event: Any) -> None:  # noqa: ARG002 - Numba's interface
        """Clear the line at the end."""
        self.depth -= 1
        self.ended = time.monotonic()
        if self.depth == 0 and self.ended - self.began > UNNOTICED:
            self.stream.write("\r\x1b[K")
            self.stream.flush()


def show_progress(stream: Any) -> None:
    """Show the progress line whenever this process compiles, if ``stream`` is a terminal."""
    if stream is not None and stream.isatty():
        event.register(COMPILING, CompileLine(stream))


class Notice(event.Listener):  # type: ignore[misc]
    """Logs one warning when the first of our functions is compiled."""

    def __init__(self, find_text: Callable[[], str]) -> None:
        self.find_text = find_text
        self.due = True

    def on_start(self, event: Any) -> None:
        """Log the warning, if it is due, not empty, and the function is ours."""
        if self.due and event.data["dispatcher"].py_func.__module__.startswith(OURS):
            self.due = False
            text = self.find_text()
            if text:
                logging.getLogger(__name__).warning(text)

    def on_end(self, event: Any) -> None:
        """Do nothing."""


def warn_on_compile(find_text: Callable[[], str]) -> None:
    """Log ``find_text()`` at the next compilation, unless it is empty."""
    event.register(COMPILING, Notice(find_text))


def warn_fallback(why: str) -> None:
    """Log at the next compilation why functions are not linked as usual."""
    text = f"{why}; the first start takes longer, the games are the same"
    warn_on_compile(lambda: text)
