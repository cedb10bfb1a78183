"""Ends the processes of bots when the process that started them has gone, however it went.

This file runs as a program too: one small process beside each process that has bots in others.
It reads the process groups on standard input, ``+123`` for one more and ``-123`` for one less,
and kills what is left when the input ends, which happens even if the other side was killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable

_watcher: subprocess.Popen[bytes] | None = None


def hold(group: int) -> None:
    """This process group ends when the present process does."""
    _tell(f"+{group}\n")


def release(group: int) -> None:
    """This process group has ended."""
    _tell(f"-{group}\n")


def kill_group(group: int) -> None:
    """Kill a process and all its children that did not leave its group on purpose."""
    # macOS refuses for a group in which only a zombie is left.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _tell(line: str) -> None:
    global _watcher  # noqa: PLW0603  (one a process)
    if _watcher is None or _watcher.poll() is not None:
        _watcher = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is not for it
        )
    if _watcher.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            _watcher.stdin.write(line.encode())


def _forget() -> None:
    """A forked process starts its own, and does not keep its parent's from noticing the end."""
    global _watcher  # noqa: PLW0603  (one a process)
    if _watcher is not None and _watcher.stdin is not None:
        _watcher.stdin.close()
        _watcher.returncode = 0  # not this process's to wait for
    _watcher = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def watch(lines: Iterable[str]) -> None:
    """Kill the groups that are still held when the lines end."""
    held: set[int] = set()
    for line in lines:
        if line.startswith("+"):
            held.add(int(line[1:]))
        else:
            held.discard(int(line[1:]))
    for group in held:
        kill_group(group)


if __name__ == "__main__":
    watch(sys.stdin)
