"""Chances by playing a moment on, for a page that asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_training.evaluation.rollouts import play_out

GAMES = 200
POLICY = "veteran"


def played_on(game: Game) -> dict[str, Any]:
    """What came of playing a position on: how often, by whom, and [chance, low, high] of each seat.

    Dice and cards that nobody can see are drawn anew; the game itself is left alone.

    Raises: InputError for a game that is over.
    """
    if game.over:
        InputError.at("odds").fail("the game is over there; ask for an earlier move")
    played = play_out(game, GAMES, [POLICY])
    rows = [
        [chance, low, high]
        for chance, (low, high) in zip(played.chances, played.intervals, strict=True)
    ]
    return {"games": played.games, "policy": POLICY, "rows": rows}


def asked_moment(body: Mapping[str, object]) -> int:
    """The number of the move that a page asks about. Raises: InputError."""
    location = InputError.at("odds")
    location.mapping(body, "key", ("at",))
    moment = body.get("at")
    if type(moment) is not int or moment < 0:
        (location / "at").fail("must be the number of a move")
    return moment
