"""Score tables for the terminal and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from monopoly_training.behavior.summary import Behavior, behavior_rows
from monopoly_training.common.progress import percent
from monopoly_training.stats.bootstrap import Interval
from monopoly_training.stats.win_rates import Score


def as_row(agent: str, score: Score, **more: Any) -> dict[str, Any]:
    """Return one CSV row; ``more`` columns come first."""
    low, high = score.ci95
    return {
        **more,
        "agent": agent,
        "games": score.games,
        "wins": score.wins,
        "win_rate": score.win_rate,
        "win_rate_finished": score.win_rate_finished,
        "ci95_low": low,
        "ci95_high": high,
        "mean_rank": score.mean_rank,
        "truncated": score.truncated,
    }


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Format rows as CSV with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def score_table(
    title: str,
    head: Sequence[str],
    rows: Sequence[tuple[Sequence[str], Score]],
    faults: Sequence[int] | None = None,
    by_seed: Sequence[Interval | None] | None = None,
) -> Table:
    """Build a terminal table; ``head`` names the first columns, and each row gives their texts.

    The column ``finished`` is the win rate over games that no limit ended. ``faults`` are the
    decisions of each row that the fallback rule settled; the column is shown if there are any.
    ``by_seed`` are bootstrap intervals over seeds, shown instead of Wilson intervals.
    """
    shows_faults = faults is not None and any(faults)
    table = Table(
        title=title,
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=shows_faults,  # makes room for the extra column at the same width
    )
    for name in head:
        table.add_column(name, overflow="fold")
    ends = "95% interval" if by_seed is None else "95% by seed"
    for name in ("games", "wins", ends, "finished", "rank", "truncated"):
        table.add_column(name, justify="right", no_wrap=True)
    if shows_faults:
        table.add_column("faults", justify="right", no_wrap=True)
    for number, (texts, score) in enumerate(rows):
        finished = score.win_rate_finished
        table.add_row(
            *texts,
            f"{score.games:,}",
            percent(score.win_rate),
            interval(score.ci95 if by_seed is None else interval_to_show(score, by_seed[number])),
            "–" if finished is None else percent(finished),
            f"{score.mean_rank:.2f}",
            percent(score.truncated / score.games),
            *([f"{faults[number]:,}"] if faults is not None and shows_faults else []),
        )
    return table


def plain_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Build a terminal table whose first column names the rows."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    for number, name in enumerate(head):
        table.add_column(name, justify="right" if number else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table


def behavior_table(behaviors: Mapping[str, Behavior]) -> Table:
    """Build a terminal table of behavior statistics, one row per figure."""
    title = "Behavior (see docs/judging.md)"
    return plain_table(title, ("figure", *behaviors), behavior_rows(list(behaviors.values())))


def interval_to_show(score: Score, by_seed: Interval | None) -> Interval:
    """Return the interval over seeds, or Wilson's if there is none or it has zero width."""
    if by_seed is None or by_seed[0] == by_seed[1]:
        return score.ci95
    return by_seed


def interval(ends: tuple[float, float]) -> str:
    """Format an interval of shares as 12.3 to 45.6%."""
    return f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f}%"
