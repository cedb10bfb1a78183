"""Draws the players: token, cash, net worth, and their deeds as a row of colored chips."""

from __future__ import annotations

from monopoly_env.engine.board import GROUP_SQUARES
from monopoly_env.render.board_data import BoardData, Box
from monopoly_env.render.canvas import Canvas
from monopoly_env.render.fitting import fit, fit_line
from monopoly_env.render.scene import PlayerScene, Scene

TALLEST_ROW = 140
ONE_LINE = 62  # below this height, everything is in one line


def draw_players(
    canvas: Canvas, board: BoardData, scene: Scene, box: Box, columns: int = 1
) -> None:
    """Draw one row per player, in seat order, from the top of the box."""
    rows = -(-len(scene.players) // columns)
    each = min(TALLEST_ROW, box.h / rows)
    wide = box.w / columns
    for k, player in enumerate(scene.players):
        column, row = divmod(k, rows)
        place = Box(box.x + column * wide, box.y + row * each, wide - 6 * (columns - 1), each - 4)
        canvas.tile(place)
        canvas.open(player=player.letter)
        _frame(canvas, scene, player, place)
        if columns > 1 or place.w < 480:
            _short(canvas, board, player, place)
        elif place.h >= ONE_LINE:
            _tall(canvas, board, scene, player, place)
        else:
            _line(canvas, board, scene, player, place)
        canvas.close()


def _frame(canvas: Canvas, scene: Scene, player: PlayerScene, box: Box) -> None:
    """Draw the frame of a player; the player to move is highlighted."""
    turn = player.seat == scene.turn
    canvas.rect(box, "turn" if turn else "panel", "accent" if turn else "line", 2 if turn else 1, 7)


def _disk(
    canvas: Canvas, board: BoardData, player: PlayerScene, x: float, y: float, radius: float
) -> None:
    if player.out:
        canvas.circle(x, y, radius, "panel", board.seats[player.seat].fill, 2)
        canvas.line(player.letter, x, y, radius * 1.1, "muted", True, "middle")
    else:
        canvas.disk(x, y, radius, board.seats[player.seat], player.letter)


def _short(canvas: Canvas, board: BoardData, player: PlayerScene, box: Box) -> None:
    """Draw token, cash and worth, for small pictures."""
    radius = box.h * 0.36
    _disk(canvas, board, player, box.x + radius + 8, box.center[1], radius)
    rest = Box(box.x + 2 * radius + 18, box.y, box.w - 2 * radius - 26, box.h)
    if player.out:
        canvas.text(fit_line("bankrupt", rest.w, box.h * 0.46, 8), rest, "muted", anchor="left")
        return
    cash = Box(rest.x, rest.y, rest.w * 0.56, rest.h)
    canvas.text(fit_line(player.cash, cash.w, box.h * 0.52, 8, True), cash, "ink", True, "left")
    worth = Box(rest.x + rest.w * 0.58, rest.y, rest.w * 0.42, rest.h)
    canvas.text(fit_line(player.worth, worth.w, box.h * 0.36, 8), worth, "muted", False, "right")


def _line(canvas: Canvas, board: BoardData, scene: Scene, player: PlayerScene, box: Box) -> None:
    """Draw everything in one line: token, name and place, cash, worth, deeds."""
    radius = min(15.0, box.h * 0.42)
    _disk(canvas, board, player, box.x + radius + 6, box.center[1], radius)
    x = box.x + 2 * radius + 14
    chips = box.w * 0.52
    room = box.x + box.w - chips - 14 - x
    _name(canvas, player, Box(x, box.y + 1, room * 0.58, box.h - 2))
    if player.out:
        return
    _money(canvas, player, Box(x + room * 0.58, box.y + 1, room * 0.42 - 4, box.h - 2))
    tall = min(22.0, box.h - 12)
    _chips(
        canvas,
        board,
        scene,
        player,
        Box(box.x + box.w - chips - 4, box.center[1] - tall / 2, chips, tall),
    )


def _money(canvas: Canvas, player: PlayerScene, box: Box) -> None:
    """Draw cash above net worth."""
    upper = Box(box.x, box.y, box.w, box.h * 0.54)
    lower = Box(box.x, box.y + box.h * 0.52, box.w, box.h * 0.42)
    cash = fit_line(player.cash, upper.w, min(26, box.h * 0.46), 8, True)
    canvas.text(cash, upper, "ink", True, "right")
    worth = fit_line(f"worth {player.worth}", lower.w, min(16, box.h * 0.31), 6)
    canvas.text(worth, lower, "muted", False, "right")


def _name(canvas: Canvas, player: PlayerScene, box: Box) -> None:
    """Draw the token's name above its place."""
    upper = Box(box.x, box.y, box.w - 4, box.h * 0.54)
    lower = Box(box.x, box.y + box.h * 0.52, box.w - 4, box.h * 0.42)
    canvas.text(
        fit_line(player.name, upper.w, min(24, box.h * 0.42), 7, True),
        upper,
        "muted" if player.out else "ink",
        True,
        "left",
    )
    place = player.place + (
        f" · {player.cards} card{'s' if player.cards > 1 else ''}" if player.cards else ""
    )
    canvas.text(fit_line(place, lower.w, min(17, box.h * 0.31), 6), lower, "muted", False, "left")


def _tall(canvas: Canvas, board: BoardData, scene: Scene, player: PlayerScene, box: Box) -> None:
    """Draw two lines: token, name, cash and worth above, deeds below."""
    chips_h = min(34.0, box.h * 0.36)
    top = Box(box.x, box.y + 2, box.w, box.h - chips_h - 6)
    radius = min(22.0, top.h * 0.4)
    _disk(canvas, board, player, box.x + radius + 10, top.center[1], radius)
    x = box.x + 2 * radius + 22
    room = box.x + box.w - x - 10
    _name(canvas, player, Box(x, top.y + 2, room * 0.5, top.h - 2))
    if not player.out:
        _money(canvas, player, Box(x + room * 0.5, top.y + 2, room * 0.5, top.h - 2))
        _chips(
            canvas,
            board,
            scene,
            player,
            Box(box.x + 10, box.y + box.h - chips_h - 3, box.w - 20, chips_h - 4),
        )


def _chips(canvas: Canvas, board: BoardData, scene: Scene, player: PlayerScene, box: Box) -> None:
    """Draw all deeds of the board by group: filled if owned, hollow if mortgaged."""
    gaps = len(GROUP_SQUARES) - 1
    step = box.w / (28 + gaps * 0.7)
    chip_w = step * 0.8
    x = box.x
    for squares in GROUP_SQUARES:
        for square in squares:
            shown = scene.squares[square]
            if not shown.on_board:
                x += step
                continue
            chip = Box(x, box.y, chip_w, box.h)
            color = board.groups[shown.group or "utility"]
            if shown.owner != player.seat:
                canvas.rect(chip.inset(chip_w * 0.18), "empty", "", 0, 2)
            elif shown.mortgaged:
                canvas.rect(chip.inset(1), "panel", color, 2, 2)
            else:
                canvas.rect(chip, color, "line", 0.8, 2)
            x += step
        x += step * 0.7


def draw_events(canvas: Canvas, scene: Scene, box: Box) -> None:
    """Draw the events since the last decision, newest last."""
    each = 24.0
    room = int(box.h / each)
    if not scene.events or room < 1:
        return
    canvas.tile(box)
    for k, text in enumerate(scene.events[-room:]):
        line = Box(box.x, box.y + k * each, box.w, each)
        canvas.text(fit(text, line.w, each, 15.5, 9, False, 1), line, "muted", anchor="left")
