"""A review as text: a table of the players, and the decisions that stand out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from monopoly_env.notation import LETTERS
from monopoly_training.review.judge import FINE, MISTAKE
from monopoly_training.review.review import BLUNDER, BLUNDER_PART, GOOD

SIGNS = {"blunder": "??", "mistake": "?", "fine": "!"}


def table_of(found: Mapping[str, Any], bots: Sequence[str]) -> Table:
    """Return a table of each player's accuracy, losses and luck."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in ("player", "bot") if bots else ("player",):
        table.add_column(name, no_wrap=True)
    for name in ("decisions", "accuracy", "lost", "luck", *SIGNS.values()):
        table.add_column(name, justify="right", no_wrap=True)
    for seat, row in enumerate(found["seats"]):
        cells = [row["seat"], *([bots[seat] if seat < len(bots) else ""] if bots else [])]
        cells += [str(row["decisions"]), _percent(row["accuracy"]), _points(-row["lost"])]
        cells += [_points(row["luck"]), *(str(row[k]) for k in ("blunders", "mistakes", "fine"))]
        table.add_row(*cells)
    return table


def phase_table(found: Mapping[str, Any]) -> Table:
    """Return a table of accuracy by phase and player: the fraction of near-lossless decisions."""
    table = Table(title="accuracy by phase", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("phase")
    for row in found["seats"]:
        table.add_column(row["seat"], justify="right", no_wrap=True)
    for phase in phases_of(found):
        scores = [row["phases"].get(phase) for row in found["seats"]]
        cells = [
            "" if s is None else f"{_percent(s['accuracy'])} of {s['decisions']}" for s in scores
        ]
        table.add_row(phase.lower(), *cells)
    return table


def phases_of(found: Mapping[str, Any]) -> list[str]:
    """Return the phases of judged decisions, most frequent first."""
    count: dict[str, int] = {}
    for row in found["seats"]:
        for phase, score in row["phases"].items():
            count[phase] = count.get(phase, 0) + score["decisions"]
    return sorted(count, key=lambda phase: (-count[phase], phase))


def lines_of(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each decision that stands out, in the order of the game."""
    for mark in found["marks"]:
        points = mark["gained"] if mark["kind"] == "fine" else -mark["lost"]
        better = f"; better: {mark['better']}" if mark["better"] else ""
        yield (
            f"move {mark['moment']:>5}  {SIGNS[mark['kind']]:<2}  {_points(points):>6}  "
            f"{LETTERS[mark['seat']]}: {mark['done']}{better}"
        )


def legend(found: Mapping[str, Any]) -> str:
    """Return the meaning of the signs and numbers."""
    return (
        f"points of win probability: ?? lost {100 * BLUNDER:g} or more, or {100 * MISTAKE:g} "
        f"and {100 * BLUNDER_PART:g}% of the probability; ? lost {100 * MISTAKE:g} or more; ! is a deal that gained {100 * FINE:g} or more, or a move so much better than "
        f"veteran's; accurate: lost less than {100 * GOOD:g}; by the value {found['value']}"
    )


def _points(chance: float) -> str:
    """Return a probability in percentage points, with its sign."""
    return f"{100 * chance:+.1f}"


def _percent(part: float | None) -> str:
    return "–" if part is None else f"{100 * part:.0f}%"
