"""The board of an edition for pages: static SVG, and the places of everything else.

The markup comes from the drawing of :mod:`monopoly_env.render`, with colors as CSS variables, so
that pages and pictures look alike in both themes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from monopoly_env.editions import Edition
from monopoly_env.engine.board import GROUP_SQUARES, JAIL, SPACES
from monopoly_env.game import Game
from monopoly_env.render.board_data import BoardData, Box, board_data
from monopoly_env.render.canvas import Canvas
from monopoly_env.render.scene import Scene, scene_of
from monopoly_env.render.squares import corner_tokens, draw_squares, jail_tokens, parts_of


def board_layer(edition: Edition) -> dict[str, Any]:
    """Return everything about the board that a page needs, as plain data.

    ``details`` holds, for each level of detail, the markup of each square with no player and no
    owner, and the boxes of its parts as [x, y, w, h].
    """
    board = board_data()
    scene = _empty(edition)
    return {
        "size": board.size,
        "corner": board.corner,
        "font": board.font,
        "small_below": board.small_below,
        "seats": [{"fill": seat.fill, "ink": seat.ink} for seat in board.seats],
        "groups": board.groups,
        "themes": board.themes,
        "edges": list(board.edges),
        "boxes": [_numbers(box) for box in board.boxes],
        "group_squares": [
            [square for square in squares if scene.squares[square].on_board]
            for squares in GROUP_SQUARES
        ],
        "squares": [
            {
                "id": shown.id,
                "name": shown.name,
                "group": shown.group if shown.on_board else None,
                "note": shown.note,
            }
            for shown in scene.squares
        ],
        "details": {name: _detail(board, scene, name) for name in board.details},
    }


def _empty(edition: Edition) -> Scene:
    """Return a scene of the board without players."""
    scene = scene_of(Game(edition, 2, 0, journal=False).state.reshape(1), edition)
    return replace(
        scene, squares=tuple(replace(shown, tokens=()) for shown in scene.squares), jailed=()
    )


def _detail(board: BoardData, scene: Scene, name: str) -> dict[str, Any]:
    detail = board.details[name]
    canvas = Canvas({color: f"var(--{color})" for color in next(iter(board.themes.values()))})
    draw_squares(canvas, board, detail, scene, frozenset())
    rows = []
    for square in range(SPACES):
        parts = parts_of(board, detail, square, scene.squares[square].group is not None)
        tokens = parts.tokens
        if board.edges[square] == "corner":
            tokens = corner_tokens(detail, board.boxes[square].inset(1))
        rows.append(
            {
                "svg": "".join(canvas.tiles[square].parts),
                "band": None if parts.band is None else _numbers(parts.band),
                "tokens": _numbers(tokens),
                "foot": _numbers(parts.foot),
            }
        )
    jail = jail_tokens(detail, board.boxes[JAIL].inset(1))
    return {
        "names": detail.names,
        "foot": detail.foot,
        "squares": rows,
        "jail": [_numbers(box) for box in (jail[0].inset(8), *jail[1:])],
    }


def _numbers(box: Box) -> list[float]:
    return [round(value, 2) for value in (box.x, box.y, box.w, box.h)]
