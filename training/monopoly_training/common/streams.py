"""Make a process robust at startup: closed or full standard streams, invalid variables.

This module imports only the standard library, because other imports may fail under these faults.
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

MODES = ("r", "w", "w")  # modes of standard input, output and error
SIZES = ("COLUMNS", "LINES", "TERMINAL_WIDTH")  # variables with the terminal's size
OUTPUT_ERRORS = (errno.ENOSPC, errno.EPIPE, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT)
COUNTS = ("NUMBA_NUM_THREADS",)  # variables that Numba reads unchecked


def prepare() -> None:
    """Make the standard streams usable, and drop invalid terminal sizes from the environment."""
    streams = [_opened(number, mode) for number, mode in enumerate(MODES)]
    sys.stdin, sys.stdout = sys.stdin or streams[0], sys.stdout or streams[1]
    sys.stderr = QuietStream(sys.stderr or streams[2])
    for name in SIZES:
        if not _is_count(os.environ.get(name, "1")):
            del os.environ[name]  # as if unset


def handle_early_signals() -> None:
    """Let a signal end the process with one line, until a command runs and handles it."""
    for number, usual in (
        (signal.SIGINT, signal.default_int_handler),
        (signal.SIGTERM, signal.SIG_DFL),
    ):
        if signal.getsignal(number) is usual:
            signal.signal(number, on_early_signal)


def on_early_signal(number: int, _: FrameType | None) -> None:
    """End the process with one line."""
    what = "interrupted" if number == signal.SIGINT else "terminated"
    with contextlib.suppress(OSError):
        os.write(2, f"error: {what}\n".encode())
    os._exit(128 + number)


def problem() -> str | None:
    """Return one line on a bad working folder or variable, or None."""
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
    """Return a standard stream by number; a closed one is connected to the null device.

    Otherwise the next opened file would take its descriptor, and receive what is written to the
    stream.
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
    """Standard error that drops what cannot be written, since results matter more than messages."""

    def __init__(self, stream: TextIO) -> None:
        raw = io.FileIO(2, "w", closefd=False)
        super().__init__(
            raw,  # unbuffered: a buffer would keep failed output
            encoding=stream.encoding or "utf-8",
            errors="backslashreplace",
            write_through=True,
        )

    def write(self, text: str) -> int:
        """Write if possible."""
        with contextlib.suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        """Flush if possible."""
        with contextlib.suppress(OSError):
            super().flush()


def output_failed(problem: OSError) -> bool:
    """Return whether an error means that standard output failed; errors of files carry a name."""
    return problem.filename is None and problem.errno in OUTPUT_ERRORS


def drop_output() -> None:
    """Connect standard output to the null device, so that the rest of the output is dropped."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        sys.stdout.flush()


def folder_is_gone() -> bool:
    """Return whether the working folder has been removed."""
    try:
        os.getcwd()  # noqa: PTH109 - pathlib's says the same
    except OSError:
        return True
    return False
