"""Draws a position as SVG: the board, the current decision in its middle, and the players."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from monopoly_env.editions import Edition
from monopoly_env.engine.board import SPACE_IDS, SPACES
from monopoly_env.errors import InputError, NoSuchItem, show, suggest
from monopoly_env.integers import as_int
from monopoly_env.render.board_data import BoardData, Box, Detail, board_data
from monopoly_env.render.canvas import Canvas, Picture
from monopoly_env.render.center import draw_decision, draw_table, draw_title
from monopoly_env.render.panel import draw_events, draw_players
from monopoly_env.render.scene import Scene, scene_of
from monopoly_env.render.squares import draw_squares

Size = int | tuple[int, int]
SMALLEST, LARGEST = 200, 4096  # pixels
ASIDE = 1.3  # from this aspect ratio on, the players are beside the board
PAD = 12  # padding around the parts of a picture
EVENTS_FROM = 50  # minimum height for the events


def draw(
    games: Any,
    edition: Edition,
    events: Iterable[object] = (),
    highlight: Iterable[str | int] | None = None,
    size: Size = 800,
    theme: str = "light",
) -> Picture:
    """Return a picture of the first of ``games``; parameters as for :func:`monopoly_env.svg`."""
    width, height = check_size(size)
    colors = check_theme(theme)
    marked = _marked(highlight)
    scene = scene_of(games, edition, tuple(map(str, events)))
    if highlight is None:
        marked = frozenset(scene.decision.squares)
    board = board_data()
    detail = board.details["small" if min(width, height) < board.small_below else "full"]
    canvas = Canvas(colors)
    units = _lay_out(canvas, board, detail, scene, marked, (width, height))
    title = f"{scene.title}: {scene.clock}. {scene.decision.headline}"
    return Picture(width, height, units, board.font, title, canvas.tiles)


def check_size(size: object, parameter: str = "size") -> tuple[int, int]:
    """Return width and height in pixels, from a number or a pair. Raises: InputError."""
    location = InputError.at(parameter)
    pair = size if isinstance(size, tuple | list) else (size, size)
    numbers = [as_int(side) for side in pair]
    if len(numbers) != 2 or any(n is None or not SMALLEST <= n <= LARGEST for n in numbers):
        location.fail(
            f"must be pixels from {SMALLEST} to {LARGEST}, or a pair (width, height), "
            f"not {show(size)}"
        )
    return int(numbers[0] or 0), int(numbers[1] or 0)


def check_theme(theme: object, parameter: str = "theme") -> dict[str, str]:
    """Return the colors of a theme by name. Raises: NoSuchItem."""
    themes = board_data().themes
    if not isinstance(theme, str) or theme not in themes:
        NoSuchItem.at(parameter).fail(f"must be one of {', '.join(themes)}, not {show(theme)}")
    return themes[theme]


def _marked(highlight: Iterable[str | int] | None) -> frozenset[int]:
    """Return squares given by id or number. Raises: NoSuchItem."""
    if highlight is None:
        return frozenset()
    location = NoSuchItem.at("highlight")
    if isinstance(highlight, str | int | np.integer):
        highlight = [highlight]
    try:
        wanted = list(highlight)
    except TypeError:
        location.fail(f"must be a list of spaces, not {show(highlight)}")
    squares = set()
    for space in wanted:
        if isinstance(space, str):
            if space not in SPACE_IDS:
                location.fail(f"no space {show(space)}; {suggest(space[:50], SPACE_IDS)}")
            squares.add(SPACE_IDS.index(space))
        else:
            squares.add(location.index(space, 0, SPACES - 1))
    return frozenset(squares)


def _lay_out(
    canvas: Canvas,
    board: BoardData,
    detail: Detail,
    scene: Scene,
    marked: frozenset[int],
    pixels: tuple[int, int],
) -> tuple[float, float]:
    """Draw everything; return the size of the picture in units."""
    width, height = pixels
    side = board.size + 2 * PAD
    shape = width / height
    wide, tall = shape >= ASIDE, shape <= 1 / ASIDE
    units = (side * max(1.0, shape), side / min(1.0, shape))
    whole = Box(0, 0, *units)
    canvas.tile(whole, 0)
    canvas.rect(whole, "paper")
    offset = ((units[0] - board.size) / 2, (units[1] - board.size) / 2)
    if wide or tall:
        offset = (PAD, PAD)
    canvas.rect(Box(*offset, board.size, board.size), "board", "line", 1.5, 6)
    canvas.shift = offset
    draw_squares(canvas, board, detail, scene, marked)
    _middle(canvas, board, detail, scene, aside=wide or tall)
    canvas.shift = (0.0, 0.0)
    if wide:
        box = Box(side, PAD, units[0] - side - PAD, board.size)
        draw_players(canvas, board, scene, box)
    elif tall:
        box = Box(PAD, side, board.size, units[1] - side - PAD)
        draw_players(canvas, board, scene, box, 1 if box.h / len(scene.players) >= 38 else 2)
    return units


def _middle(canvas: Canvas, board: BoardData, detail: Detail, scene: Scene, aside: bool) -> None:
    """Draw the area inside the ring of squares; ``aside``: the players are outside it."""
    edge = board.corner + PAD
    inner = Box(edge, edge, board.size - 2 * edge, board.size - 2 * edge)
    y = inner.y
    if detail.names:
        draw_title(canvas, scene, Box(inner.x + 4, y, inner.w - 8, 38))
        y += 44
    table = 104.0 if detail.names else 120.0
    draw_table(canvas, board, detail, scene, Box(inner.x + 4, y, inner.w - 8, table))
    y += table + 6
    low = inner.y + inner.h
    if not aside:
        rows = _players_height(detail, len(scene.players))
        columns = 1 if detail.names else 2
        draw_players(canvas, board, scene, Box(inner.x, low - rows, inner.w, rows), columns)
        low -= rows + 8
    room = low - y
    height = min(room, _decision_height(scene, detail))
    if room - height < EVENTS_FROM:
        height = room
    draw_decision(canvas, board, detail, scene, Box(inner.x, y, inner.w, height))
    y += height + PAD
    draw_events(canvas, scene, Box(inner.x + 8, y, inner.w - 16, low - y))


def _decision_height(scene: Scene, detail: Detail) -> float:
    """Return the height that a decision needs."""
    decision = scene.decision
    if not detail.names:
        return 400.0
    if decision.sides:
        most = max(len(side.items) for side in decision.sides)
        return 150.0 + 26 * max(3, most)
    if decision.bidders:
        return 250.0
    return 190.0 if decision.square is not None else 150.0


def _players_height(detail: Detail, players: int) -> float:
    """Return the height of the players inside the ring."""
    if detail.names:
        return min(players * 60.0, 344.0)
    return -(-players // 2) * 70.0
