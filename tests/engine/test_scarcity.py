"""The scarce building: who else wants what the Bank has too few of, and its auction."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Why
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from tests.engine.positions import (
    DARK_BLUES,
    LIGHT_BLUES,
    ORANGES,
    SHARED_TEXT,
    options,
    payments,
    play,
    position,
)

LAST_HOUSE = {"houses": 1, "hotels": 12}
RIVALS: dict[str, Any] = {"A": {"deeds": ORANGES}, "B": {"deeds": LIGHT_BLUES}, "bank": LAST_HOUSE}


# --- who is asked ---


def test_the_last_house_goes_at_its_price_where_nobody_else_could_build() -> None:
    game = play(position(A={"deeds": ORANGES}, bank=LAST_HOUSE), "A build:new_york")
    assert payments(game) == [("A", "bank", 100, Reason.BUILDING)]


def test_another_player_who_could_build_is_asked_first() -> None:
    game = play(position(**RIVALS), "A build:new_york")
    assert (game.actor, game.phase, game.legal_actions()) == ("B", Phase.CLAIM, ["pass", "claim"])
    assert game.cash == (1500, 1500)
    play(game, "B pass")
    assert game.cash == (1400, 1500)
    assert game.hand("A").buildings == {"new_york": 1}
    assert (game.actor, game.phase) == ("A", Phase.TURN)


def test_who_could_not_pay_is_not_asked() -> None:
    """A house on a light blue costs 50."""
    for cash, actor in ((49, "A"), (50, "B")):
        game = position(**{**RIVALS, "B": {"deeds": LIGHT_BLUES, "cash": cash}})
        assert play(game, "A build:new_york").actor == actor


def test_who_has_nowhere_to_put_it_is_not_asked() -> None:
    """B's next building is a hotel, or B's group is mortgaged."""
    full = {"deeds": LIGHT_BLUES, "buildings": dict.fromkeys(LIGHT_BLUES, 4)}
    closed = {"deeds": ["oriental*", *LIGHT_BLUES[1:]]}
    for row in (full, closed):
        game = play(position(**{**RIVALS, "B": row}), "A build:new_york")
        assert game.hand("A").buildings == {"new_york": 1}


def test_with_one_for_each_nobody_is_asked() -> None:
    game = position(**{**RIVALS, "bank": {"houses": 2, "hotels": 12}})
    assert play(game, "A build:new_york").cash == (1400, 1500)


def test_the_askers_left_is_asked_first() -> None:
    given = {**RIVALS, "C": {"deeds": DARK_BLUES}}
    game = play(position(3, turn="A", **given), "A build:new_york")
    assert game.actor == "B"
    assert play(game, "B pass").actor == "C"


def test_two_claims_on_two_houses_are_served_without_an_auction() -> None:
    """Three could build, two want to: the asker builds at the listed price."""
    given = {**RIVALS, "C": {"deeds": DARK_BLUES}, "bank": {"houses": 2, "hotels": 12}}
    game = play(position(3, **given), "A build:new_york", "B claim", "C pass")
    assert game.cash == (1400, 1500, 1500)
    assert game.phase is Phase.TURN


def test_hotels_can_be_scarce_too() -> None:
    game = position(
        A={"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 4)},
        B={"deeds": LIGHT_BLUES, "buildings": dict.fromkeys(LIGHT_BLUES, 4)},
        bank={"houses": 8, "hotels": 1},
    )
    play(game, "A build:new_york", "B claim", "A open", "B raise:1", "A pass", "B build:vermont")
    assert game.hand("B").buildings["vermont"] == 5
    assert game.cash == (1500, 1498)


# --- the auction ---


@pytest.mark.parametrize("edition", [*SHARED_TEXT, "pokemon1999"])
def test_a_claimed_house_is_auctioned_from_one_dollar_the_asker_first(edition: str) -> None:
    game = play(position(**RIVALS, edition=edition), "A build:new_york", "B claim")
    assert (game.actor, game.phase) == ("A", Phase.AUCTION)
    assert game.why("raise:1") is Why.OK
    play(game, "A open", "B raise:10", "A pass")
    assert (game.actor, game.phase, game.cash) == ("B", Phase.PLACE, (1500, 1489))


def test_in_the_french_book_it_opens_at_the_lowest_price_on_their_deeds() -> None:
    """50 for a light blue, 100 for an orange. Source: 002 line 252."""
    game = play(position(**RIVALS, edition="pokemon_fr2000"), "A build:new_york", "B claim")
    assert game.why("raise:20") is Why.BID_TOO_LOW
    assert play(game, "A open").state["bid"] == 50


def test_the_winner_puts_the_house_where_it_fits() -> None:
    mine = {"deeds": LIGHT_BLUES, "buildings": {"oriental": 1}}
    game = play(position(**{**RIVALS, "B": mine}), "A build:new_york", "B claim", "A pass")
    play(game, "B open")
    assert options(game, "build") == ["build:vermont", "build:connecticut"]
    play(game, "B build:vermont")
    assert game.hand("B").buildings == {"oriental": 1, "vermont": 1}
    assert game.cash == (1500, 1499)
    assert (game.actor, game.phase) == ("A", Phase.TURN)


def test_a_house_that_was_won_is_no_hotel() -> None:
    mine = {"deeds": [*ORANGES, *DARK_BLUES], "buildings": dict.fromkeys(DARK_BLUES, 4)}
    game = position(**{**RIVALS, "A": mine})
    play(game, "A build:new_york", "B claim", "A open", "B pass")
    assert game.why("build:boardwalk") is Why.WRONG_BUILDING
    assert game.why("build:new_york") is Why.OK


@pytest.mark.parametrize(("level", "stock"), [(0, LAST_HOUSE), (4, {"houses": 8, "hotels": 1})])
def test_a_building_nobody_bids_for_stays_and_is_not_asked_for_again_before_a_throw(
    level: int, stock: dict[str, int]
) -> None:
    rows = {
        player: {"deeds": group, "buildings": dict.fromkeys(group, level) if level else {}}
        for player, group in (("A", ORANGES), ("B", LIGHT_BLUES))
    }
    game = position(**rows, bank=stock, dice=[(4, 6)])
    play(game, "A build:new_york", "B claim", "A pass", "B pass")
    assert {name: int(game.state[name]) for name in stock} == stock
    assert game.why("build:new_york") is Why.ASKED_IN_VAIN
    play(game, "A roll")
    assert (game.phase, game.why("build:new_york")) == (Phase.END, Why.OK)
