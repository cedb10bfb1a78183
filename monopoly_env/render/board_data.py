"""The board as data: where squares lie, and what color things have. A web page reads it too."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "board.json"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, in units of which the board is 1,000 wide."""

    x: float
    y: float
    w: float
    h: float

    @property
    def center(self) -> tuple[float, float]:
        """Its middle."""
        return self.x + self.w / 2, self.y + self.h / 2

    def inset(self, by: float) -> Box:
        """Return the same with a margin."""
        return Box(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of a square is drawn: depths of its parts, sizes of its text."""

    band: float  # of the group's color
    foot: float  # for the price or the owner
    name: float  # the largest size of a name
    least: float  # the smallest
    names: bool  # whether names are drawn at all


@dataclass(frozen=True, slots=True)
class Seat:
    """The color of a player, and of what is written on it."""

    fill: str
    ink: str


@dataclass(frozen=True, slots=True)
class BoardData:
    """All of board.json."""

    size: float
    corner: float
    font: str
    small_below: int  # pixels; smaller pictures leave names out
    details: dict[str, Detail]
    seats: tuple[Seat, ...]
    groups: dict[str, str]
    themes: dict[str, dict[str, str]]
    edges: tuple[str, ...]  # by square: corner, bottom, left, top, right
    boxes: tuple[Box, ...]  # by square


@lru_cache(maxsize=1)
def board_data() -> BoardData:
    """Return the board, read once."""
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return BoardData(
        size=data["size"],
        corner=data["corner"],
        font=data["font"],
        small_below=data["small_below"],
        details={name: Detail(**values) for name, values in data["details"].items()},
        seats=tuple(Seat(**seat) for seat in data["seats"]),
        groups=data["groups"],
        themes=data["themes"],
        edges=tuple(square["edge"] for square in data["squares"]),
        boxes=tuple(Box(*square["box"]) for square in data["squares"]),
    )
