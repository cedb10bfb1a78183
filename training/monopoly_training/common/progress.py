"""Progress of long commands: a bar with speed and time left, and log lines."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol, Self

from rich import progress as bars
from rich.console import Console

from monopoly_training.common.console import new_console

BETWEEN_LINES = 10.0  # seconds between lines when there is no terminal for a bar


class Progress(Protocol):
    """Interface through which a run reports its progress."""

    def stage(self, what: str) -> None:
        """Name the current stage."""

    def update(self, progress: float, facts: str) -> None:
        """Report the completed fraction (0 to 1) and a short status text."""

    def log(self, text: str) -> None:
        """Print a permanent line."""


class NoProgress:
    """A Progress that shows nothing."""

    def stage(self, what: str) -> None:
        """Show nothing."""

    def update(self, progress: float, facts: str) -> None:
        """Show nothing."""

    def log(self, text: str) -> None:
        """Show nothing."""


class Live:
    """A progress bar on a terminal, or a line every ten seconds elsewhere. A context manager.

    Everything goes to standard error; standard output is reserved for results.
    """

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or new_console(stderr=True)
        self._last_line = time.monotonic()
        self._what = ""
        self._bar = bars.Progress(
            bars.TextColumn("{task.description}", markup=False),
            bars.BarColumn(),
            bars.TaskProgressColumn(),
            bars.TextColumn("{task.fields[facts]}", markup=False),
            console=self.console,
            transient=True,
        )
        self._task = self._bar.add_task("", total=1.0, facts="")
        self._moves = False  # whether the bar is shown; it appears at the first update

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._moves:
            self._bar.stop()

    def stage(self, what: str) -> None:
        """Name the current stage."""
        self._what = what
        if self._moves:
            self._bar.update(self._task, description=what)

    def update(self, progress: float, facts: str) -> None:
        """Advance the bar."""
        if self.console.is_terminal:
            if not self._moves:
                self._moves = True
                self._bar.start()
            self._bar.update(self._task, description=self._what, completed=progress, facts=facts)
            return
        now = time.monotonic()
        if now - self._last_line > BETWEEN_LINES:
            self._last_line = now
            self.log(f"{100 * progress:3.0f}%  {self._what}: {facts}")

    def log(self, text: str) -> None:
        """Print a permanent line."""
        self._bar.console.print(text, highlight=False, soft_wrap=True)


class Games:
    """A callback that counts finished games and advances a progress bar."""

    def __init__(self, progress: Progress, total: int, what: str = "playing") -> None:
        self.progress = progress
        self.total = total
        self.done = 0
        self._began = time.perf_counter()
        progress.stage(what)

    def __call__(self, finished: int) -> None:
        """Add ``finished`` games."""
        self.done += finished
        share = self.done / self.total
        self.progress.update(
            share, speed_and_time_left(share, self.done, "games", time.perf_counter() - self._began)
        )


def speed_and_time_left(progress: float, count: int, unit: str, seconds: float) -> str:
    """Format a count with its rate and the estimated time left."""
    speed = count / seconds if seconds > 0 else 0.0
    left = f", {clock(seconds * (1 - progress) / progress)} left" if progress > 0.01 else ""
    return f"{count:,} {unit if count != 1 else unit.removesuffix('s')}, {speed:,.0f}/s{left}"


def clock(seconds: float) -> str:
    """Format a time as 0:42 or 1:02:03."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def percent(share: float) -> str:
    """Format a share as 12.3%."""
    return f"{100 * share:.1f}%"
