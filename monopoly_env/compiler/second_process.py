"""Compiles the rules in two processes at once, which takes two thirds of the time.

Numba compiles in one thread, because most of it is Python code. When this process begins to compile
the rules, it starts a second one, which compiles functions that this process reaches late
(:mod:`monopoly_env.envs.compile_ahead`) and stores them in the cache. This process finds them there.
A function that both compile is only compiled twice.

``MONOPOLY_ENV_COMPILE_PROCESSES=1`` turns the second process off. It is not started either if there
is only one processor core, or if another process does the same work for this cache.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core import event

from monopoly_env.compiler.cache import CACHE_FOLDER
from monopoly_env.compiler.link_choice import ENTRY, LINKING
from monopoly_env.compiler.processes import cores, lock
from monopoly_env.compiler.progress import COMPILING

VARIABLE = "MONOPOLY_ENV_COMPILE_PROCESSES"
RULES = ("monopoly_env.engine.", "monopoly_env.envs.")  # prefixes of what is compiled in two
WORK = "monopoly_env.envs.compile_ahead"
# It imports from the same paths as this process.
PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from importlib import import_module
import_module(sys.argv[2]).main()
"""
LOCK = "compiling.lock"  # name of a file in the cache, which the second process locks


class Start(event.Listener):  # type: ignore[misc]  # Numba is not typed
    """Starts the second process when the first function of the rules is compiled."""

    def __init__(self) -> None:
        self.due = True

    def on_start(self, event: Any) -> None:
        """Start it, if the function belongs to the rules."""
        if self.due and event.data["dispatcher"].py_func.__module__.startswith(RULES):
            self.due = False
            start()

    def on_end(self, event: Any) -> None:
        """Do nothing."""


def is_wanted() -> bool:
    """Return whether this process may start a second one."""
    count = os.environ.get(VARIABLE, "")
    return (
        LINKING.kind == ENTRY
        and "python" in Path(sys.executable or "").name.lower()  # not a server or program around it
        and (not count.isdecimal() or int(count) > 1)
        and cores() > 1
    )


def start_when_compiling() -> None:
    """Start the second process as soon as this one compiles the rules, if that is wanted."""
    if is_wanted():
        event.register(COMPILING, Start())


def start() -> None:
    """Start the second process, unless there is one. It ends with its work, or with this process."""
    with only_one() as free:
        if not free:
            return
    environment = os.environ | {VARIABLE: "1"}
    command = [sys.executable, "-c", PROGRAM, json.dumps(sys.path), WORK]
    with suppress(OSError, ValueError):  # without it, compiling only takes longer
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # Waits for it, so that no defunct process is left.
        threading.Thread(target=process.wait, daemon=True).start()


def end_with_parent() -> None:
    """End this process when the one that started it ends, which closes its standard input."""

    def watch() -> None:
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def only_one() -> Iterator[bool]:
    """Yield whether no other process holds the lock of this cache; hold it meanwhile."""
    try:
        file = (CACHE_FOLDER / LOCK).open("ab")
    except OSError:  # not writable: nothing could be stored
        yield False
        return
    with file:
        yield lock(file)


def compile_callee(function: Any, *arguments: Any) -> None:
    """Compile a function for calls from compiled code, and cache it with all that it calls.

    ``arguments`` are the arguments' types: ``int``, the dtype of a record, or a pair of a scalar
    dtype and a shape, where ``None`` is an array of one dimension, and a tuple is an array inside a
    record.
    """
    function.callee.compile(tuple(_type_of(one) for one in arguments))


def _type_of(argument: Any) -> Any:
    """Return Numba's type of an argument."""
    if argument is int:
        return types.int64
    if not isinstance(argument, tuple):
        return numba.from_dtype(argument)
    dtype, shape = argument
    item = numba.from_dtype(dtype)
    return types.Array(item, 1, "C") if shape is None else types.NestedArray(item, shape)
