"""The board as a text map: two lines per square, plain or in color."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from monopoly_env.editions import Edition, Names
from monopoly_env.engine.board import DEEDS, GROUP, GROUP_IDS, HOTEL, JAIL, NOBODY
from monopoly_env.notation import LETTERS
from monopoly_env.render.board_data import board_data

if TYPE_CHECKING:
    from rich.text import Text

CELL = 8  # characters per square
SIDE = 10  # squares from corner to corner
Span = tuple[str, str]  # text and its color, which may be empty
LEGEND = (
    "B     B owns it",
    "B3    3 {houses}; BH: 1 {hotel}",
    "B*    mortgaged",
    "@A    A stands there; (A): in Jail",
)


def map_lines(state: Any, edition: Edition) -> list[str]:
    """Return the map of a GAME record as plain lines of at most 98 characters."""
    return ["".join(text for text, _ in line).rstrip() for line in _spans(state, edition)]


def map_text(state: Any, edition: Edition) -> Text:
    """Return the map in the colors of the groups and seats, for rich."""
    from rich.text import Text

    text = Text(no_wrap=True, overflow="ignore")
    for line in _spans(state, edition):
        for part, color in line:
            text.append(part, style=color)
        text.append("\n")
    return text


def _spans(state: Any, edition: Edition) -> list[list[Span]]:
    """Return the lines of the map as colored spans, two per rank of squares, from the top."""
    names, route = edition.names, frozenset(edition.route)
    lines: list[list[Span]] = []
    for rank in range(SIDE + 1):
        if rank == 0:
            row: list[int | None] = list(range(20, 31))
        elif rank == SIDE:
            row = list(range(10, -1, -1))
        else:
            row = [20 - rank, *[None] * (SIDE - 1), 30 + rank]
        cells = [_cell(state, names, square if square in route else None) for square in row]
        for k in range(2):
            line: list[Span] = []
            for upper_lower in cells:
                line += [*upper_lower[k], (" ", "")]
            lines.append(_explained(line, rank, k, names))
    return lines


def _explained(line: list[Span], rank: int, k: int, names: Names) -> list[Span]:
    """Return a line with a part of the legend in its empty middle."""
    number = 2 * (rank - 4) + k
    if not 0 <= number < len(LEGEND):
        return line
    room = (CELL + 1) * (SIDE - 1)
    legend = LEGEND[number].format(houses=names.houses, hotel=names.hotel)
    middle = f"   {legend}".ljust(room)
    left: list[Span] = []
    right: list[Span] = []
    seen = 0
    for part in line:
        (left if seen < CELL + 1 else right).append(part)
        seen += len(part[0])
    return [*left, (middle, ""), *_after(right, room)]


def _after(parts: list[Span], room: int) -> list[Span]:
    """Return the spans after the first ``room`` characters."""
    seen = 0
    kept = []
    for part in parts:
        if seen >= room:
            kept.append(part)
        seen += len(part[0])
    return kept


def _cell(state: Any, names: Names, square: int | None) -> tuple[list[Span], list[Span]]:
    """Return two lines of spans: the name of a square, and what is on it; None is blank."""
    if square is None:
        return [(" " * CELL, "")], [(" " * CELL, "")]
    color = board_data().groups[GROUP_IDS[GROUP[square]]] if square in DEEDS else ""
    name = names.space(square)[:CELL].ljust(CELL)
    owner = int(state["owner"][square]) if square in DEEDS else NOBODY
    mark = ""
    if owner != NOBODY:
        level = int(state["level"][square])
        mortgaged = int(state["mortgaged"]) >> square & 1
        sign = "*" if mortgaged else "H" if level == HOTEL else str(level) if level else ""
        mark = LETTERS[owner] + sign
    there = _tokens(state, square, CELL - len(mark) - bool(mark))
    below = [(mark, board_data().seats[owner].fill if mark else "")]
    rest = (f" {there}" if mark and there else there).ljust(CELL - len(mark))
    return [(name, color)], [*below, (rest, "bold" if there else "")]


def _tokens(state: Any, square: int, room: int) -> str:
    """Return the players on a square; those in Jail are in parentheses."""
    seats = [
        seat
        for seat in range(int(state["players"]))
        if not state["out"][seat] and state["position"][seat] == square
    ]
    inmates = "".join(LETTERS[s] for s in seats if square == JAIL and state["in_jail"][s])
    others = "".join(LETTERS[s] for s in seats if not (square == JAIL and state["in_jail"][s]))
    text = (f"({inmates})" if inmates else "") + (f"@{others}" if others else "")
    return text if len(text) <= room else text[: room - 1] + "+"
