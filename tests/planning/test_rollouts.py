"""Rollouts from positions: repeatable, on any number of threads, right where the answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env import Game, Rollouts, VectorEnv, rollouts, win_chances
from monopoly_env.errors import InputError

BOARDWALK = {"deeds": ["park_place", "boardwalk"], "buildings": {"park_place": 5, "boardwalk": 5}}
WINNING = {"players": 2, "A": BOARDWALK, "B": {"cash": 30}}


def same(one: Rollouts, other: Rollouts) -> bool:
    """Whether all numbers of two results are equal."""
    names = ("win_shares", "finished", "truncated", "turns")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def buying() -> Game:
    """A game in which A stands on a street and may buy it."""
    game = Game(players=4, seed=7)
    game.play("roll")
    assert game.phase.name == "BUY"
    return game


def test_shapes_and_what_they_hold() -> None:
    game = buying()
    done = rollouts([game, game, game], samples=6)
    assert done.win_shares.shape == (3, 6, 4)
    assert done.win_shares.dtype == np.float32
    assert done.finished.shape == done.truncated.shape == done.turns.shape == (3, 6)
    assert np.allclose(done.win_shares.sum(axis=2), 1)
    assert np.all(done.finished | done.truncated)
    assert np.all(done.turns > 0)
    assert done.mean.shape == done.standard_error.shape == (3, 4)
    assert np.allclose(done.mean, done.win_shares.mean(axis=1))
    assert np.isinf(rollouts(game, samples=1).standard_error).all()


def test_sample_k_has_the_same_luck_in_every_position_and_the_game_stays() -> None:
    game = buying()
    before = game.copy()
    done = rollouts([game, game], samples=5)
    assert np.array_equal(done.win_shares[0], done.win_shares[1])
    assert len(np.unique(done.turns[0])) > 1
    assert game == before


def test_nothing_depends_on_threads_on_hidden_things_or_on_where_a_call_begins() -> None:
    game = buying()
    done = rollouts([game, game], samples=9, seed=3)
    assert same(done, rollouts([game, game], samples=9, seed=3, threads=3))
    other = game.copy()
    other.redraw(5)
    assert other != game
    assert same(done, rollouts([other, game], samples=9, seed=3))
    later = rollouts([game, game], samples=4, first_sample=5, seed=3)
    assert np.array_equal(later.win_shares, done.win_shares[:, 5:])
    assert not same(done, rollouts([game, game], samples=9, seed=4))


def test_who_must_win_wins() -> None:
    done = rollouts(Game.from_position(WINNING, seed=1), samples=40)
    assert done.mean[0, 0] > 0.9


def test_a_rollout_stops_at_the_horizon_and_the_value_judges() -> None:
    game = buying()
    done = rollouts(game, samples=8, horizon=3)
    assert not done.finished.any()
    assert not done.truncated.any()
    assert np.all(done.turns == 3)
    assert np.all((done.win_shares > 0) & (done.win_shares < 1))
    near = rollouts(game, samples=300, horizon=1).mean[0]
    assert np.abs(near - win_chances(game)).max() < 0.05


def test_the_first_action_is_taken() -> None:
    game = Game(players=2, seed=1)
    rolled = rollouts([game, game], actions=["roll", "roll"], samples=2, horizon=1)
    assert np.array_equal(rolled.win_shares[0], rolled.win_shares[1])
    bought = buying()
    by_text = rollouts([bought, bought], actions=["buy", "auction"], samples=4)
    ids = np.array([bought.id("buy"), bought.id("auction")])
    assert same(by_text, rollouts([bought, bought], actions=ids, samples=4))
    assert not np.array_equal(by_text.win_shares[0], by_text.win_shares[1])


def test_one_bot_a_seat() -> None:
    done = rollouts(Game(players=2, seed=5), ["veteran", "random"], samples=30)
    assert done.mean[0, 0] > 0.7


def test_a_game_that_is_over_has_its_winner() -> None:
    game = Game(players=2, seed=1, rules={"max_turns": 1})
    while not game.over:
        game.play(game.legal_ids()[0])
    done = rollouts(game, samples=2)
    winners = [letter in game.winners for letter in "AB"]
    assert np.array_equal(done.win_shares[0] > 0, [winners, winners])
    assert done.truncated.all()
    assert not done.turns.any()


def test_records_of_a_vector_environment() -> None:
    env = VectorEnv(3, opponents=["random"])
    env.reset(seed=1)
    batch = env.batch
    done = rollouts(batch.games, samples=3, edition=batch.edition)
    assert same(done, rollouts([batch.game(k) for k in range(3)], samples=3))
    env.close()


GAME = buying()
OTHER = Game(players=4, seed=7, rules={"free_parking_jackpot": True})
ODD = {
    "none": ({"games": None}, "games: must be a Game"),
    "empty": ({"games": []}, "games: is empty"),
    "rules": ({"games": [GAME, OTHER]}, "game 1 is played by other rules"),
    "seats": ({"games": [GAME, Game(players=3)]}, r"same number of seats, not \[3, 4\]"),
    "records": ({"games": GAME.state.reshape(1)}, "edition: must be the Edition of the records"),
    "blank": (
        {"games": np.zeros(1, GAME.state.dtype), "edition": GAME.edition},
        "no game was begun in",
    ),
    "edition": ({"edition": GAME.edition}, "edition: is for records"),
    "python bot": ({"policy": "search"}, "policy: search is not compiled"),
    "no bot": ({"policy": "vetran"}, "veteran"),
    "too few bots": ({"policy": ["veteran", "random"]}, "policy: must name one bot, or 4"),
    "bots": ({"policy": 3}, "policy: must be the name of a bot"),
    "illegal": ({"actions": "roll"}, r"actions\[0\]: 'roll': "),
    "unknown": ({"actions": ["fly"]}, r"actions\[0\]: 'fly': there is no such action"),
    "action": ({"actions": [None]}, r"actions\[0\]"),
    "large": ({"actions": [2**70]}, r"actions\[0\]"),
    "count": ({"actions": [0, 1]}, "actions: must be one for each of 1 games, not 2"),
    "float": ({"actions": 1.5}, "actions: must be ids or texts"),
    "samples": ({"samples": 0}, "samples: must be from 1"),
    "flag": ({"samples": True}, "samples: must be a whole number"),
    "horizon": ({"horizon": 0}, "horizon: must be from 1"),
    "seed": ({"seed": -1}, "seed: must be"),
    "threads": ({"threads": 0}, "threads: must be from 1"),
    "first": ({"first_sample": -1}, "first_sample: must be from 0"),
    "value": ({"value": "best"}, "value: must be a Value"),
}


@pytest.mark.parametrize(("odd", "message"), ODD.values(), ids=ODD)
def test_odd_arguments_are_refused_in_one_line(odd: dict[str, object], message: str) -> None:
    arguments = {"games": GAME, "samples": 1} | odd
    with pytest.raises(InputError, match=message) as refused:
        rollouts(**arguments)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)
