"""Programs that play, well and badly: what the tests of exec: start."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

# What each program begins with: `ask()` waits for the next decision, `say()` answers it.
HEAD = """
import json, os, sys, time
def lines():
    for line in iter(sys.stdin.readline, ""):
        yield json.loads(line)
messages = lines()
def ask():
    for message in messages:
        if message["type"] == "decide":
            return message
    sys.exit(0)
def say(value):
    sys.stdout.write(value if isinstance(value, str) else json.dumps(value))
    sys.stdout.write("\\n")
    sys.stdout.flush()
def first(message):
    say({"action": message["legal"][0]})
"""


def program(folder: Path, body: str, options: str = "") -> str:
    """The name of the bot that such a program is, after ``exec:``."""
    file = folder / f"bot_{abs(hash(body))}.py"
    file.write_text(HEAD + body, encoding="utf-8")
    return f"{options} {shlex.quote(sys.executable)} -I -S {shlex.quote(str(file))}".strip()


def is_running(pid: int) -> bool:
    """Whether a process exists; one that has ended counts as long as this process should reap it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not _waits_for_another(pid)


def _waits_for_another(pid: int) -> bool:
    """Whether it is a zombie whose parent is another process, such as a slow init."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return False
    return state == "Z" and int(parent) != os.getpid()


def wait_until(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return condition()
