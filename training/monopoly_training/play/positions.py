"""Positions of games, to start other games from or to play on."""

from __future__ import annotations

from typing import Any

from monopoly_env.errors import FileError, InputError
from monopoly_env.game import Game
from monopoly_env.records.record import RECORD
from monopoly_env.render.decision import decision_of
from monopoly_env.replay import replay_steps
from monopoly_training.play.table import Table
from monopoly_training.web.image_export import game_at


def position_of(table: Table, at: str) -> dict[str, Any]:
    """Return a position of a game as data and for display; hidden information is redrawn.

    Raises: InputError for a game that is still going on, or for no such move.
    """
    location = InputError.at("at")
    if not at.isdecimal() or len(at) > 8:
        location.fail("must be the number of a move")
    game = game_at(table.record(), int(at), RECORD, "at")
    if game.over:
        location.fail("the game is over there; name an earlier move")
    return {
        "name": table.store.folder.name,
        "at": int(at),
        "players": game.players,
        "edition": game.edition.title,
        "headline": decision_of(game.state.reshape(1), game.edition).headline,
        "seats": list(table.header.seats),
        "position": game.position(hidden=False),
    }


def game_after(table: Table, moment: int) -> Game:
    """Return a copy of a game after ``moment`` moves; the game may still be going on.

    Raises: InputError for no such move.
    """
    with table.changed:
        history = list(table.game.history)
    if moment > len(history):
        InputError.at("at").fail(f"must be a move from 0 to {len(history)}, not {moment}")
    location = FileError.at(table.store.path)
    game, _ = next(replay_steps(table.header.start, location, check=False))
    for _, action in history[:moment]:
        game.play(action)
    return game
