"""The RULES record: all numbers and switches of an edition, which is all that compiled code reads.

Compiled code never checks which edition is played: every difference between rule books is a value
here. ``low`` and ``high`` limit the values in edition files and overrides.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any

from monopoly_env.compiler.records import Field, dtype_of, fields, new_records
from monopoly_env.engine.board import HOTEL, SPACES
from monopoly_env.engine.state import Float32s, Int8s, Int32s

SWITCH_ROOM = 64  # maximum number of single values
CARDS = 40  # capacity for card ids; decks.py names those in use


class Deals(IntEnum):
    """The forms of deals."""

    OFF = 0
    STEPS = 1  # deal, give, ask, …, offer
    MENU = 2  # propose:1 to propose:32


@dataclass(frozen=True)
class Rule(Field):
    """A field of RULES: a Field with a range of allowed values."""

    low: int = 0
    high: int = 1


class RuleSet:
    """The rules in force. The unit is dollars unless another is given; yes is 1, no is 0."""

    # The board
    price: Annotated[Int32s, Rule("i4", (SPACES,), "$", "printed price of each deed", 0, 100_000)]
    mortgage: Annotated[
        Int32s, Rule("i4", (SPACES,), "$", "mortgage value of each deed", 0, 100_000)
    ]
    house_price: Annotated[Int32s, Rule("i4", (SPACES,), "$", "price of a house", 0, 100_000)]
    hotel_price: Annotated[
        Int32s, Rule("i4", (SPACES,), "$", "price of a hotel, on top of its houses", 0, 100_000)
    ]
    rent: Annotated[
        Int32s,
        Rule(
            "i4",
            (SPACES, HOTEL + 1),
            "$",
            "rent of each street: bare, 1 to 4 houses, hotel",
            0,
            100_000,
        ),
    ]
    railroad_rent: Annotated[Int32s, Rule("i4", (4,), "$", "rent by railroads owned", 0, 100_000)]
    utility_multiplier: Annotated[
        Int8s, Rule("i1", (2,), "× throw", "rent by utilities owned", 0, 100)
    ]
    tax: Annotated[Int32s, Rule("i4", (SPACES,), "$", "amount of each tax", 0, 100_000)]
    tax_percent: Annotated[
        Int8s,
        Rule(
            "i1",
            (SPACES,),
            "%",
            "share of total worth that may be paid instead; 0: no choice",
            0,
            100,
        ),
    ]

    # The decks, by card id
    card_kind: Annotated[Int8s, Rule("i1", (CARDS,), "CardKind", "kind of each card", 0, 20)]
    card_amount: Annotated[
        Int32s, Rule("i4", (CARDS,), "$ or spaces", "amount, per house for repairs", 0, 100_000)
    ]
    card_hotel: Annotated[Int32s, Rule("i4", (CARDS,), "$", "per hotel for repairs", 0, 100_000)]
    card_square: Annotated[Int8s, Rule("i1", (CARDS,), "square", "target of a move card", 0, 39)]
    deck: Annotated[
        Int8s, Rule("i1", (2, 16), "card", "the cards of Chance and Chest", -1, CARDS - 1)
    ]
    deck_size: Annotated[Int8s, Rule("i1", (2,), "cards", "cards in each deck", 1, 16)]

    # Setting up
    start_cash: Annotated[int, Rule("i4", (), "$", "cash each player starts with", 0, 1_000_000)]
    deal_count: Annotated[
        int, Rule("i1", (), "deeds", "deeds dealt to each player at the start", 0, 3)
    ]
    deal_paid: Annotated[int, Rule("i1", (), "yes/no", "dealt deeds must be paid for at once")]
    houses: Annotated[int, Rule("i2", (), "buildings", "houses in the game", 0, 1000)]
    hotels: Annotated[int, Rule("i2", (), "buildings", "hotels in the game", 0, 1000)]

    # GO
    salary: Annotated[int, Rule("i4", (), "$", "for reaching or passing GO", 0, 100_000)]
    landing_bonus: Annotated[
        int, Rule("i4", (), "$", "on top of the salary for landing on GO", 0, 100_000)
    ]

    # Buying and auctions
    auctions: Annotated[
        int, Rule("i1", (), "yes/no", "declined property and bankrupts' deeds are auctioned")
    ]
    auction_opening: Annotated[int, Rule("i4", (), "$", "minimum first bid for a deed", 1, 100_000)]
    buy_after_laps: Annotated[
        int, Rule("i1", (), "laps", "times GO must be passed before buying", 0, 10)
    ]

    # Rent
    rent_asked: Annotated[int, Rule("i1", (), "yes/no", "owners must ask for rent")]
    rent_deadline: Annotated[
        int,
        Rule(
            "i1",
            (),
            "players",
            "rent can be asked for until this many later players have begun to throw",
            1,
            2,
        ),
    ]
    double_rent_beside_mortgage: Annotated[
        int,
        Rule(
            "i1",
            (),
            "yes/no",
            "bare lots of a complete group earn double even if one lot is mortgaged",
        ),
    ]
    utility_fresh_throw: Annotated[
        int, Rule("i1", (), "yes/no", "utilities always take a fresh throw")
    ]

    # Jail
    jail_fine: Annotated[int, Rule("i4", (), "$", "fine for leaving Jail", 0, 100_000)]
    jail_tries: Annotated[
        int,
        Rule(
            "i1", (), "throws", "throws for a double; after the last the fine must be paid", 1, 10
        ),
    ]
    jail_fine_tries: Annotated[
        int, Rule("i1", (), "throws", "the fine may be paid before this many throws", 0, 10)
    ]

    # Building
    hotel_houses: Annotated[
        int, Rule("i1", (), "houses", "houses on each lot before a hotel", 3, 4)
    ]
    even_building: Annotated[int, Rule("i1", (), "yes/no", "buildings go up and come down evenly")]
    limited_buildings: Annotated[int, Rule("i1", (), "yes/no", "the Bank can run out of buildings")]
    sell_group_always: Annotated[
        int, Rule("i1", (), "yes/no", "all hotels of a group may be sold at once at any time")
    ]
    scarce_opens_at_price: Annotated[
        int,
        Rule(
            "i1",
            (),
            "yes/no",
            "scarce buildings open at the lowest price on the bidders' deeds, not at 1",
        ),
    ]

    # Mortgages
    lift_percent: Annotated[int, Rule("i1", (), "%", "interest when lifting a mortgage", 0, 100)]
    mortgage_beside_buildings: Annotated[
        int,
        Rule(
            "i1", (), "yes/no", "a bare lot may be mortgaged while others of its group are built on"
        ),
    ]
    deal_keep_percent: Annotated[
        int, Rule("i1", (), "%", "due at once for keeping a mortgage received in a deal", 0, 100)
    ]
    bankrupt_keep_percent: Annotated[
        int,
        Rule("i1", (), "%", "due at once for keeping a mortgage received from a bankrupt", 0, 100),
    ]

    # Deals
    deals: Annotated[
        int, Rule("i1", (), "Deals", "0 off, 1 composed in steps, 2 whole offers from a menu", 0, 2)
    ]
    trade_limit: Annotated[
        int, Rule("i1", (), "offers", "offers a player may begin between two own throws", 0, 20)
    ]
    debt_trade_limit: Annotated[
        int, Rule("i1", (), "offers", "offers a player may begin within one debt", 0, 20)
    ]
    gifts: Annotated[int, Rule("i1", (), "yes/no", "a deal may give something for nothing")]
    property_for_debt: Annotated[
        int,
        Rule("i1", (), "yes/no", "a rent may be met partly in property if the creditor accepts"),
    ]

    # Debts and the end
    bankrupt_mortgages: Annotated[
        int, Rule("i1", (), "yes/no", "a player who goes bankrupt to another first mortgages all")
    ]
    creditors_in_turn: Annotated[
        int,
        Rule(
            "i1",
            (),
            "yes/no",
            "several creditors of one card are paid in turn, not together",
        ),
    ]
    end_bankruptcies: Annotated[
        int,
        Rule(
            "i1",
            (),
            "players",
            "bankruptcies that end the game; 0: the last player left wins",
            0,
            7,
        ),
    ]
    time_limit_rounds: Annotated[
        int, Rule("i2", (), "rounds", "rounds after which the richest wins; 0: no limit", 0, 10_000)
    ]

    # Optional rules
    power_doubles: Annotated[int, Rule("i1", (), "yes/no", "Pokémon Power Doubles")]
    power_rest: Annotated[int, Rule("i4", (), "$", "double 2 gets this from the Bank", 0, 100_000)]
    power_leech: Annotated[
        int, Rule("i4", (), "$", "double 3 takes this from each other player", 0, 100_000)
    ]
    free_parking_jackpot: Annotated[
        int, Rule("i1", (), "yes/no", "taxes, fees and fines collect under Free Parking")
    ]

    # The table
    between_windows: Annotated[int, Rule("i1", (), "yes/no", "everybody may act between turns")]
    max_turns: Annotated[
        int,
        Rule("i4", (), "turns", "player turns after which a game is truncated", 1, 1_000_000_000),
    ]
    max_decisions: Annotated[
        int,
        Rule("i4", (), "decisions", "actions after which a game is truncated", 1, 2_000_000_000),
    ]

    # What makes a small board of the forty spaces; all 0 on the whole one. See layout in an
    # edition file. No switch, so that observations are the same with and without them.
    route: Annotated[
        Int8s,
        Field(
            "i1",
            (SPACES,),
            "square",
            "the space after each one on the way round, NOBODY off it; all 0: the whole board",
        ),
    ]
    no_mortgages: Annotated[int, Field("i1", (), "yes/no", "the Bank lends nothing on deeds")]
    menu_unit: Annotated[
        int, Field("i1", (), "$", "the deal menu rounds up to multiples of it; 0: whole dollars")
    ]

    # What the observation shows of the single values above
    switches: Annotated[
        Float32s, Field("f4", (SWITCH_ROOM,), "share", "the single values, by set_switches")
    ]


RULES = dtype_of(RuleSet)
_FIELDS = fields(RuleSet)
SWITCHES: tuple[str, ...] = tuple(
    name for name, rule in _FIELDS.items() if isinstance(rule, Rule) and not rule.shape
)
LAYOUT = ("route", "no_mortgages", "menu_unit")  # the last fields of the record
LAYOUT_AT: int = dict(RULES.fields or {})[LAYOUT[0]][1]  # where they begin, in bytes


def new_rules(n: int = 1) -> Any:
    """Return ``n`` blank RULES records; :mod:`monopoly_env.editions.loader` fills them."""
    return new_records(n, RULES)


def scaled(name: str, value: int) -> float:
    """Return a switch as in the observation, 0 to 1: a share of its range, or x / (x + 1000)."""
    rule = _FIELDS[name]
    high = rule.high if isinstance(rule, Rule) else 1
    return value / high if high <= 100 else value / (value + 1000)


def set_switches(rules: Any) -> None:
    """Update ``rules.switches``, the scaled copy of all single values."""
    for record in rules:
        shown = [scaled(name, int(record[name])) for name in SWITCHES]
        record["switches"][: len(shown)] = shown
