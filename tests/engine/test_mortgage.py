"""Mortgages: taking one, lifting one, and receiving a mortgaged deed."""

from __future__ import annotations

import pytest

from monopoly_env import Game, Why
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import EDITIONS, LIGHT_BLUES, ORANGES, options, payments, play, position

# --- taking ---


@pytest.mark.parametrize(
    ("deed", "value"),
    [
        ("mediterranean", 30),
        ("connecticut", 60),
        ("reading", 100),
        ("water", 75),
        ("boardwalk", 200),
    ],
)
def test_a_mortgage_brings_what_the_back_of_the_deed_says(deed: str, value: int) -> None:
    game = play(position(A={"deeds": [deed]}), f"A mortgage:{deed}")
    assert payments(game) == [("bank", "A", value, Reason.MORTGAGE)]
    assert game.hand("A").mortgaged == (deed,)
    assert game.owner(deed) == "A"


def test_only_an_own_open_deed_can_be_mortgaged() -> None:
    game = position(A={"deeds": ["water*"]}, B={"deeds": ["electric"]})
    assert game.why("mortgage:water") is Why.MORTGAGED
    assert game.why("mortgage:electric") is Why.NOT_YOURS
    assert game.why("mortgage:baltic") is Why.NOT_OWNED


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_buildings_of_the_group_must_be_gone_first(edition: str) -> None:
    built = {"deeds": [*ORANGES, "water"], "buildings": {"new_york": 1}}
    game = position(A=built, edition=edition)
    assert options(game, "mortgage") == ["mortgage:water"]
    assert game.why("mortgage:st_james") is Why.BUILDINGS_IN_GROUP
    play(game, "A sell:new_york")
    assert game.why("mortgage:st_james") is Why.OK


def test_a_bare_lot_beside_buildings_may_be_mortgaged_where_that_is_read_literally() -> None:
    """Source: 002 line 264 speaks of the buildings of that lot alone."""
    built = {"deeds": ORANGES, "buildings": {"new_york": 1}}
    game = position(A=built, rules={"mortgage_beside_buildings": True})
    assert options(game, "mortgage") == ["mortgage:st_james", "mortgage:tennessee"]
    assert game.why("mortgage:new_york") is Why.BUILDINGS_IN_GROUP


def test_nobody_mortgages_the_lots_one_is_bidding_to_build_on() -> None:
    mine = {"deeds": [*ORANGES, "water"]}
    game = position(A=mine, B={"deeds": LIGHT_BLUES}, bank={"houses": 1, "hotels": 12})
    play(game, "A build:new_york", "B claim")
    assert (game.actor, game.phase) == ("A", Phase.AUCTION)
    assert options(game, "mortgage") == ["mortgage:water"]
    assert game.why("mortgage:st_james") is Why.BIDDING_ON_BUILDINGS


# --- lifting ---


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("deed", "cost"), [("mediterranean", 33), ("reading", 110), ("water", 83), ("park_place", 193)]
)
def test_lifting_costs_the_mortgage_and_a_tenth_rounded_up(
    edition: str, deed: str, cost: int
) -> None:
    game = play(position(A={"deeds": [f"{deed}*"]}, edition=edition), f"A lift:{deed}")
    assert payments(game) == [("A", "bank", cost, Reason.LIFT)]
    assert game.hand("A").mortgaged == ()


def test_only_an_own_mortgage_can_be_lifted_and_only_in_cash() -> None:
    game = position(A={"deeds": ["water*", "reading"], "cash": 82}, B={"deeds": ["electric*"]})
    assert game.why("lift:water") is Why.NO_CASH
    assert game.why("lift:reading") is Why.NOT_MORTGAGED
    assert game.why("lift:electric") is Why.NOT_YOURS  # nobody may secure it by lifting it
    assert game.why("lift:baltic") is Why.NOT_OWNED


# --- receiving ---


def handed_over(edition: str = "classic", *deeds: str, **row: object) -> Game:
    """A has sold mortgaged deeds to B for a dollar."""
    given = deeds or ("park_place",)
    game = position(A={"deeds": [f"{deed}*" for deed in given]}, B=row, edition=edition)
    play(game, "A deal:B", *(f"A give:{deed}" for deed in given), "A ask_cash:1", "A offer")
    return play(game, "B accept")


@pytest.mark.parametrize(
    ("edition", "interest"),
    [
        *((edition, 18) for edition in EDITIONS if edition != "pokemon_fr2000"),
        ("pokemon_fr2000", 0),
    ],
)
def test_keeping_a_mortgage_costs_a_tenth_at_once_but_in_the_french_book(
    edition: str, interest: int
) -> None:
    """17.50 for Park Place. Source: 000 line 280; 001 line 228; 002 line 264."""
    game = handed_over(edition)
    assert (game.actor, game.phase) == ("B", Phase.DEED)
    play(game, "B keep:park_place")
    assert game.cash == (1501, 1499 - interest)
    assert game.hand("B").mortgaged == ("park_place",)


def test_the_interest_is_paid_again_when_the_mortgage_is_lifted_later() -> None:
    game = position(A={"deeds": ["park_place*"]}, dice=[(4, 6)])
    play(game, "A deal:B", "A give:park_place", "A ask_cash:1", "A offer", "B accept")
    play(game, "B keep:park_place", "A roll", "A end_turn", "B lift:park_place")
    assert game.cash == (1501, 1499 - 18 - 193)


def test_lifting_at_once_costs_the_interest_once() -> None:
    game = play(handed_over(), "B lift:park_place")
    assert game.cash == (1501, 1499 - 193)
    assert game.hand("B").mortgaged == ()


def test_several_are_decided_in_board_order() -> None:
    game = handed_over("classic", "boardwalk", "reading", "water")
    assert game.legal_actions() == ["lift:reading", "keep:reading"]
    assert game.why("lift:water") is Why.NOT_THIS_ONE
    assert game.why("keep:boardwalk") is Why.NOT_THIS_ONE
    play(game, "B keep:reading", "B lift:water", "B keep:boardwalk")
    assert game.cash == (1501, 1499 - 10 - 83 - 20)
    assert (game.actor, game.phase) == ("A", Phase.TURN)


def test_an_estates_mortgages_cost_a_tenth_in_every_book() -> None:
    for edition in EDITIONS:
        game = position(
            3, A={"cash": 0, "deeds": ["park_place*"]},
            B={"deeds": ["reading", "pennsylvania_rr", "bno", "short_line"]}, dice=[(2, 3)],
            edition=edition,
        )  # fmt: skip
        play(game, "A roll", "A bankrupt", "B keep:park_place")
        assert game.cash == (0, 1482, 1500), edition
