"""A line on the terminal while functions are compiled."""

from __future__ import annotations

import time
from typing import Any

from numba.core import event

UNNOTICED = 2.0  # seconds: a bot or two compile without a word
COMPILING = "numba:compile"  # Numba's event


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
