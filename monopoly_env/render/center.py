"""Draws the middle of the board: dice, decks, Bank, and the current decision."""

from __future__ import annotations

from monopoly_env.engine.board import SPACES
from monopoly_env.notation import LETTERS
from monopoly_env.render.board_data import BoardData, Box, Detail
from monopoly_env.render.canvas import Canvas
from monopoly_env.render.decision import Decision, Side
from monopoly_env.render.fitting import LINE, fit, fit_line
from monopoly_env.render.scene import Scene
from monopoly_env.render.squares import building, card

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw_title(canvas: Canvas, scene: Scene, box: Box) -> None:
    """Draw the edition and the turn number."""
    canvas.tile(box)
    clock = fit_line(scene.clock, box.w * 0.42, box.h * 0.5, 8)
    canvas.text(clock, box, "muted", anchor="right")
    title = fit_line(scene.title, box.w * 0.55, box.h * 0.72, 9, True)
    canvas.text(title, box, "ink", True, "left")


def draw_table(canvas: Canvas, board: BoardData, detail: Detail, scene: Scene, box: Box) -> None:
    """Draw a row with the dice, the player to move, both decks, and the Bank's buildings."""
    canvas.tile(box)
    die = box.h * 0.62
    y = box.y + box.h / 2
    x = box.x
    for pips in scene.dice:
        draw_die(canvas, Box(x, y - die / 2, die, die), pips)
        x += die * 1.16
    x += box.h * 0.12
    if not detail.names:
        _whose_turn(canvas, board, scene, Box(x, box.y, box.x + box.w - x, box.h))
        return
    each = (box.x + box.w - x) / 4
    _whose_turn(canvas, board, scene, Box(x, box.y, each, box.h))
    for pile, (name, left) in enumerate(scene.decks):
        tile = Box(x + each * (1 + pile), box.y, each, box.h)
        middle, top = tile.center[0], box.y + box.h * 0.34
        canvas.open(deck=pile, cards=left)
        card(canvas, middle - box.h * 0.26, top, box.h * 0.5, f"deck_{pile}", "?!"[pile])
        canvas.line(str(left), middle, top, box.h * 0.3, "ink", True)
        canvas.close()
        foot = Box(tile.x + 2, box.y + box.h * 0.68, tile.w - 4, box.h * 0.3)
        canvas.text(fit(name, foot.w, foot.h, box.h * 0.17, 7, False, 2), foot, "muted")
    _bank(canvas, scene, Box(x + each * 3, box.y, each, box.h))


def _whose_turn(canvas: Canvas, board: BoardData, scene: Scene, box: Box) -> None:
    """Draw the player whose turn it is."""
    if scene.turn < 0:
        return
    x, y = box.center[0], box.y + box.h * 0.34
    canvas.disk(x, y, box.h * 0.25, board.seats[scene.turn], LETTERS[scene.turn])
    foot = Box(box.x, box.y + box.h * 0.68, box.w, box.h * 0.3)
    canvas.text(fit_line(f"{LETTERS[scene.turn]}'s turn", box.w, box.h * 0.19, 7), foot, "muted")


def _bank(canvas: Canvas, scene: Scene, box: Box) -> None:
    """Draw the numbers of houses and hotels in the Bank."""
    x, size = box.center[0], box.h * 0.2
    for k, (count, hotel) in enumerate(((scene.houses, False), (scene.hotels, True))):
        y = box.y + box.h * (0.22 + 0.27 * k)
        building(canvas, x - box.h * 0.24, y, size, hotel)
        canvas.line(str(count), x + box.h * 0.08, y, box.h * 0.22, "ink", True)
    foot = Box(box.x, box.y + box.h * 0.68, box.w, box.h * 0.3)
    canvas.text(fit_line("Bank", box.w, box.h * 0.19, 7), foot, "muted")


def draw_die(canvas: Canvas, box: Box, pips: int) -> None:
    """Draw a die; it is blank before the first throw."""
    canvas.open(die=pips)
    canvas.rect(box, "die", "line", 2, box.w * 0.18)
    x, y = box.center
    for across, down in PIPS.get(pips, ()):
        canvas.circle(x + across * box.w * 0.26, y + down * box.h * 0.26, box.w * 0.09, "pip")
    canvas.close()


