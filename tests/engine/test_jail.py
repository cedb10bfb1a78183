"""Jail: going in, and the ways out."""

from __future__ import annotations

import pytest

from monopoly_env import Why
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import EDITIONS, ORANGES, events, options, payments, play, position

ALONE: dict[str, object] = {"deals": "off"}  # so that no window is open


# --- going in ---


@pytest.mark.parametrize("edition", EDITIONS)
def test_three_doubles_in_a_row_send_to_jail(edition: str) -> None:
    """The third is not moved: 2 from Jail is the Electric Company."""
    game = position(A={"at": "jail"}, doubles=2, dice=[(1, 1)], edition=edition)
    play(game, "A roll")
    assert game.hand("A").in_jail
    assert events(game, Event.MOVE) == []
    assert (game.actor, game.phase) == ("B", Phase.TURN)


def test_go_to_jail_sends_there_without_a_salary_and_ends_the_turn() -> None:
    """Even after a double."""
    game = position(A={"at": "bno", "cash": 100}, dice=[(2, 3)])
    play(game, "A roll")
    assert (game.hand("A").at, game.hand("A").in_jail) == ("jail", True)
    assert game.cash == (100, 1500)
    doubled = play(position(A={"at": "illinois"}, dice=[(3, 3)]), "A roll")
    assert (doubled.hand("A").in_jail, doubled.actor) == (True, "B")


def test_who_comes_to_the_space_in_the_ordinary_way_is_just_visiting() -> None:
    game = play(position(dice=[(4, 6), (4, 6), (1, 2)]), "A roll")
    assert (game.hand("A").at, game.hand("A").in_jail) == ("jail", False)
    play(game, "B roll", "A roll")
    assert game.hand("A").at == "states"


# --- paying, and the card ---


@pytest.mark.parametrize("tries", [0, 1, 2])
def test_the_fine_may_be_paid_before_any_throw(tries: int) -> None:
    game = position(A={"jail": tries}, dice=[(4, 6)])
    play(game, "A jail_pay")
    assert payments(game) == [("A", "bank", 50, Reason.FINE)]
    assert not game.hand("A").in_jail
    assert (game.actor, game.phase) == ("A", Phase.TURN)
    play(game, "A roll")
    assert game.hand("A").at == "free_parking"


def test_in_the_us_book_the_fine_cannot_be_paid_before_the_third_throw() -> None:
    """Source: 001 line 184, "either of your next two turns"."""
    for tries, reason in ((0, Why.OK), (1, Why.OK), (2, Why.MUST_THROW)):
        game = position(A={"jail": tries}, edition="pokemon1999")
        assert game.why("jail_pay") is reason, tries


def test_the_fine_needs_the_cash_and_an_inmate() -> None:
    assert position(A={"jail": 0, "cash": 49}).why("jail_pay") is Why.NO_CASH
    assert position(A={"at": "jail"}).why("jail_pay") is Why.NOT_IN_JAIL
    assert position(A={"at": "jail", "cards": ["card_chest"]}).why("jail_card") is Why.NOT_IN_JAIL


def test_after_paying_a_double_is_a_double_like_any_other() -> None:
    game = position(A={"jail": 0}, dice=[(5, 5)])
    play(game, "A jail_pay", "A roll")
    assert (game.hand("A").at, game.actor, game.phase) == ("free_parking", "A", Phase.TURN)


def test_a_card_frees_and_goes_under_its_pile_the_chance_card_first() -> None:
    game = position(A={"jail": 2, "cards": ["card_chance", "card_chest"]})
    play(game, "A jail_card")
    assert not game.hand("A").in_jail
    assert game.hand("A").cards == ("card_chest",)
    assert game.cash == (1500, 1500)
    assert events(game, Event.RETURN_CARD)[0][2] == 0


def test_another_players_card_does_not_help() -> None:
    game = position(A={"jail": 0}, B={"cards": ["card_chance"]})
    assert game.why("jail_card") is Why.NO_CARD


# --- throwing ---


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_double_leaves_jail_and_moves_without_another_throw(edition: str) -> None:
    game = position(A={"jail": 1}, dice=[(5, 5)], edition=edition)
    play(game, "A roll")
    assert (game.hand("A").at, game.hand("A").in_jail) == ("free_parking", False)
    assert (game.actor, game.phase) == ("B", Phase.TURN)


@pytest.mark.parametrize("tries", [0, 1])
def test_without_a_double_the_inmate_stays(tries: int) -> None:
    game = play(position(A={"jail": tries}, dice=[(4, 6)]), "A roll")
    assert (game.hand("A").at, game.hand("A").in_jail) == ("jail", True)
    assert game.hand("A").jail_tries == tries + 1
    assert game.cash == (1500, 1500)
    assert game.actor == "B"


@pytest.mark.parametrize("edition", EDITIONS)
def test_after_the_third_failure_the_fine_is_paid_and_the_throw_moved(edition: str) -> None:
    game = position(A={"jail": 2}, dice=[(4, 6)], edition=edition)
    play(game, "A roll")
    assert payments(game) == [("A", "bank", 50, Reason.FINE)]
    assert (game.hand("A").at, game.hand("A").in_jail) == ("free_parking", False)


def test_who_cannot_pay_after_the_third_failure_raises_the_money_first() -> None:
    game = position(A={"jail": 2, "cash": 0, "deeds": ["oriental"]}, dice=[(4, 6)], rules=ALONE)
    play(game, "A roll")
    assert (game.actor, game.phase, game.hand("A").in_jail) == ("A", Phase.DEBT, True)
    play(game, "A mortgage:oriental")
    assert (game.hand("A").at, game.cash) == ("free_parking", (0, 1500))


def test_the_card_comes_too_late_after_the_third_failure() -> None:
    game = position(A={"jail": 2, "cash": 0, "cards": ["card_chance"]}, dice=[(4, 6)])
    play(game, "A roll")
    assert game.why("jail_card") is Why.WRONG_PHASE


@pytest.mark.parametrize("edition", ["classic", "kanto2014", "pokemon1999"])
def test_in_the_short_game_the_first_failure_is_the_last(edition: str) -> None:
    game = position(A={"jail": 0}, dice=[(4, 6)], edition=edition, mode="short")
    play(game, "A roll")
    assert (game.hand("A").at, game.cash) == ("free_parking", (1450, 1500))


def test_the_short_game_of_the_french_book_leaves_jail_as_it_is() -> None:
    game = position(A={"jail": 0}, dice=[(4, 6)], edition="pokemon_fr2000", mode="short")
    assert play(game, "A roll").hand("A").in_jail


# --- meanwhile ---


def test_inmates_collect_rent() -> None:
    game = position(turn="B", A={"jail": 0, "deeds": ["reading"]}, dice=[(2, 3)])
    assert play(game, "B roll").cash == (1525, 1475)


def test_inmates_build_sell_and_mortgage() -> None:
    game = position(A={"jail": 0, "deeds": [*ORANGES, "water"]})
    assert options(game, "build") == [f"build:{square}" for square in ORANGES]
    play(game, "A build:new_york", "A sell:new_york", "A mortgage:water")
    assert game.cash == (1500 - 100 + 50 + 75, 1500)


def test_inmates_bid() -> None:
    game = position(A={"jail": 0}, turn="B", dice=[(1, 2)])
    play(game, "B roll", "B auction", "A open", "B pass")
    assert game.owner("baltic") == "A"
