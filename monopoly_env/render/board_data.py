"""The geometry and colors of the board, from board.json, which the web page also reads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "board.json"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, in units of 1/1000 of the board's width."""

    x: float
    y: float
    w: float
    h: float

    @property
    def center(self) -> tuple[float, float]:
        """The center of the rectangle."""
        return self.x + self.w / 2, self.y + self.h / 2

    def inset(self, by: float) -> Box:
        """Return the rectangle with a margin inside."""
        return Box(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)


@dataclass(frozen=True, slots=True)
class Detail:
    """The level of detail of a square: the depth of its parts, the size of its text."""

    band: float  # depth of the color band
    foot: float  # height of the price or owner
    name: float  # largest font size of a name
    least: float  # smallest font size of a name
    names: bool  # whether names are drawn at all


@dataclass(frozen=True, slots=True)
class Seat:
    """The colors of a player: of the token, and of text on it."""

    fill: str
    ink: str


@dataclass(frozen=True, slots=True)
class BoardData:
    """The content of board.json."""

    size: float
    corner: float
    font: str
    small_below: int  # pixels; smaller pictures omit names
    details: dict[str, Detail]
    seats: tuple[Seat, ...]
    groups: dict[str, str]
    themes: dict[str, dict[str, str]]
    edges: tuple[str, ...]  # by square: corner, bottom, left, top, right
    boxes: tuple[Box, ...]  # by square


@lru_cache(maxsize=1)
def board_data() -> BoardData:
    """Return the board; it is read once."""
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
