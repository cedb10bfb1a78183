"""What a long command shows while it runs."""

from __future__ import annotations

import io

from monopoly_training.common.progress import Games, Live, NoProgress, clock, speed_and_time_left
from rich.console import Console


def test_times() -> None:
    assert [clock(seconds) for seconds in (0.4, 42, 3723)] == ["0:00", "0:42", "1:02:03"]


def test_speed_and_time_left() -> None:
    assert speed_and_time_left(0.5, 1200, "games", 60.0) == "1,200 games, 20/s, 1:00 left"
    assert speed_and_time_left(0.0, 0, "games", 0.0) == "0 games, 0/s"
    assert speed_and_time_left(0.25, 1, "games", 10.0) == "1 game, 0/s, 0:30 left"


def test_games_are_counted() -> None:
    class Bar(NoProgress):
        shown: float = 0.0

        def update(self, progress: float, facts: str) -> None:
            assert facts
            self.shown = progress

    bar = Bar()
    games = Games(bar, 8)
    games(2)
    games(4)
    assert (games.done, bar.shown) == (6, 0.75)


def test_without_a_terminal_lines_come_now_and_then() -> None:
    text = io.StringIO()
    with Live(Console(file=text)) as progress:
        progress.stage("playing")
        progress.update(0.1, "1 game")
        assert text.getvalue() == ""
        progress._last_line -= 60
        progress.update(0.2, "2 games")
        progress.log("done")
    assert text.getvalue().splitlines() == [" 20%  playing: 2 games", "done"]
