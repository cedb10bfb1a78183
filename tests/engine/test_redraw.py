"""What is hidden is drawn anew, from the seed and from what players can see alone."""

from __future__ import annotations

import numpy as np

from monopoly_env import Game
from monopoly_env.engine.redraw import copy_at, redraw_at
from monopoly_env.engine.state import new_games


def redrawn(game: Game, seed: int) -> Game:
    """A copy with other hidden things."""
    games = game.state.reshape(1).copy()
    redraw_at(games, 0, np.uint64(seed))
    return Game.from_record(games, game.edition)


def test_the_same_seed_draws_the_same_and_another_seed_another() -> None:
    game = Game("classic", 2, 3)
    one, again, other = (redrawn(game, seed) for seed in (1, 1, 2))
    assert one == again
    assert one.state["deck"].tolist() != other.state["deck"].tolist()
    assert one.state["rng"] != other.state["rng"]
    for pile in range(2):
        assert sorted(one.state["deck"][pile]) == sorted(game.state["deck"][pile])


def test_nothing_that_was_hidden_shows() -> None:
    game = Game("classic", 2, 3)
    assert redrawn(redrawn(game, 5), 1) == redrawn(game, 1)
    assert redrawn(game, 1).wiped() == game.wiped()


def test_forced_throws_are_dropped() -> None:
    game = Game("classic", 2, 3)
    game.state["forced"][0] = 6, 6
    game.state["forced_count"] = 1
    drawn = redrawn(game, 1)
    assert drawn.state["forced_count"] == 0
    assert not drawn.state["forced"].any()


def test_a_game_is_copied_into_the_memory_of_another() -> None:
    game = Game("classic", 2, 3)
    games = new_games(3)
    copy_at(games, 1, game.state.reshape(1), 0)
    assert games[1].tobytes() == game.state.tobytes()
    assert not any(games[0].tobytes())
    assert not any(games[2].tobytes())
