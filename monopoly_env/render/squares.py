"""Draws the forty squares and everything on them."""

from __future__ import annotations

from dataclasses import dataclass

from monopoly_env.engine.board import (
    CHANCE_SQUARES,
    CHEST_SQUARES,
    FREE_PARKING,
    GO,
    GO_TO_JAIL,
    JAIL,
    TAX_SQUARES,
)
from monopoly_env.notation import LETTERS
from monopoly_env.render.board_data import BoardData, Box, Detail
from monopoly_env.render.canvas import Canvas, number
from monopoly_env.render.fitting import fit, fit_line
from monopoly_env.render.scene import Scene, SquareScene

CELL = 82  # side of the Jail cell; visitors stand around it
MARGIN = 4  # between text and a square's edge
GAP = 2  # between tokens
LARGEST_TOKEN = 15
BELOW_CELL = 4  # visitors of the Jail below the cell; more stand beside it


@dataclass(frozen=True, slots=True)
class Parts:
    """The boxes of the parts of a square."""

    band: Box | None
    name: Box
    tokens: Box
    foot: Box


def draw_squares(
    canvas: Canvas, board: BoardData, detail: Detail, scene: Scene, marked: frozenset[int]
) -> None:
    """Draw all squares; those in ``marked`` get a frame."""
    for square, shown in enumerate(scene.squares):
        owner = LETTERS[shown.owner] if shown.owner >= 0 else ""
        canvas.tile(board.boxes[square])
        canvas.open(square=shown.id, owner=owner)
        if not shown.on_board:
            canvas.rect(board.boxes[square].inset(1), "board", "line", 0.4, 3)
        elif board.edges[square] == "corner":
            _corner(canvas, board, detail, scene, square)
        else:
            _square(canvas, board, detail, square, shown)
        if square in marked:
            canvas.rect(board.boxes[square].inset(2.5), "", "accent", 5, 4)
        canvas.close()


def parts_of(board: BoardData, detail: Detail, square: int, banded: bool) -> Parts:
    """Return the boxes of a square's parts; the foot is at the bottom, or at the top edge above."""
    box, edge = board.boxes[square].inset(1), board.edges[square]
    band, deep = None, detail.band if banded else 0.0
    inner = box
    if edge == "left":
        band, inner = (
            Box(box.x + box.w - deep, box.y, deep, box.h),
            Box(box.x, box.y, box.w - deep, box.h),
        )
    elif edge == "right":
        band, inner = Box(box.x, box.y, deep, box.h), Box(box.x + deep, box.y, box.w - deep, box.h)
    elif edge == "top":
        band = Box(box.x, box.y + box.h - deep, box.w, deep)
        inner = Box(box.x, box.y, box.w, box.h - deep)
    elif edge == "bottom":
        band = Box(box.x, box.y, box.w, deep)
        inner = Box(box.x, box.y + deep, box.w, box.h - deep)
    foot_y = inner.y if edge == "top" else inner.y + inner.h - detail.foot
    middle_y = inner.y + detail.foot if edge == "top" else inner.y
    room = inner.h - detail.foot
    named = (0.5 if edge in ("top", "bottom") else 0.44) * room if detail.names else 0.0
    return Parts(
        band=band if banded else None,
        name=Box(inner.x + MARGIN, middle_y + 1, inner.w - 2 * MARGIN, named),
        tokens=Box(inner.x + 2, middle_y + named, inner.w - 4, room - named),
        foot=Box(inner.x, foot_y, inner.w, detail.foot),
    )


def _square(
    canvas: Canvas, board: BoardData, detail: Detail, square: int, shown: SquareScene
) -> None:
    parts = parts_of(board, detail, square, shown.group is not None)
    box = board.boxes[square].inset(1)
    canvas.rect(box, "mortgaged" if shown.mortgaged else "square", "line", 1, 3)
    if parts.band is not None and shown.group is not None:
        canvas.rect(parts.band, board.groups[shown.group], "line", 0.8, 2)
        _buildings(canvas, parts.band, shown)
    else:
        _icon(canvas, square, parts.tokens)
    if detail.names:
        _name(canvas, detail, shown.name, parts.name, muted=shown.mortgaged)
    _foot(canvas, board, detail, shown, parts.foot)
    draw_tokens(canvas, board, parts.tokens, shown.tokens)


def _name(canvas: Canvas, detail: Detail, name: str, box: Box, muted: bool = False) -> None:
    fitted = fit(name, box.w, box.h, detail.name, detail.least)
    canvas.text(fitted, box, "muted" if muted else "ink")


