"""Ends the processes of bots when the process that started them has gone, however it went.

This file runs as a program too: one small process, the guard, beside each process that has bots in
others. It reads process groups on standard input, ``+123`` for one more and ``-123`` for one less,
and kills what is left when the input ends, which happens even if the other side was killed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable

_guard: subprocess.Popen[bytes] | None = None


def guard(group: int) -> None:
    """Let a process group end when the present process does."""
    _send(f"+{group}\n")


def release(group: int) -> None:
    """Forget a process group, which has ended."""
    _send(f"-{group}\n")


def kill_group(group: int) -> None:
    """Kill a process and all its children that did not leave its group on purpose."""
    # macOS refuses for a group in which only a zombie is left.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _send(line: str) -> None:
    """Write a line to the guard, which is started if need be."""
    global _guard  # noqa: PLW0603  (one a process)
    if _guard is None or _guard.poll() is not None:
        _guard = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is not for it
        )
    if _guard.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            _guard.stdin.write(line.encode())


def _forget() -> None:
    """A forked process starts its own, and does not keep its parent's from noticing the end."""
    global _guard  # noqa: PLW0603  (one a process)
    if _guard is not None and _guard.stdin is not None:
        _guard.stdin.close()
        _guard.returncode = 0  # not this process's to wait for
    _guard = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def kill_orphans(lines: Iterable[str]) -> None:
    """Kill the groups that are still guarded when the lines end."""
    groups: set[int] = set()
    for line in lines:
        if line.startswith("+"):
            groups.add(int(line[1:]))
        else:
            groups.discard(int(line[1:]))
    for group in groups:
        kill_group(group)


if __name__ == "__main__":
    kill_orphans(sys.stdin)
