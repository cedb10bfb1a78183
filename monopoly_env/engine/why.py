"""The reasons why an action is illegal."""

from __future__ import annotations

from enum import IntEnum


class Why(IntEnum):
    """``OK``, or the first reason why an action is illegal. ``str()`` returns it as a sentence."""

    OK = 0
    WRONG_PHASE = 1
    GAME_OVER = 2
    NO_CASH = 3
    NOT_OWNED = 4
    NOT_YOURS = 5
    NOT_THIS_ONE = 6
    NO_GROUP = 7
    UNEVEN = 8
    GROUP_MORTGAGED = 9
    MORTGAGED = 10
    NOT_MORTGAGED = 11
    BUILDINGS_IN_GROUP = 12
    FULL = 13
    NO_BUILDING = 14
    NO_HOUSES = 15
    NO_HOTELS = 16
    NO_HOTEL_HERE = 17
    HOTELS_CAN_BREAK = 18
    ASKED_IN_VAIN = 19
    BIDDING_ON_BUILDINGS = 20
    NOT_IN_JAIL = 21
    NO_CARD = 22
    MUST_THROW = 23
    BID_TOO_LOW = 24
    BID_STANDS = 25
    NO_AUCTIONS = 26
    AUCTIONED = 27
    CAN_PAY = 28
    NO_SUCH_SEAT = 29
    SEAT_OUT = 30
    DEALS_OFF = 31
    NO_OFFERS_LEFT = 32
    NOTHING_TO_TRADE = 33
    ALREADY_IN = 34
    OTHER_WAY = 35
    PARTNER_NO_CASH = 36
    NO_GIFTS = 37
    NO_INTEREST_CASH = 38
    DEBT_UNMET = 39
    NO_MENU = 40
    BARRED_SPACE = 41
    NOTHING_TO_ATTACK = 42
    FULL_GROUP = 43
    NOT_A_STREET = 44
    PENDING = 45
    WRONG_BUILDING = 46
    NOT_A_DEED = 47
    NOT_A_STEP = 48
    NO_SUCH_ACTION = 49
    NO_MORTGAGES = 50

    def __str__(self) -> str:
        return SENTENCES[self]


SENTENCES: dict[Why, str] = {
    Why.OK: "legal",
    Why.WRONG_PHASE: "not possible in this phase",
    Why.GAME_OVER: "the game is over",
    Why.NO_CASH: "not enough cash",
    Why.NOT_OWNED: "nobody owns it yet",
    Why.NOT_YOURS: "it belongs to another player",
    Why.NOT_THIS_ONE: "another deed is being decided",
    Why.NO_GROUP: "the color group is not complete",
    Why.UNEVEN: "buildings of a group must go up and come down evenly",
    Why.GROUP_MORTGAGED: "a deed of the group is mortgaged",
    Why.MORTGAGED: "it is already mortgaged",
    Why.NOT_MORTGAGED: "it is not mortgaged",
    Why.BUILDINGS_IN_GROUP: "there are buildings on its group",
    Why.FULL: "there is already a hotel",
    Why.NO_BUILDING: "there is no building",
    Why.NO_HOUSES: "the Bank has too few houses",
    Why.NO_HOTELS: "the Bank has no hotel left",
    Why.NO_HOTEL_HERE: "the group has no hotel",
    Why.HOTELS_CAN_BREAK: "its hotels can be exchanged for houses one by one",
    Why.ASKED_IN_VAIN: "already asked for without success; ask again after the next throw",
    Why.BIDDING_ON_BUILDINGS: "not while bidding for a building",
    Why.NOT_IN_JAIL: "the player is not in Jail",
    Why.NO_CARD: "no Get Out of Jail Free card",
    Why.MUST_THROW: "the fine cannot be paid before this throw",
    Why.BID_TOO_LOW: "the first bid must reach the opening price",
    Why.BID_STANDS: "there is already a bid",
    Why.NO_AUCTIONS: "this game has no auctions",
    Why.AUCTIONED: "a declined property is auctioned in this game",
    Why.CAN_PAY: "the debt can be met by selling buildings and mortgaging",
    Why.NO_SUCH_SEAT: "no player sits there",
    Why.SEAT_OUT: "that player is out of the game",
    Why.DEALS_OFF: "this game has no deals composed in steps",
    Why.NO_OFFERS_LEFT: "no offers are left until the player's next throw",
    Why.NOTHING_TO_TRADE: "neither side has anything to trade",
    Why.ALREADY_IN: "it is already in the offer",
    Why.OTHER_WAY: "cash goes the other way in this offer",
    Why.PARTNER_NO_CASH: "the other side does not have enough cash",
    Why.NO_GIFTS: "each side must give something",
    Why.NO_INTEREST_CASH: "a receiver could not raise the interest on its mortgaged deeds",
    Why.DEBT_UNMET: "the debt could not be met after this deal",
    Why.NO_MENU: "the deal menu has no such offer",
    Why.BARRED_SPACE: "that space is barred",
    Why.NOTHING_TO_ATTACK: "there is no street to attack",
    Why.FULL_GROUP: "it belongs to a complete group",
    Why.NOT_A_STREET: "it is not a street",
    Why.PENDING: "its new owner has not decided about its mortgage yet",
    Why.WRONG_BUILDING: "the building that was won does not fit there",
    Why.NOT_A_DEED: "that space has no deed",
    Why.NOT_A_STEP: "cash goes in steps of 1, 2, 5, 10, 20, 50, 100, 200 and 500",
    Why.NO_SUCH_ACTION: "there is no such action",
    Why.NO_MORTGAGES: "this game has no mortgages",
}