def _foot(canvas: Canvas, board: BoardData, detail: Detail, shown: SquareScene, box: Box) -> None:
    """Draw the owner in the seat's color, the price of an unowned deed, or a tax."""
    size = detail.foot * (0.62 if detail.names else 0.75)
    room = box.w - 2 * MARGIN
    if shown.owner < 0:
        if shown.note and (detail.names or shown.group is None):
            fitted = fit_line(shown.note, room, size, detail.least or size * 0.5)
            canvas.text(fitted, box, "muted")
        return
    seat = board.seats[shown.owner]
    strip = box.inset(1.5)
    letter = LETTERS[shown.owner]
    if shown.mortgaged:
        canvas.rect(strip, "mortgaged", seat.fill, 2.4, 3)
        text = f"{letter} mortgaged" if detail.names else f"{letter} ×"
        canvas.text(fit_line(text, room, size, size * 0.5, True), box, "ink", True)
        return
    canvas.rect(strip, seat.fill, "", 0, 3)
    canvas.text(fit_line(letter, room, size * 1.1, size, True), box, seat.ink, True)


def _buildings(canvas: Canvas, band: Box, shown: SquareScene) -> None:
    """Draw houses side by side, or a hotel as long as two."""
    count = 1 if shown.hotel else shown.houses
    if not count:
        return
    upright = band.h > band.w
    length, depth = max(band.w, band.h), min(band.w, band.h)
    side = min(depth - 6, length / 4 - 4)
    step = side + 3
    start = -(count - 1) / 2 * step
    x, y = band.center
    for k in range(count):
        along = start + k * step
        at = (x, y + along) if upright else (x + along, y)
        canvas.open(building="hotel" if shown.hotel else "house")
        building(canvas, at[0], at[1], side, shown.hotel, upright)
        canvas.close()


def building(
    canvas: Canvas, x: float, y: float, side: float, hotel: bool, upright: bool = False
) -> None:
    """Draw a house or hotel centered on a point."""
    long = side * 2.1 if hotel else side
    w, h = (side, long) if upright and hotel else (long, side)
    left, top, right, low = x - w / 2, y - h / 2, x + w / 2, y + h / 2
    if hotel:
        eaves, slope = top + side * 0.34, side * 0.4
        points = [(left, low), (left, eaves), (left + slope, top), (right - slope, top)]
        if upright:
            points = [(left, low), (left, eaves), (x, top), (right, eaves), (right, low)]
        else:
            points += [(right, eaves), (right, low)]
    else:
        points = [(left, low), (left, top + side * 0.42), (x, top)]
        points += [(right, top + side * 0.42), (right, low)]
    path = "M" + "L".join(f"{number(a)} {number(b)}" for a, b in points) + "Z"
    canvas.path(path, "hotel" if hotel else "house", "building_edge", max(1, side * 0.09))


