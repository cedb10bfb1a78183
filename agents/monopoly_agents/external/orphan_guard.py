"""Kill bot processes when the process that started them is gone, however it ended.

This file also runs as a program: a small guard process beside each process that runs external bots.
It reads process groups on standard input, ``+123`` to add one and ``-123`` to remove it, and kills
the remaining ones when the input closes, which happens even if the parent was killed.
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
    """Make a process group end with the current process."""
    _send(f"+{group}\n")


def release(group: int) -> None:
    """Remove a process group that has ended."""
    _send(f"-{group}\n")


def kill_group(group: int) -> None:
    """Kill a process group: a process and its children, unless they have left the group."""
    # macOS raises PermissionError if the group contains only a zombie.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _send(line: str) -> None:
    """Write a line to the guard, starting it if necessary."""
    global _guard  # noqa: PLW0603  (one per process)
    if _guard is None or _guard.poll() is not None:
        _guard = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C must not reach it
        )
    if _guard.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            _guard.stdin.write(line.encode())


def _forget() -> None:
    """Detach a forked child from its parent's guard, which must see the parent's end."""
    global _guard  # noqa: PLW0603  (one per process)
    if _guard is not None and _guard.stdin is not None:
        _guard.stdin.close()
        _guard.returncode = 0  # the parent's child, not ours to wait for
    _guard = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def kill_orphans(lines: Iterable[str]) -> None:
    """Kill the groups that are still guarded when the input ends."""
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
