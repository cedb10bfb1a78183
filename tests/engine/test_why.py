"""Every refusal has its reason: one small position for each, and none is left out."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Game, Why

pytestmark = pytest.mark.promise("rules")

ORANGES = ["st_james", "tennessee", "new_york"]
BLUES = ["oriental", "vermont", "connecticut"]
Position = dict[str, Any]

# reason: position, actions played first, the action that is refused
REFUSED: dict[Why, tuple[Position, list[str], str]] = {
    Why.WRONG_PHASE: ({}, [], "buy"),
    Why.GAME_OVER: (
        {"A": {"at": "pennsylvania", "cash": 10}, "B": {"deeds": ["boardwalk"]},
         "hidden": {"dice": [[2, 3]]}},
        ["roll", "bankrupt"], "roll",
    ),
    Why.NO_CASH: ({"A": {"cash": 99, "deeds": ORANGES}}, [], "build:new_york"),
    Why.NOT_OWNED: ({}, [], "build:boardwalk"),
    Why.NOT_YOURS: ({"B": {"deeds": ["reading"]}}, [], "mortgage:reading"),
    Why.NOT_THIS_ONE: (
        {"B": {"deeds": ["reading*", "boardwalk*"]}},
        ["deal:B", "ask:reading", "ask:boardwalk", "give_cash:100", "offer", "accept"],
        "keep:boardwalk",
    ),
    Why.NO_GROUP: ({"A": {"deeds": ORANGES[:2]}}, [], "build:tennessee"),
    Why.UNEVEN: ({"A": {"deeds": ORANGES, "buildings": {"st_james": 1}}}, [], "build:st_james"),
    Why.GROUP_MORTGAGED: ({"A": {"deeds": ["st_james*", *ORANGES[1:]]}}, [], "build:new_york"),
    Why.MORTGAGED: ({"A": {"deeds": ["reading*"]}}, [], "mortgage:reading"),
    Why.NOT_MORTGAGED: ({"A": {"deeds": ["reading"]}}, [], "lift:reading"),
    Why.BUILDINGS_IN_GROUP: (
        {"A": {"deeds": ORANGES, "buildings": {"st_james": 1}}}, [], "mortgage:new_york",
    ),
    Why.FULL: (
        {"A": {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 5)}}, [], "build:st_james",
    ),
    Why.NO_BUILDING: ({"A": {"deeds": ORANGES}}, [], "sell:st_james"),
    Why.NO_HOUSES: (
        {"A": {"deeds": ORANGES}, "bank": {"houses": 0, "hotels": 12}}, [], "build:st_james",
    ),
    Why.NO_HOTELS: (
        {"A": {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 4)},
         "bank": {"houses": 4, "hotels": 0}},
        [], "build:st_james",
    ),
    Why.NO_HOTEL_HERE: (
        {"A": {"deeds": ORANGES, "buildings": {"st_james": 1}}}, [], "sell_group:orange",
    ),
    Why.HOTELS_CAN_BREAK: (
        {"A": {"deeds": ORANGES, "buildings": dict.fromkeys(ORANGES, 5)}}, [], "sell_group:orange",
    ),
    Why.ASKED_IN_VAIN: (
        {"A": {"deeds": ORANGES}, "B": {"deeds": BLUES}, "bank": {"houses": 1, "hotels": 12}},
        ["build:st_james", "claim", "pass", "pass"], "build:st_james",
    ),
    Why.BIDDING_ON_BUILDINGS: (
        {"A": {"deeds": ORANGES}, "B": {"deeds": BLUES}, "bank": {"houses": 1, "hotels": 12}},
        ["build:st_james", "claim"], "mortgage:st_james",
    ),
    Why.NOT_IN_JAIL: ({}, [], "jail_pay"),
    Why.NO_CARD: ({"A": {"jail": 0}}, [], "jail_card"),
    Why.MUST_THROW: ({"A": {"jail": 2}, "edition": "pokemon1999"}, [], "jail_pay"),
    Why.BID_TOO_LOW: (
        {"A": {"deeds": ORANGES}, "B": {"deeds": BLUES}, "bank": {"houses": 1, "hotels": 12},
         "edition": "pokemon_fr2000"},
        ["build:st_james", "claim"], "raise:20",
    ),
    Why.BID_STANDS: ({"hidden": {"dice": [[1, 2]]}}, ["roll", "auction", "open"], "open"),
    Why.NO_AUCTIONS: (
        {"rules": {"auctions": False}, "hidden": {"dice": [[1, 2]]}}, ["roll"], "auction",
    ),
    Why.AUCTIONED: ({"hidden": {"dice": [[1, 2]]}}, ["roll"], "pass"),
    Why.CAN_PAY: (
        {"A": {"cash": 0, "deeds": ["boardwalk"]}, "hidden": {"dice": [[1, 3]]}},
        ["roll"], "bankrupt",
    ),
    Why.NO_SUCH_SEAT: ({"A": {"deeds": ["reading"]}}, [], "deal:H"),
    Why.SEAT_OUT: (
        {"players": 3, "A": {"deeds": ["reading"]}, "C": {"out": True}}, [], "deal:C",
    ),
    Why.DEALS_OFF: ({"A": {"deeds": ["reading"]}, "rules": {"deals": "off"}}, [], "deal:B"),
    Why.NO_OFFERS_LEFT: (
        {"A": {"deeds": ["reading"]}, "rules": {"trade_limit": 1}}, ["deal:B", "cancel"], "deal:B",
    ),
    Why.NOTHING_TO_TRADE: ({}, [], "deal:B"),
    Why.ALREADY_IN: (
        {"A": {"deeds": ["reading"]}}, ["deal:B", "give:reading"], "give:reading",
    ),
    Why.OTHER_WAY: ({"A": {"deeds": ["reading"]}}, ["deal:B", "ask_cash:1"], "give_cash:1"),
    Why.PARTNER_NO_CASH: (
        {"A": {"deeds": ["reading"]}, "B": {"cash": 20}}, ["deal:B", "ask_cash:20"], "ask_cash:1",
    ),
    Why.NO_GIFTS: ({"A": {"deeds": ["reading"]}}, ["deal:B", "give:reading"], "offer"),
    Why.NO_INTEREST_CASH: (
        {"A": {"deeds": ["boardwalk*"]}, "B": {"cash": 20}},
        ["deal:B", "give:boardwalk", "ask_cash:1"], "offer",
    ),
    Why.DEBT_UNMET: (
        {"A": {"cash": 0, "deeds": ["reading*"]}, "hidden": {"dice": [[1, 3]]}},
        ["roll", "deal:B", "give:reading", "ask_cash:100"], "offer",
    ),
    Why.NO_MENU: ({}, [], "propose:1"),
    Why.BARRED_SPACE: (
        {"A": {"at": "illinois", "deeds": ["atlantic"]}, "edition": "pokemon1999",
         "rules": {"power_doubles": True}, "hidden": {"dice": [[1, 1]]}},
        ["roll", "power"], "to:jail",
    ),
    Why.NOTHING_TO_ATTACK: (
        {"A": {"at": "vermont"}, "edition": "pokemon1999", "rules": {"power_doubles": True},
         "hidden": {"dice": [[6, 6]]}},
        ["roll"], "power",
    ),
    Why.FULL_GROUP: (
        {"A": {"at": "vermont"}, "B": {"deeds": [*ORANGES, "baltic"]}, "edition": "pokemon1999",
         "rules": {"power_doubles": True}, "hidden": {"dice": [[6, 6]]}},
        ["roll", "power"], "attack:new_york",
    ),
    Why.NOT_A_STREET: ({}, [], "build:reading"),
    Why.PENDING: (  # the interest on a lot from an estate is raised by a deal; the next lot waits
        {"players": 3, "turn": "B", "A": {"cash": 0, "deeds": ["park_place*", "boardwalk*"]},
         "B": {"at": "jail", "cash": 5, "cards": ["card_chance"]},
         "hidden": {"dice": [[3, 4]], "chest": ["cc_birthday"]}},
        ["roll", "bankrupt", "keep:park_place", "deal:C"], "give:boardwalk",
    ),
    Why.WRONG_BUILDING: (
        {"A": {"deeds": [*ORANGES, *BLUES], "buildings": dict.fromkeys(BLUES, 4)},
         "B": {"deeds": ["mediterranean", "baltic"]}, "bank": {"houses": 1, "hotels": 12}},
        ["build:st_james", "claim", "open", "pass"], "build:oriental",
    ),
    Why.NOT_A_DEED: ({}, [], "mortgage:go"),
    Why.NOT_A_STEP: ({}, [], "raise:3"),
    Why.NO_SUCH_ACTION: ({}, [], "sing"),
    Why.NO_MORTGAGES: ({"edition": "mini", "A": {"deeds": ["baltic"]}}, [], "mortgage:baltic"),
}  # fmt: skip


@pytest.mark.parametrize("reason", REFUSED, ids=lambda reason: reason.name)
def test_refused(reason: Why) -> None:
    position, first, refused = REFUSED[reason]
    game = Game.from_position({"players": 2, **position})
    for action in first:
        game.play(action)
    before = game.copy()
    assert game.why(refused) is reason
    assert str(reason)
    with pytest.raises(ValueError, match=r"."):
        game.play(refused)
    assert game == before


def test_no_reason_is_left_out() -> None:
    assert set(REFUSED) == set(Why) - {Why.OK}