# --- the decision ---


def draw_decision(canvas: Canvas, board: BoardData, detail: Detail, scene: Scene, box: Box) -> None:
    """Draw the decision and its actor in a frame."""
    decision = scene.decision
    canvas.tile(box)
    canvas.open(decision=LETTERS[decision.actor] if decision.actor >= 0 else "")
    canvas.rect(box, "panel", "line", 1.5, 10)
    inner = box.inset(14)
    big = 26 if detail.names else 40
    head_h = min(inner.h * (0.34 if detail.names else 0.5), big * LINE * 2)
    head = Box(inner.x, inner.y, inner.w, head_h)
    if decision.actor >= 0:
        radius = min(22.0, head_h / 2)
        canvas.disk(
            inner.x + radius,
            head.center[1],
            radius,
            board.seats[decision.actor],
            LETTERS[decision.actor],
        )
        head = Box(inner.x + 2 * radius + 12, inner.y, inner.w - 2 * radius - 12, head_h)
    fitted = fit(decision.headline, head.w, head.h, big, 10, True, 2)
    canvas.text(fitted, head, "ink", True, "left")
    rest = Box(inner.x, inner.y + head_h + 8, inner.w, inner.h - head_h - 8)
    if decision.sides:
        _deal(canvas, board, scene, rest)
    elif decision.bidders:
        _auction(canvas, board, detail, scene, rest)
    else:
        _about(canvas, board, detail, scene, rest)
    canvas.close()


def _about(canvas: Canvas, board: BoardData, detail: Detail, scene: Scene, box: Box) -> None:
    decision = scene.decision
    swatch = 0.0
    if decision.square is not None and scene.squares[decision.square].group:
        swatch = min(box.h, 96) * 0.78
        _deed(canvas, board, scene, decision.square, Box(box.x, box.y, swatch, min(box.h, 96)))
        swatch += 16
    _lines(canvas, detail, decision, Box(box.x + swatch, box.y, box.w - swatch, min(box.h, 96)))


def _lines(canvas: Canvas, detail: Detail, decision: Decision, box: Box) -> None:
    """Draw the details, one below the other."""
    if not decision.details:
        return
    each = min(box.h / len(decision.details), 30 if detail.names else 40)
    for k, text in enumerate(decision.details):
        line = Box(box.x, box.y + k * each, box.w, each)
        canvas.text(fit_line(text, line.w, each * 0.68, 7), line, "muted", anchor="left")


def _deed(canvas: Canvas, board: BoardData, scene: Scene, square: int, box: Box) -> None:
    """Draw a deed as a small card with its group's color and its price."""
    shown = scene.squares[square]
    canvas.rect(box, "square", "line", 1.5, 4)
    band = Box(box.x, box.y, box.w, box.h * 0.34)
    canvas.rect(band, board.groups[shown.group or "utility"], "line", 1, 4)
    foot = Box(box.x + 3, box.y + box.h * 0.34, box.w - 6, box.h * 0.66)
    canvas.text(fit_line(shown.note, foot.w, box.h * 0.24, 6, True), foot, "ink", True)


def _auction(canvas: Canvas, board: BoardData, detail: Detail, scene: Scene, box: Box) -> None:
    """Draw the lot, the standing bid, and the bidders."""
    decision = scene.decision
    chips_h = min(box.h * 0.5, 78)
    top = Box(box.x, box.y, box.w, min(box.h - chips_h - 8, 110))
    swatch = 0.0
    if decision.square is not None:
        swatch = top.h * 0.8
        _deed(canvas, board, scene, decision.square, Box(top.x, top.y, swatch, top.h))
        swatch += 14
    _lines(canvas, detail, decision, Box(top.x + swatch, top.y, top.w - swatch, top.h))
    each = min(box.w / len(decision.bidders), 170)
    for k, bidder in enumerate(decision.bidders):
        chip = Box(box.x + k * each, top.y + top.h + 8, each - 6, chips_h)
        acts = bidder.seat == decision.actor
        canvas.open(bidder=LETTERS[bidder.seat])
        canvas.rect(
            chip, "turn" if acts else "board", "accent" if acts else "line", 2.5 if acts else 1, 7
        )
        x, y = chip.center[0], chip.y + chips_h * 0.34
        _token(canvas, board, bidder.seat, x, y, chips_h * 0.25, bidder.bidding)
        said = bidder.bid or ("to bid" if acts else "in" if bidder.bidding else "out")
        foot = Box(chip.x + 3, chip.y + chips_h * 0.62, chip.w - 6, chips_h * 0.36)
        strong = bool(bidder.bid)
        canvas.text(
            fit_line(said, foot.w, chips_h * 0.25, 7, strong),
            foot,
            "ink" if strong else "muted",
            strong,
        )
        canvas.close()


