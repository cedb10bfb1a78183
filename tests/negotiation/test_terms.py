"""Whole offers: read, composed, refused with a reason, put to a seat out of turn."""

from __future__ import annotations

import pytest

from monopoly_env import Game, Terms
from monopoly_env.errors import InputError
from monopoly_env.negotiation.terms import (
    answered,
    may_counter,
    may_offer,
    read_terms,
    waiting_terms,
)

PARK, BOARDWALK, BALTIC = 37, 39, 3
POSITION = {
    "players": 3,
    "turn": "A",
    "A": {"deeds": ["park_place", "baltic"], "cash": 1500},
    "B": {"deeds": ["boardwalk"], "cash": 800},
}


def game() -> Game:
    return Game.from_position(POSITION, seed=1)


def test_terms_read_back_what_they_say() -> None:
    terms = Terms(0, 1, (BALTIC,), (BOARDWALK,), -1987)
    assert read_terms(terms.as_dict(), 3) == terms
    assert terms.mirrored() == Terms(1, 0, (BOARDWALK,), (BALTIC,), 1987)
    assert terms.mirrored().mirrored() == terms


def test_names_of_the_edition_are_deeds_too() -> None:
    given = {"to": "b", "ask": "Boardwalk", "give": ["Park Place", "baltic"], "give_cash": 20}
    names = game().edition.names
    assert read_terms(given, 3, 0, names) == Terms(0, 1, (BALTIC, PARK), (BOARDWALK,), -20)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"to": "A"}, "to: must be another player"),
        ({"to": "F"}, "to: must be a player, one of A, B, C, not 'F'"),
        ({"to": "B", "ask": ["go"]}, "ask: there is no deed 'go'"),
        ({"to": "B", "ask": 7}, "ask: must be a list of deeds"),
        ({"to": "B", "give_cash": -1}, "give_cash: must be from 0"),
        ({"to": "B", "give_cash": 1, "ask_cash": 1}, "cash goes one way"),
        ({"to": "B", "want": 1}, "want: there is no such key"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(given: dict, problem: str) -> None:
    with pytest.raises(InputError) as error:
        read_terms(given, 3, 0)
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_an_offer_is_composed_of_the_actions_that_the_rules_have() -> None:
    played, terms = game(), Terms(0, 1, (BALTIC,), (BOARDWALK,), -587)
    assert may_offer(played, terms) == ""
    for action in terms.actions():
        played.play(action)
    assert waiting_terms(played.state) == terms
    played.play("accept")
    assert (played.owner("boardwalk"), played.owner("baltic")) == ("A", "B")
    assert played.cash[:2] == (1500 - 587, 800 + 587)


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        (Terms(1, 0, (BOARDWALK,), (), 10), "B does not decide now"),
        (Terms(0, 1, (), (BALTIC,), -10), "ask:baltic: it belongs to another player"),
        (Terms(0, 1, (BALTIC,), (), 900), "ask_cash:200: the other side does not have enough cash"),
        (Terms(0, 1, (BALTIC,), (), 0), "offer: each side must give something"),
    ],
)
def test_an_offer_that_cannot_be_made_has_the_reason_of_the_rules(
    terms: Terms, reason: str
) -> None:
    asked = game()
    before = asked.copy()
    assert may_offer(asked, terms) == reason
    assert asked == before


def test_a_counter_offer_must_be_one_that_the_other_side_could_make() -> None:
    played = game()
    assert may_counter(played, Terms(1, 0, (BOARDWALK,), (), 10)) == "no offer waits for an answer"
    for action in Terms(0, 1, (), (BOARDWALK,), -400).actions():
        played.play(action)
    assert may_counter(played, Terms(1, 0, (BOARDWALK,), (), 900)) == ""
    assert "accept them" in may_counter(played, Terms(1, 0, (BOARDWALK,), (), 400))
    assert "not enough cash" in may_counter(played, Terms(1, 0, (BOARDWALK,), (), 1501))
    assert "the offer is A's" in may_counter(played, Terms(1, 2, (BOARDWALK,), (), 900))


def test_a_counter_offer_takes_an_offer_of_the_other_side() -> None:
    """The rules count it: with one offer a turn, none is left to carry a counter-offer out."""
    played = Game.from_position(POSITION, seed=1, rules={"trade_limit": 1})
    played.state["offers_left"][:3] = 1
    for action in Terms(0, 1, (), (BOARDWALK,), -400).actions():
        played.play(action)
    assert "no offers are left" in may_counter(played, Terms(1, 0, (BOARDWALK,), (), 900))


def test_an_offer_is_put_whoever_s_turn_it_is() -> None:
    start, terms = game(), Terms(1, 2, (BOARDWALK,), (), 300)
    asked = answered(start, terms)
    assert (asked.actor, asked.phase.name) == ("C", "ANSWER")
    asked.play("accept")
    assert (asked.owner("boardwalk"), asked.actor, asked.phase.name) == ("C", "A", "TURN")
    assert asked.status() == 0
    assert start == game()


def test_an_offer_that_waits_gives_way_to_another() -> None:
    played = game()
    for action in Terms(0, 1, (), (BOARDWALK,), -400).actions():
        played.play(action)
    other = answered(played, Terms(0, 2, (BALTIC,), (), 70))
    assert waiting_terms(other.state) == Terms(0, 2, (BALTIC,), (), 70)


@pytest.mark.parametrize(
    ("terms", "problem"),
    [
        (Terms(0, 1, (), (BALTIC,), -10), "it belongs to another player"),
        (Terms(0, 1, (BALTIC,), (), 5000), "the other side does not have enough cash"),
        (Terms(0, 1, (), (BOARDWALK,), -5000), "not enough cash"),
        (Terms(0, 1, (BALTIC,)), "each side must give something"),
    ],
)
def test_an_offer_that_could_not_be_accepted_is_not_put(terms: Terms, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        answered(game(), terms)


def test_no_deal_is_put_in_an_auction() -> None:
    played = Game(players=2, seed=7)
    while played.phase.name != "BUY":
        played.play(played.legal_actions()[0])
    played.play("auction")
    with pytest.raises(InputError, match="not at AUCTION"):
        answered(played, Terms(0, 1, (BALTIC,), (), 10))
