"""Starts games for text environments: the position, the names, and the seats that are asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from monopoly_env.editions import Edition
from monopoly_env.envs.checks import fail
from monopoly_env.errors import InputError, show
from monopoly_env.game import Game
from monopoly_env.position import build, read_position
from monopoly_env.position.document import EDITION_KEYS
from monopoly_env.text.compact import short_edition
from monopoly_env.text.options import TextOptions, seat_numbers


def shown_edition(edition: Edition, options: TextOptions) -> Edition:
    """Return the edition with the names that are shown."""
    return short_edition(edition) if options.detail == "compact" else edition


def new_game(
    given: Mapping[str, Any], edition: Edition, players: int, options: TextOptions, seed: int
) -> Game:
    """Return a new game, or one from the position in the options of a reset.

    Raises: InputError, one line.
    """
    source: Any = given.get("position")
    if source is None:
        if "edition" in given:
            fail("options", "edition goes with a position; give the environment one instead")
        return Game(edition, players, seed)
    if isinstance(source, Game):
        edition, records = source.edition, source.state.reshape(1)
    else:
        position = read_position(source)
        if "edition" in given or any(key in position.given for key in EDITION_KEYS):
            overrides = options.table(players).overrides()
            edition = position.edition(given.get("edition"), None, overrides or None)
        records = build(position, edition, seed)
    game = Game.from_record(records, shown_edition(edition, options), journal=True)
    if game.players != players:
        problem = f"has {game.players} players; make the environment with as many"
        InputError.at("position").fail(problem)
    if game.over:
        InputError.at("position").fail("the game is over; give one that goes on")
    return game


def asked_seats(seats: object, players: int, bots: int, seed: int) -> list[int]:
    """Return the seats that are asked; ``random`` draws one from the seed of the game.

    Raises: InputError for seats that do not exist, or whose number does not match the bots.
    """
    if not isinstance(seats, str):
        fail("seats", f"must be letters, all or random, not {show(seats)}")
    if seats == "random":
        asked = [int(np.random.default_rng(seed).integers(players))]
    else:
        asked = list(range(players)) if seats == "all" else seat_numbers(seats, players)
    if len(asked) + bots != players:
        fail("seats", f"the environment asks {players - bots}, not {len(asked)}; name as many")
    return asked
