"""Win probabilities from rollouts, on request of a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_training.evaluation.rollouts import play_out

GAMES = 200
POLICY = "veteran"


def played_on(game: Game) -> dict[str, Any]:
    """Return the win rates of rollouts: their number, their policy, [chance, low, high] by seat.

    Hidden dice and cards are redrawn; the game itself is not changed.

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
    """Return the move number in a page's request. Raises: InputError."""
    location = InputError.at("odds")
    location.mapping(body, "key", ("at",))
    moment = body.get("at")
    if type(moment) is not int or moment < 0:
        (location / "at").fail("must be the number of a move")
    return moment
