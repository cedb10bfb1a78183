"""A subprocess that exchanges lines over pipes, with a timeout on every wait."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import time
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from monopoly_agents.external.orphan_guard import guard, kill_group, release
from monopoly_env.errors import CopyError

MAX_LINE = 1 << 16  # maximum bytes of an answer
BLOCK = 1 << 16  # bytes read at a time
TAIL = 2000  # bytes of standard error that are kept
GRACE = 1.0  # seconds to exit after its input was closed
EXIT_DELAY = 0.02  # seconds from a closed pipe to the exit status


class Fault(Exception):  # noqa: N818  (an event to count)
    """A program gave no usable answer; ``kind`` is how it is counted."""

    kind = "illegal"


class Crashed(Fault):
    """The program has exited, or closed its input or output."""

    kind = "crashed"


class TimedOut(Fault):
    """No answer arrived in time."""

    kind = "timed_out"


class OutOfStep(Fault):
    """The program wrote something other than an answer, so later lines match no question."""


class BotProcess:
    """A running program in its own process group, which ends with this object.

    Args:
        words: the program and its arguments; no shell is used.
        log: file for its standard error; None keeps the last lines for messages.

    Raises: OSError if it cannot be started.
    """

    def __init__(self, words: Sequence[str], log: str | None = None) -> None:
        self._selector = selectors.DefaultSelector()
        with contextlib.ExitStack() as stack:
            errors = stack.enter_context(Path(log).open("ab")) if log else subprocess.PIPE
            self._process = process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                start_new_session=True,
            )
        self.stop = weakref.finalize(self, _end, process, self._selector, os.getpid())
        guard(process.pid)
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output, self._errors = process.stdin, process.stdout, process.stderr
        self._outbox = b""
        self._inbox = b""
        self._errors_tail = b""  # the last bytes of standard error
        self._watch_pipes()

    def __reduce__(self) -> NoReturn:
        raise CopyError("its program runs, and there is only one of it")

    def _watch_pipes(self) -> None:
        """Make the pipes nonblocking and register them with the selector."""
        os.set_blocking(self._input.fileno(), False)
        for pipe in (self._output, self._errors):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                self._selector.register(pipe, selectors.EVENT_READ)

    # --- lines ---

    def post(self, line: bytes) -> None:
        """Send a line; what the pipe does not accept now is sent with the next question."""
        self._outbox += line
        self._exchange(0)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Send a line and wait for one line back. Raises: Fault."""
        deadline = time.monotonic() + seconds
        self._exchange(0)
        if self._inbox:
            raise OutOfStep("it wrote a line that nobody had asked for")
        self._outbox += line
        while True:
            answer, newline, unread = self._inbox.partition(b"\n")
            if len(answer) > MAX_LINE:
                raise OutOfStep(f"its answer has more than {MAX_LINE} bytes")
            if newline:
                self._inbox = unread
                return answer
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimedOut(f"no answer in {seconds:.3g} seconds")
            self._exchange(left)

    def discard_output(self) -> bool:
        """Discard unsolicited output between games; return whether the process is still running."""
        try:
            for _ in range(16):  # bounded, in case of endless output
                self._inbox = b""
                self._exchange(0)
                if not self._inbox:
                    break
        except Crashed:
            return False
        return True

    def say_goodbye(self, line: bytes) -> None:
        """Send a last line, close its input, and give it a moment to exit."""
        with contextlib.suppress(Crashed):
            self.post(line)
            self._wait_to_write(False)
            self._input.close()
            end = time.monotonic() + GRACE
            while (left := end - time.monotonic()) > 0:
                self._exchange(left)
                self._inbox = b""
        self.stop()

    # --- the pipes ---

    def _exchange(self, seconds: float) -> None:
        """Wait up to ``seconds`` for any pipe, then read and write once."""
        self._wait_to_write(bool(self._outbox))
        for key, _ in self._selector.select(seconds):
            if key.fileobj is self._input:
                self._write()
            elif key.fileobj is self._output:
                self._read()
            else:
                self._read_errors()

    def _wait_to_write(self, waiting: bool) -> None:
        """Watch the input pipe only while there is something to write."""
        if self._input.closed:
            return
        registered = self._input in self._selector.get_map()
        if waiting and not registered:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        elif registered and not waiting:
            self._selector.unregister(self._input)

    def _write(self) -> None:
        try:
            written = os.write(self._input.fileno(), self._outbox[:BLOCK])
        except BrokenPipeError:
            raise self._crashed("it closed its input") from None
        self._outbox = self._outbox[written:]

    def _read(self) -> None:
        block = os.read(self._output.fileno(), BLOCK)
        if not block:
            raise self._crashed("it closed its output")
        self._inbox += block

    def _read_errors(self) -> None:
        """Keep the end of standard error, without blocking if there is none."""
        if self._errors is None:
            return
        with contextlib.suppress(BlockingIOError):
            block = os.read(self._errors.fileno(), BLOCK)
            if not block and self._errors in self._selector.get_map():
                self._selector.unregister(self._errors)
            self._errors_tail = (self._errors_tail + block)[-TAIL:]

    def _crashed(self, how: str) -> Crashed:
        """Return the fault, with the exit status and the last line of standard error, if any."""
        time.sleep(EXIT_DELAY)
        self._read_errors()
        self.stop()
        status = self._process.returncode
        if status >= 0:
            how = f"it ended with status {status}"
        elif status != -9:
            how = f"signal {-status} ended it"
        last = self._errors_tail.decode(errors="replace").strip().rpartition("\n")[2]
        return Crashed(f"{how}: {last}" if last else how)


def _end(process: subprocess.Popen[bytes], selector: selectors.BaseSelector, owner: int) -> None:
    """Kill a process with its children, and reap it.

    The group is killed first: until the process is reaped, its id cannot be reused.
    """
    if os.getpid() != owner:  # in a forked copy of the object
        return
    kill_group(process.pid)
    process.wait()
    release(process.pid)
    selector.close()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