def draw_tokens(canvas: Canvas, board: BoardData, box: Box, seats: tuple[int, ...]) -> None:
    """Draw tokens in a box, as large as possible."""
    if not seats:
        return
    radius, columns = token_grid(len(seats), box.w, box.h)
    rows = -(-len(seats) // columns)
    x, y = box.center
    step = 2 * radius + GAP
    for k, seat in enumerate(seats):
        row, column = divmod(k, columns)
        in_row = min(columns, len(seats) - row * columns)
        canvas.open(token=LETTERS[seat])
        canvas.disk(
            x + (column - (in_row - 1) / 2) * step,
            y + (row - (rows - 1) / 2) * step,
            radius,
            board.seats[seat],
            LETTERS[seat],
        )
        canvas.close()


def token_grid(count: int, width: float, height: float) -> tuple[float, int]:
    """Return the radius of ``count`` tokens in a box, and how many stand in a row."""
    best = (0.0, 1)
    for columns in range(1, count + 1):
        rows = -(-count // columns)
        across = (width - (columns - 1) * GAP) / columns / 2
        down = (height - (rows - 1) * GAP) / rows / 2
        best = max(best, (min(across, down, LARGEST_TOKEN), -columns))
    return best[0], abs(best[1])


# --- squares that cannot be bought ---


def _icon(canvas: Canvas, square: int, box: Box) -> None:
    x, y = box.center
    size = min(box.h, 40) * 0.9
    if square in CHANCE_SQUARES:
        card(canvas, x, y, size, "deck_0", "?")
    elif square in CHEST_SQUARES:
        card(canvas, x, y, size, "deck_1", "!")
    elif square in TAX_SQUARES:
        half = size * 0.42
        canvas.path(
            f"M{number(x)} {number(y - half)}l{number(half)} {number(half)}l{number(-half)} {number(half)}l{number(-half)} {number(-half)}Z",
            "muted",
            opacity=0.75,
        )
        canvas.line("%", x, y, size * 0.42, "square", True, "middle")


def card(canvas: Canvas, x: float, y: float, height: float, fill: str, sign: str) -> None:
    """Draw a card of a deck."""
    width = height * 0.74
    canvas.rect(
        Box(x - width / 2, y - height / 2, width, height), fill, "building_edge", 1, height * 0.12
    )
    canvas.line(sign, x, y, height * 0.62, "#ffffff", True, "middle")


def _corner(canvas: Canvas, board: BoardData, detail: Detail, scene: Scene, square: int) -> None:
    shown, box = scene.squares[square], board.boxes[square].inset(1)
    canvas.rect(box, "square", "line", 1, 3)
    if square == JAIL:
        _jail(canvas, board, detail, scene, box)
        return
    name_h = 38 if detail.names else 0.0
    tokens = corner_tokens(detail, box)
    icon = Box(box.x, box.y + name_h, box.w, tokens.y + 2 - box.y - name_h)
    if detail.names:
        _corner_name(canvas, detail, shown.name, Box(box.x + 5, box.y + 3, box.w - 10, name_h - 3))
    x, y = icon.center
    if square == GO:
        _arrow(canvas, x, y, 96)
    elif square == GO_TO_JAIL:
        bars(canvas, Box(x - 24, y - 20, 48, 40))
    elif square == FREE_PARKING:
        _parking(canvas, scene, x, y, box)
    draw_tokens(canvas, board, tokens, shown.tokens)


def corner_tokens(detail: Detail, box: Box) -> Box:
    """Return the box for tokens on a corner other than the Jail; ``box`` is the square's."""
    height = 40 if detail.names else 60
    return Box(box.x + 4, box.y + box.h - height - 2, box.w - 8, height)


def jail_tokens(detail: Detail, box: Box) -> tuple[Box, Box, Box]:
    """Return the boxes for tokens in the cell, visiting below it, and visiting beside it."""
    name_h = 19 if detail.names else 0
    lane = Box(box.x, box.y + CELL, box.w, box.h - CELL)
    low = Box(lane.x + 2, lane.y + 1, lane.w - 4, lane.h - name_h - 2)
    left = Box(box.x + 2, box.y + 2, box.w - CELL - 4, box.h - name_h - 4 - low.h)
    return Box(box.x + box.w - CELL, box.y, CELL, CELL), low, left


def _corner_name(canvas: Canvas, detail: Detail, name: str, box: Box) -> None:
    canvas.text(fit(name, box.w, box.h, detail.name * 1.3, detail.least, True, 2), box, "ink", True)


def _arrow(canvas: Canvas, x: float, y: float, length: float) -> None:
    """Draw an arrow to the left, the direction of play from GO."""
    half, head = length / 2, 18
    points = f"M{number(x - half)} {number(y)}l{head} {-head}v{head - 6}h{number(length - head)}v12h{number(head - length)}v{head - 6}Z"
    canvas.path(points, "#df3a3a")


def _parking(canvas: Canvas, scene: Scene, x: float, y: float, box: Box) -> None:
    """Draw the money under Free Parking, or a parking sign if there is none."""
    if scene.pot:
        canvas.open(pot=scene.pot)
        sign = Box(box.x + 12, y - 19, box.w - 24, 38)
        canvas.rect(sign, "house", "building_edge", 1.5, 8)
        canvas.text(fit_line(scene.pot, sign.w - 10, 24, 8, True), sign, "#ffffff", True)
        canvas.close()
        return
    canvas.circle(x, y, 21, "deck_1")
    canvas.line("P", x, y, 28, "#ffffff", True, "middle")


def bars(canvas: Canvas, box: Box) -> None:
    """Draw a barred window."""
    canvas.rect(box, "#f0932b", "", 0, 4)
    step = box.w / 5
    for k in range(1, 5):
        x = box.x + k * step
        canvas.path(
            f"M{number(x)} {number(box.y)}v{number(box.h)}", "", "#1b1f27", max(2, box.w * 0.06)
        )


def _jail(canvas: Canvas, board: BoardData, detail: Detail, scene: Scene, box: Box) -> None:
    """Draw the cell in the inner corner, and the lane for visitors around it."""
    shown = scene.squares[JAIL]
    cell, low, left = jail_tokens(detail, box)
    canvas.rect(cell, "#f0932b", "#1b1f27", 1.5, 3)
    for k in range(1, 6):
        x = cell.x + k * CELL / 6
        canvas.path(f"M{number(x)} {number(cell.y)}v{CELL}", "", "#1b1f27", 2.5, 0.45)
    canvas.open(jail=len(scene.jailed))
    draw_tokens(canvas, board, cell.inset(8), scene.jailed)
    canvas.close()
    if detail.names:
        name = Box(box.x + 4, box.y + box.h - 19, box.w - 8, 16)
        canvas.text(
            fit(shown.name, name.w, name.h, detail.name, detail.least, True, 1), name, "ink", True
        )
    if len(shown.tokens) > BELOW_CELL:
        draw_tokens(canvas, board, left, shown.tokens[BELOW_CELL:])
    draw_tokens(canvas, board, low, shown.tokens[:BELOW_CELL])
