"""Format the scores of the suite as a table."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from monopoly_training.suite.scoring import KindScore, SuiteScore


def points(chance: float) -> str:
    """Format a probability in percentage points: ``1.25``."""
    return f"{100 * chance:.2f}"


def interval_text(score: KindScore) -> str:
    """Format the interval of a loss: ``1.02 to 1.48``."""
    return "" if score.interval is None else " to ".join(map(points, score.interval))


def time_text(seconds: float) -> str:
    """Format a time as ``12 µs``, ``3.4 ms`` or ``1.2 s``; empty if not measured."""
    if seconds <= 0:
        return ""
    if seconds < 1e-3:
        return f"{1e6 * seconds:.0f} µs"
    return f"{1e3 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"


def table_of(scored: SuiteScore) -> Table:
    """Build a table with a row for each kind of decision."""
    table = Table(
        title=f"{scored.agent}: win probability lost per decision, in points",
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("kind", no_wrap=True)
    for name in ("decisions", "lost", "95%", "at random", "agrees", "illegal", "time"):
        table.add_column(name, justify="right", no_wrap=True)
    for kind, one in scored.kinds.items():
        table.add_row(
            kind,
            f"{one.decisions:,}",
            points(one.loss),
            interval_text(one),
            points(one.by_chance),
            f"{100 * one.agreement:.0f}%",
            str(one.illegal),
            time_text(one.seconds),
        )
    return table
