"""Graceful shutdown of a command on Ctrl-C, SIGTERM and SIGHUP.

The first signal raises KeyboardInterrupt in the main thread, so that the command can clean up. A
watcher thread, woken by the interpreter's signal wakeup descriptor, ends the process after a grace
period or at a second signal, even while the program runs code that swallows exceptions. Partial
files are removed, and child processes end with this one.
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
GRACE = 1.5  # seconds from the first signal to a forced exit
STDERR = 2
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
COMPILER = ("numba.", "llvmlite.")  # modules that call the compiler


class _State:
    """Shutdown state of this process."""

    words: Sequence[str] = ()  # the command line
    remedy = ""  # how to resume after an interrupt
    number = signal.SIGINT  # the first signal received
    unfinished: set[tuple[Path, str]] = set()  # noqa: RUF012 - (folder, file name) pairs to remove
    children: set[subprocess.Popen[Any]] = set()  # noqa: RUF012
    installed = False
    numbers: set[int] = set()  # noqa: RUF012 - the signals that are handled
    finished: int | None = None  # exit status once the command is over


# Messages


def begin(words: Sequence[str]) -> None:
    """Record the command line that is about to run."""
    _State.words, _State.remedy, _State.number = tuple(words), "", signal.SIGINT


def resume_with(*words: str) -> None:
    """Set the command line that resumes the work; without words, the current one with --resume."""
    given = [*_State.words, *([] if "--resume" in _State.words else ["--resume"])]
    command = shlex.join([NAME, *(words or given)])
    _State.remedy = f"finished work is saved; resume with: {command}"


def set_discard_message(what: str) -> None:
    """Set the message shown when an interrupt discards all work."""
    _State.remedy = what


def message() -> str:
    """Return the error line shown after an interrupt."""
    what = {signal.SIGINT: "interrupted"}.get(_State.number, "terminated")
    return f"error: {what}{'; ' * bool(_State.remedy)}{_State.remedy}\n"


def status() -> int:
    """Return the exit status after an interrupt: 130 for Ctrl-C."""
    return 128 + int(_State.number)


# Cleanup


@contextmanager
def removing(folder: Path, name: str = "") -> Iterator[None]:
    """Remove a file when the block is left, or when the process ends inside it.

    Without a name, remove all partial files in the folder: ``*.part``.
    """
    entry = (folder.absolute(), name)
    _State.unfinished.add(entry)
    try:
        yield
    finally:
        _remove([entry])
        _State.unfinished.discard(entry)


def _remove(entries: Iterable[tuple[Path, str]]) -> None:
    """Remove the unfinished files that exist."""
    for folder, name in list(entries):
        with contextlib.suppress(OSError):
            for path in [folder / name] if name else list(folder.glob("*.part")):
                path.unlink(missing_ok=True)


@contextmanager
def killed_on_exit(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Kill a child process when the block is left, or when this process ends inside it."""
    _State.children.add(process)
    try:
        yield
    finally:
        process.kill()
        process.wait()
        _State.children.discard(process)


def end_at_once() -> NoReturn:
    """End this process and its children immediately, with the error line."""
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


# After the command has finished


def finished(status: int) -> None:
    """Record that the command is over; from here on a signal exits at once with this status.

    Python's own shutdown may take a while, for example to join threads that a bot left behind.
    """
    _State.finished = status
    for number in _State.numbers:
        signal.signal(number, _leave)
    atexit.register(_ignore)


def is_finished() -> bool:
    """Return whether the command is over and the process about to exit."""
    return _State.finished is not None


def _leave(_number: int, _frame: FrameType | None) -> None:
    """Exit with the status of the command."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(_State.finished or 0)


def _ignore() -> None:
    """Ignore signals while Python shuts down and drops its handlers."""
    for number in _State.numbers:
        signal.signal(number, signal.SIG_IGN)


# Signals


def on_signal(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt on the first signal; end the process on the second.

    The first signal also ends the process if code is being compiled: the compiler calls Python from
    LLVM, where an exception is lost and leaves a half-compiled function.
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
    """Handle the signals in this block, except those that other code already handles."""
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
    """Wrap an unhandled-exception hook so that it stays silent after an interrupt."""

    def said(problem: Any) -> None:
        if not interrupts.is_requested():
            hook(problem)

    return said


class Watch:
    """A thread that ends the process some time after the first signal, or at the second.

    It works even when the interpreter cannot run handlers, or a bot has installed its own.
    """

    def __init__(self, numbers: set[int]) -> None:
        self._numbers = numbers
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._before = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        self._thread = threading.Thread(target=self._run, daemon=True, name="signals")
        self._thread.start()

    def _run(self) -> None:
        """Wait for signals; each arrives as a byte with its number. 0 stops the thread."""
        came = 0  # the first signal received
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
        """Stop the thread."""
        signal.set_wakeup_fd(self._before)
        os.write(self._write, b"\0")
        self._thread.join()
        os.close(self._read)
        os.close(self._write)


@contextmanager
def sigint_blocked() -> Iterator[None]:
    """Block SIGINT in this block, so that processes started in it never receive it."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)
