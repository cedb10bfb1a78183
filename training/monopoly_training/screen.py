"""What a long command shows while it runs: a bar with speed and time left, and lines that stay."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

BETWEEN_LINES = 10.0  # seconds, where there is no terminal to draw a bar on


class Screen(Protocol):
    """Where a run shows how far it is."""

    def doing(self, what: str) -> None:
        """Name what is going on."""

    def update(self, progress: float, count: int, seconds: float) -> None:
        """Show how much is done (0 to 1), of what number of steps or games, in what time."""

    def say(self, text: str) -> None:
        """Show a line that stays."""


class Quiet:
    """Shows nothing."""

    def doing(self, what: str) -> None:
        """Show nothing."""

    def update(self, progress: float, count: int, seconds: float) -> None:
        """Show nothing."""

    def say(self, text: str) -> None:
        """Show nothing."""


class Live:
    """A bar on a terminal; elsewhere a line every ten seconds. Use it in a ``with`` block."""

    def __init__(self, unit: str = "steps", console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        self.unit = unit
        self._last_line = time.monotonic()
        self._what = ""
        self._bar = Progress(
            TextColumn("{task.description:<12}"),
            BarColumn(),
            TaskProgressColumn(),
            TextColumn("{task.fields[facts]}"),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self._task = self._bar.add_task("", total=1.0, facts="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def doing(self, what: str) -> None:
        """Name what is going on."""
        if what == self._what:
            return
        self._what = what
        self._bar.update(self._task, description=what)
        if not self.console.is_terminal and what.startswith("compiling"):
            self.say(f"{what} …")

    def update(self, progress: float, count: int, seconds: float) -> None:
        """Move the bar on."""
        facts = self._facts(progress, count, seconds)
        self._bar.update(self._task, completed=progress, facts=facts)
        now = time.monotonic()
        if not self.console.is_terminal and now - self._last_line > BETWEEN_LINES:
            self._last_line = now
            self.say(f"{self._what} {100 * progress:3.0f} %  {facts}")

    def _facts(self, progress: float, count: int, seconds: float) -> str:
        speed = count / seconds if seconds > 0 else 0.0
        left = f", {clock(seconds * (1 - progress) / progress)} left" if progress > 0.01 else ""
        return f"{count:,} {self.unit}, {speed:,.0f}/s{left}"

    def say(self, text: str) -> None:
        """Show a line that stays."""
        self._bar.console.print(text, highlight=False)


class Games:
    """Counts finished games and moves a bar: what players of games take as ``progress``."""

    def __init__(self, screen: Screen, total: int) -> None:
        self.screen = screen
        self.total = total
        self.done = 0
        self._began = time.perf_counter()
        screen.doing("compiling the rules, once a machine")

    def __call__(self, finished: int) -> None:
        """So many more games are over."""
        if self.done == 0:
            self.screen.doing("playing")
        self.done += finished
        self.screen.update(self.done / self.total, self.done, time.perf_counter() - self._began)


def clock(seconds: float) -> str:
    """A time as 0:42 or 1:02:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def percent(share: float) -> str:
    """A share as 12.3 %."""
    return f"{100 * share:.1f} %"
