"""How a command ends early: Ctrl-C, SIGTERM and SIGHUP.

The first signal raises KeyboardInterrupt where the program is, so that it ends in order. It has a
little time for that: a thread that the interpreter's signals wake watches over it, and ends the
process when the time is up or a second signal comes, also where the program is in code that lets no
error through. Files under way are removed, and other processes end with this one.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from monopoly_env import interrupts
from monopoly_training.common.streams import on_early_signal

NAME = "monopoly-env"
GRACE = 1.5  # seconds from the first signal to the end of the process
STDERR = 2
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
COMPILER = ("numba.", "llvmlite.")  # modules whose functions compile


class _State:
    """Of this process."""

    words: Sequence[str] = ()  # of the command line
    remedy = ""  # how to go on after an interrupt
    number = signal.SIGINT  # of the signal that came first
    unfinished: set[tuple[Path, str]] = set()  # noqa: RUF012 - folders, and files in them
    children: set[subprocess.Popen[Any]] = set()  # noqa: RUF012
    installed = False
    numbers: set[int] = set()  # noqa: RUF012 - of the signals that are handled
    finished: int | None = None  # the status of a command that is over, as is the process soon


# What is said


def begin(words: Sequence[str]) -> None:
    """A command line is about to be run."""
    _State.words, _State.remedy, _State.number = tuple(words), "", signal.SIGINT


def resume_with(*words: str) -> None:
    """Say how to go on from here on: by this command line; without words, as it is, with --resume."""
    given = [*_State.words, *([] if "--resume" in _State.words else ["--resume"])]
    command = shlex.join([NAME, *(words or given)])
    _State.remedy = f"finished work is saved; resume with: {command}"


def nothing_kept(what: str) -> None:
    """Say from here on that an interrupt loses all there is, and why that is no great loss."""
    _State.remedy = what


def message() -> str:
    """The line about an early end."""
    what = {signal.SIGINT: "interrupted"}.get(_State.number, "terminated")
    return f"error: {what}{'; ' * bool(_State.remedy)}{_State.remedy}\n"


def status() -> int:
    """The exit status after an early end: 130 for Ctrl-C."""
    return 128 + int(_State.number)


# What is cleared away


@contextmanager
def removing(folder: Path, name: str = "") -> Iterator[None]:
    """Remove a file of a folder when the block is left, and when the process ends in it.

    Without a name, all files that are under way: ``*.part``.
    """
    entry = (folder.absolute(), name)
    _State.unfinished.add(entry)
    try:
        yield
    finally:
        _remove([entry])
        _State.unfinished.discard(entry)


def _remove(entries: Iterable[tuple[Path, str]]) -> None:
    """Remove what is unfinished, as far as it is there."""
    for folder, name in list(entries):
        with contextlib.suppress(OSError):
            for path in [folder / name] if name else list(folder.glob("*.part")):
                path.unlink(missing_ok=True)


@contextmanager
def ending_with_us(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Kill another process when the block is left, and when this process ends in it."""
    _State.children.add(process)
    try:
        yield
    finally:
        process.kill()
        process.wait()
        _State.children.discard(process)


def end_at_once() -> NoReturn:
    """End this process and those that it started, and say so."""
    text = message()
    for process in list(_State.children):
        process.kill()
    processes = sys.modules.get("multiprocessing.process")
    for worker in list(getattr(processes, "_children", ())):
        with contextlib.suppress(Exception):
            worker.kill()
    _remove(_State.unfinished)
    with contextlib.suppress(OSError):
        os.write(STDERR, text.encode(errors="replace"))
    os._exit(status())


# After the command


def finished(status: int) -> None:
    """The command is over, with this status: a signal from here on only makes the end come sooner.

    What Python does last, such as waiting for threads that a bot has left, may take a while.
    """
    _State.finished = status
    for number in _State.numbers:
        signal.signal(number, _leave)
    atexit.register(_ignore)


def is_finished() -> bool:
    """Whether the command is over, and the process about to end."""
    return _State.finished is not None


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End the process with the status of the command."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(_State.finished or 0)


def _ignore() -> None:
    """Hear no signals any more: Python is about to forget its handlers, and takes a moment."""
    for number in _State.numbers:
        signal.signal(number, signal.SIG_IGN)


# Signals


def on_signal(number: int, frame: FrameType | None) -> None:
    """The first signal raises KeyboardInterrupt; a second one ends the process.

    So does the first while something is compiled: the compiler calls Python from LLVM, where an
    error is lost and leaves half a function.
    """
    if interrupts.is_requested():
        end_at_once()
    _State.number = signal.Signals(number)
    interrupts.request()
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(COMPILER):
            end_at_once()
        frame = frame.f_back
    raise KeyboardInterrupt


@contextmanager
def handled() -> Iterator[None]:
    """Handle the signals in this block, as far as nobody else does."""
    main_thread = threading.current_thread() is threading.main_thread()
    before = {name: signal.getsignal(getattr(signal, name)) for name in SIGNALS if _has(name)}
    usual = (signal.default_int_handler, signal.SIG_DFL, on_early_signal)
    ours = [name for name, handler in before.items() if handler in usual and main_thread]
    numbers = {int(getattr(signal, name)) for name in ours}
    if _State.installed or not ours:
        yield
        return
    _State.installed, _State.numbers, _State.finished = True, numbers, None
    interrupts.handle(True)
    hooks = sys.unraisablehook, threading.excepthook
    sys.unraisablehook, threading.excepthook = _quiet(hooks[0]), _quiet(hooks[1])
    for name in ours:
        signal.signal(getattr(signal, name), on_signal)
    watch = Watch(numbers) if os.name == "posix" else None
    try:
        yield
    finally:
        if watch is not None:
            watch.stop()
        if not is_finished():
            for name in ours:
                signal.signal(getattr(signal, name), before[name])
        sys.unraisablehook, threading.excepthook = hooks
        interrupts.handle(False)
        _State.installed = False


def _has(name: str) -> bool:
    return hasattr(signal, name)


def _quiet(hook: Any) -> Any:
    """A hook for errors that nobody handles, which says nothing once the program is to end."""

    def said(problem: Any) -> None:
        if not interrupts.is_requested():
            hook(problem)

    return said


class Watch:
    """A thread that ends the process some time after the first signal, or at the second.

    It also does where the interpreter is too busy to call a handler, or a bot has set its own.
    """

    def __init__(self, numbers: set[int]) -> None:
        self._numbers = numbers
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._before = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._run, daemon=True, name="signals")
        self._thread.start()

    def _run(self) -> None:
        """Wait for signals; each arrives as a byte, its number. 0: nobody needs this any more."""
        came = 0  # the first signal
        while True:
            ready, _, _ = select.select([self._read], [], [], GRACE if came else None)
            byte = os.read(self._read, 1)[0] if ready else None
            if byte == 0:
                return
            if byte is None or (came and byte in self._numbers):
                _State.number = signal.Signals(came)
                end_at_once()
            if byte in self._numbers:
                came = byte

    def stop(self) -> None:
        """End the thread."""
        signal.set_wakeup_fd(self._before)
        os.write(self._write, b"\0")
        self._thread.join()
        os.close(self._read)
        os.close(self._write)


@contextmanager
def held_back() -> Iterator[None]:
    """Hold Ctrl-C back in this block: what is started in it never receives one."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)
