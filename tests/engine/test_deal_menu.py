"""The deal menu: whole offers, by number."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Game, Why
from monopoly_env.editions import load_edition
from monopoly_env.engine import deal_menu
from monopoly_env.engine.phases import Phase
from tests.engine.positions import options, play, position

MENU: dict[str, object] = {"deals": "menu"}
ORANGE = 3 * 3  # group 3: offers 10, 11 and 12


def menu(players: int = 2, **given: Any) -> Game:
    return position(players, rules=MENU, **given)


@pytest.mark.parametrize(
    ("deeds", "offer", "price"),
    [
        ([], ORANGE + 1, 150),  # 3/4 of 200: the first of the group
        (["st_james"], ORANGE + 1, 220),  # 11/10
        (["st_james", "tennessee"], ORANGE + 1, 220),
        ([], ORANGE + 2, 250),  # 5/4: it completes nothing
        (["st_james"], ORANGE + 2, 250),
        (["st_james", "tennessee"], ORANGE + 2, 520),  # 13/5: it completes the group
    ],
)
def test_a_street_that_is_lacking_is_bought_low_or_high(
    deeds: list[str], offer: int, price: int
) -> None:
    game = menu(A={"deeds": deeds}, B={"deeds": ["new_york"]})
    play(game, f"A propose:{offer}")
    assert (game.actor, game.phase) == ("B", Phase.ANSWER)
    play(game, "B accept")
    assert game.owner("new_york") == "A"
    assert game.cash == (1500 - price, 1500 + price)


def test_the_cheapest_of_a_group_is_asked_for_first() -> None:
    game = menu(3, B={"deeds": ["new_york"]}, C={"deeds": ["tennessee"]})
    play(game, f"A propose:{ORANGE + 1}", "C accept")
    assert game.owner("tennessee") == "A"


def test_a_swap_evens_out_list_prices_and_a_tenth_on_top() -> None:
    """New York at 200 for Virginia at 160, which B lacks of the pinks: 40 and 20 to B."""
    game = menu(
        A={"deeds": ["st_james", "virginia"]}, B={"deeds": ["new_york", "states"]},
    )  # fmt: skip
    play(game, f"A propose:{ORANGE + 3}", "B accept")
    assert (game.owner("new_york"), game.owner("virginia")) == ("A", "B")
    assert game.cash == (1440, 1560)


@pytest.mark.parametrize(("offer", "price"), [(31, 180), (32, 400)])
def test_the_least_useful_lone_deed_is_sold_under_or_at_twice_its_price(
    offer: int, price: int
) -> None:
    """9/10 or twice of 200 for Reading; the two oranges stand beside each other."""
    game = menu(A={"deeds": ["reading", "st_james", "tennessee"]})
    play(game, f"A propose:{offer}", "B accept")
    assert game.owner("reading") == "B"
    assert game.cash == (1500 + price, 1500 - price)


def test_it_is_sold_to_whom_it_serves_best() -> None:
    game = menu(3, A={"deeds": ["water"]}, C={"deeds": ["electric"]})
    assert play(game, "A propose:31").actor == "C"


def test_what_the_rules_or_somebodys_cash_forbid_is_left_out() -> None:
    game = menu(A={"deeds": [], "cash": 149}, B={"deeds": ["new_york"]})
    assert options(game, "propose") == []
    assert game.why(f"propose:{ORANGE + 1}") is Why.NO_CASH
    assert game.why("propose:1") is Why.NO_MENU
    for cash, offers in ((179, []), (180, ["propose:31"])):
        game = menu(A={"deeds": ["reading"]}, B={"cash": cash})
        assert options(game, "propose") == offers


def test_offers_are_counted_as_composed_ones_are() -> None:
    game = position(B={"deeds": ["new_york"]}, rules={**MENU, "trade_limit": 1})
    play(game, f"A propose:{ORANGE + 1}", "B reject")
    assert game.why(f"propose:{ORANGE + 1}") is Why.NO_OFFERS_LEFT


def test_without_a_menu_nothing_is_proposed_and_with_one_nothing_composed() -> None:
    assert position(B={"deeds": ["new_york"]}).why(f"propose:{ORANGE + 1}") is Why.NO_MENU
    assert menu(B={"deeds": ["new_york"]}).why("deal:B") is Why.DEALS_OFF


def test_a_deed_of_a_complete_group_is_no_lone_one() -> None:
    game = menu(A={"deeds": ["park_place", "boardwalk"]})
    assert options(game, "propose") == []


@pytest.mark.parametrize(
    ("edition", "price", "share", "dollars"),
    [
        ("classic", 200, 22, 220),
        ("classic", 60, 15, 45),
        ("classic", 350, 15, 263),
        ("mini", 200, 22, 300),
        ("mini", 200, 20, 200),
    ],
)
def test_shares_of_a_price_are_rounded_up(
    edition: str, price: int, share: int, dollars: int
) -> None:
    assert deal_menu.share(load_edition(edition).rules[0], price, share) == dollars