def _token(
    canvas: Canvas, board: BoardData, seat: int, x: float, y: float, radius: float, there: bool
) -> None:
    """Draw a token; hollow for a player who has dropped out."""
    if there:
        canvas.disk(x, y, radius, board.seats[seat], LETTERS[seat])
        return
    canvas.circle(x, y, radius, "board", board.seats[seat].fill, 2)
    canvas.line(LETTERS[seat], x, y, radius * 1.1, "muted", True, "middle")


def _deal(canvas: Canvas, board: BoardData, scene: Scene, box: Box) -> None:
    """Draw both sides of an offer, side by side."""
    half = (box.w - 12) / 2
    for k, side in enumerate(scene.decision.sides):
        _side(canvas, board, scene, side, Box(box.x + k * (half + 12), box.y, half, box.h))


def _side(canvas: Canvas, board: BoardData, scene: Scene, side: Side, box: Box) -> None:
    seat = board.seats[side.seat]
    head_h = min(30.0, box.h * 0.26)
    canvas.open(gives=LETTERS[side.seat], items="; ".join(side.items))
    canvas.rect(box, "board", seat.fill, 2, 7)
    head = Box(box.x, box.y, box.w, head_h)
    canvas.rect(head, seat.fill, seat.fill, 2, 7)
    canvas.text(
        fit_line(f"{LETTERS[side.seat]} gives", box.w - 12, head_h * 0.62, 7, True),
        head,
        seat.ink,
        True,
    )
    items = list(zip([*side.squares, None], [*side.items, ""], strict=False))[: len(side.items)]
    inner = Box(box.x + 8, box.y + head_h + 4, box.w - 16, box.h - head_h - 8)
    if not items:
        canvas.text(
            fit_line(
                "nothing yet"
                if scene.decision.actor == scene.decision.sides[0].seat
                else "nothing",
                inner.w,
                min(20, inner.h * 0.6),
                7,
            ),
            inner,
            "muted",
        )
    columns = 1 if len(items) * 17 <= inner.h else 2
    rows = max(1, int(inner.h / 17)) * columns
    if len(items) > rows:
        more = len(items) - rows + 1
        items = [*items[: rows - 1], (None, f"and {more} more")]
    down = -(-len(items) // columns) or 1
    each, wide = min(30.0, inner.h / down), inner.w / columns
    for k, (square, text) in enumerate(items):
        line = Box(inner.x + k // down * wide, inner.y + k % down * each, wide - 4, each)
        _item(canvas, board, scene, square, text, line)
    canvas.close()


def _item(
    canvas: Canvas, board: BoardData, scene: Scene, square: int | None, text: str, line: Box
) -> None:
    """Draw one item of a deal: a deed with its group's color, a card, or cash."""
    size = line.h * 0.68
    if square is not None and square < SPACES:
        group = scene.squares[square].group or "utility"
        canvas.rect(
            Box(line.x, line.center[1] - size * 0.5, size * 0.8, size),
            board.groups[group],
            "line",
            1,
            2,
        )
    elif square is not None:
        card(
            canvas,
            line.x + size * 0.4,
            line.center[1],
            size,
            f"deck_{square - SPACES}",
            "?!"[square - SPACES],
        )
    indent = 0 if square is None else size * 0.8 + 6
    rest = Box(line.x + indent, line.y, line.w - indent, line.h)
    canvas.text(
        fit_line(text, rest.w, size, 7, square is None), rest, "ink", square is None, "left"
    )
