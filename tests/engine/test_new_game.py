"""Setting up: cash, decks, dealt deeds, and who begins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from monopoly_env import Game
from monopoly_env.editions import load_edition
from monopoly_env.engine import entry_points, new_game
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.state import GAME, new_games
from tests.engine.positions import EDITIONS


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 6])
def test_everybody_starts_on_go_with_fifteen_hundred(edition: str, players: int) -> None:
    game = Game(edition, players, seed=1)
    assert not game.status()
    for hand in game.hands():
        assert (hand.cash, hand.at, hand.deeds, hand.cards) == (1500, "go", (), ())
    assert (int(game.state["houses"]), int(game.state["hotels"])) == (32, 12)


@pytest.mark.parametrize("edition", EDITIONS)
def test_both_decks_are_shuffled(edition: str) -> None:
    games = [Game(edition, seed=seed) for seed in (1, 2)]
    piles = [game.position()["hidden"] for game in games]
    for pile in ("chance", "chest"):
        assert sorted(piles[0][pile]) == sorted(piles[1][pile])
        assert len(set(piles[0][pile])) == 16
        assert piles[0][pile] != piles[1][pile]


@pytest.mark.promise("determinism")
def test_equal_seeds_deal_equal_games() -> None:
    assert Game(seed=3, mode="short") == Game(seed=3, mode="short")


def soil(records: Any, number: int) -> None:
    """Set every field to a number, those of inner records too; padding has no meaning."""
    for name in records.dtype.names:
        if records[name].dtype.names:
            soil(records[name], number)
        elif not name.startswith("padding"):
            records[name] = number


@pytest.mark.parametrize("number", [1, 5])
def test_nothing_is_left_of_what_a_record_held_before(number: int) -> None:
    """Environments start their games in the records of those that ended."""
    rules = load_edition("classic").rules
    games, fresh = new_games(1), new_games(1)
    soil(games, number)
    for records in (games, fresh):
        entry_points.start(records, 0, rules, entry_points.NO_JOURNALS, 3, 7)
    differing = [name for name in GAME.names if games[name].tobytes() != fresh[name].tobytes()]
    assert differing == []


@pytest.mark.parametrize(
    ("edition", "mode", "deeds", "paid"),
    [
        ("classic", "short", 3, False),
        ("kanto2014", "short", 3, False),
        ("pokemon1999", "short", 3, False),
        ("pokemon_fr2000", "short", 2, True),
        ("pokemon1999", "time_limit", 2, True),
        ("pokemon_fr2000", "time_limit", 2, True),
    ],
)
def test_short_and_timed_games_deal_deeds_free_or_paid(
    edition: str, mode: str, deeds: int, paid: bool
) -> None:
    """Source: 000 line 318; 001 lines 242 and 252; 002 lines 288 and 305 to 307."""
    game = Game(edition, 4, seed=7, mode=mode)
    prices = game.edition.rules[0]["price"]
    for seat, hand in enumerate(game.hands()):
        assert len(hand.deeds) == deeds
        price = sum(int(prices[square]) for square in np.flatnonzero(game.state["owner"] == seat))
        assert hand.cash == 1500 - (price if paid else 0)
        assert hand.mortgaged == ()


def test_a_dealt_deed_that_cannot_be_paid_for_stays_with_the_bank() -> None:
    poor = {"start_cash": 399, "deal_count": 3, "max_players": 8}
    for seed in range(20):
        game = Game("pokemon_fr2000", 8, seed, "short", poor)
        assert game.status() == 0
        assert "boardwalk" not in {deed for hand in game.hands() for deed in hand.deeds}
        assert any(len(hand.deeds) < 3 for hand in game.hands())


# --- who begins ---


def starter(players: int, *dice: tuple[int, int]) -> int:
    """Who begins after these opening throws, seat by seat; ties by another round of throws."""
    game = new_games(1)[0]
    game["players"] = players
    game["forced"][: len(dice)] = dice
    game["forced_count"] = len(dice)
    game["forced_only"] = 1
    seat = new_game.opening_throws(game, new_journals(1)[0])
    assert game["forced_next"] == len(dice)
    assert not game["dice_missing"]
    return seat


def test_the_highest_throw_begins() -> None:
    assert starter(3, (1, 2), (6, 5), (4, 4)) == 1


def test_tied_players_throw_again_they_alone() -> None:
    assert starter(3, (5, 5), (1, 2), (4, 6), (1, 2), (1, 1)) == 0
    assert starter(3, (5, 5), (1, 2), (4, 6), (1, 2), (3, 3)) == 2


def test_ties_may_repeat() -> None:
    assert starter(2, (1, 2), (2, 1), (3, 3), (2, 4), (1, 1), (1, 2)) == 1


def test_the_starters_turn_is_the_first() -> None:
    game = Game(players=4, seed=11)
    assert game.turn == game.actor
    assert int(game.state["starter"]) == game.actor_seat
    assert (int(game.state["turns"]), int(game.state["rounds"])) == (1, 0)


def test_every_seat_begins_about_equally_often() -> None:
    """Of 400 games of four; five standard deviations are 43."""
    counts = np.bincount([Game(seed=seed).actor_seat for seed in range(400)], minlength=4)
    assert (abs(counts - 100) < 43).all(), counts
