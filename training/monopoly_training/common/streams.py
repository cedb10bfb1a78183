"""What a process finds when it starts: standard streams that are closed or full, odd variables.

Nothing but Python's own library is imported here, because what else is needed may fail by these.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import sys
from types import FrameType
from typing import Any, TextIO

MODES = ("r", "w", "w")  # of standard input, output and error
SIZES = ("COLUMNS", "LINES", "TERMINAL_WIDTH")  # of the terminal
OUTPUT_ERRORS = (errno.ENOSPC, errno.EPIPE, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT)
COUNTS = ("NUMBA_NUM_THREADS",)  # which Numba takes as they are


def prepare() -> None:
    """Make the standard streams usable, and forget sizes of a terminal that are none."""
    streams = [_opened(number, mode) for number, mode in enumerate(MODES)]
    sys.stdin, sys.stdout = sys.stdin or streams[0], sys.stdout or streams[1]
    sys.stderr = QuietStream(sys.stderr or streams[2])
    for name in SIZES:
        if not _is_count(os.environ.get(name, "1")):
            del os.environ[name]  # as if nobody had said


def handle_early_signals() -> None:
    """Until a command is run, a signal ends the process in one line: nothing has begun yet."""
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is usual:
            signal.signal(number, on_early_signal)


def on_early_signal(number: int, _: FrameType | None) -> None:
    """End the process in one line."""
    what = "interrupted" if number == signal.SIGINT else "terminated"
    with contextlib.suppress(OSError):
        os.write(2, f"error: {what}\n".encode())
    os._exit(128 + number)


def problem() -> str | None:
    """What is wrong with the working folder or a variable, in one line; None if nothing is."""
    if folder_is_gone():
        return "the working folder has been removed; change to one that is there"
    for name in COUNTS:
        text = os.environ.get(name)
        if text is not None and not _is_count(text):
            return f"{name}: must be a whole number from 1 up, not {text[:50]!r}; or unset it"
    return None


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdecimal() and int(text[:9]) > 0


def _opened(number: int, mode: str) -> Any:
    """A standard stream by number; one that is closed leads nowhere.

    Else the next file to be opened would take its place, and whoever writes an error writes there.
    """
    try:
        os.fstat(number)
    except OSError:
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, number)
        if nowhere != number:
            os.close(nowhere)
    return open(number, mode, encoding="utf-8", errors="replace", closefd=False)


class QuietStream(io.TextIOWrapper):
    """Standard error that loses what cannot be written: results matter more than what is said."""

    def __init__(self, stream: TextIO) -> None:
        raw = io.FileIO(2, "w", closefd=False)
        super().__init__(
            raw,  # without a buffer, which would keep what failed
            encoding=stream.encoding or "utf-8",
            errors="backslashreplace",
            write_through=True,
        )

    def write(self, text: str) -> int:
        """Write, if that is possible."""
        with contextlib.suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        """Write what waits, if that is possible."""
        with contextlib.suppress(OSError):
            super().flush()


def output_failed(problem: OSError) -> bool:
    """Whether an error is that standard output cannot be written to; errors of files name them."""
    return problem.filename is None and problem.errno in OUTPUT_ERRORS


def drop_output() -> None:
    """Lead standard output nowhere, so that nobody tries to write the remaining part."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        sys.stdout.flush()


def folder_is_gone() -> bool:
    """Whether the working folder has been removed."""
    try:
        os.getcwd()  # noqa: PTH109 - pathlib's says the same
    except OSError:
        return True
    return False
