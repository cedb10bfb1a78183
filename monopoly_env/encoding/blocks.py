"""The observation as a list of named blocks: what every number is, its unit and range.

The kernel in :mod:`monopoly_env.encoding.observation` takes its offsets from this table, and so
does the documentation; nothing is counted by hand. A change here is a new observation version.
"""

from __future__ import annotations

from dataclasses import dataclass

from monopoly_env.engine.actions import ITEM, OFFERS
from monopoly_env.engine.board import DEEDS, GROUP_IDS, PLAYERS, SPACE_IDS
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.engine.rules import SWITCHES

OBSERVATION_VERSION = 1

SEATS = ("self", *(f"left{offset}" for offset in range(1, PLAYERS)))
DEED_LABELS = tuple(SPACE_IDS[square] for square in DEEDS)
PHASE_LABELS = tuple(phase.name for phase in Phase if phase is not Phase.OVER)

# What is shown of each offer of the deal menu, in order; and where each of these facts stands
OFFER_FACTS = (
    "there is such an offer",
    "partner, seats to the left / 7",
    "deed given, board order / 28",
    "deed asked for, board order / 28",
    "cash received (negative: paid)",
    "my complete groups gained / 2",
    "partner's complete groups gained / 2",
    "share of list prices received",
)
OFFER_SIZE = len(OFFER_FACTS)
OFFER_EXISTS, OFFER_PARTNER, OFFER_GIVEN, OFFER_ASKED = range(4)
OFFER_CASH, OFFER_OWN_GROUPS, OFFER_PARTNER_GROUPS, OFFER_SHARE = range(4, OFFER_SIZE)

# Dollars that are shown as one half: money is x / (x + scale)
PRICE_SCALE = 200  # of bids, rents and claims, and of the cash in an offer of the menu
DEBT_SCALE = 500  # of debts, and of the cash in the deal on the table
CASH_SCALE = 1000  # of cash in hand or to be had, and of what is under Free Parking
WORTH_SCALE = 4000  # of net worth


@dataclass(frozen=True)
class Block:
    """A named run of numbers in the observation."""

    name: str
    labels: tuple[str, ...]
    unit: str
    low: float
    high: float
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return len(self.labels)


def _pairs(rows: tuple[str, ...], columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{row}.{column}" for row in rows for column in columns)


GROUP_LABELS = GROUP_IDS
ONE = ("",)


def _money(name: str, labels: tuple[str, ...], scale: int, meaning: str) -> Block:
    return Block(name, labels, f"$ as x / (x + {scale})", 0, 1, meaning)


BLOCKS: tuple[Block, ...] = (
    # The seats, self first
    Block("alive", SEATS, "yes/no", 0, 1, "plays and is still in the game"),
    _money("cash", SEATS, CASH_SCALE, "cash in hand"),
    _money("worth", SEATS, WORTH_SCALE, "net worth as the ending counts it"),
    Block("position", SEATS, "square / 39", 0, 1, "where the token stands"),
    Block("in_jail", SEATS, "yes/no", 0, 1, "in Jail"),
    Block("jail_tries", SEATS, "throws / jail_tries", 0, 1, "throws failed there"),
    Block("card_chance", SEATS, "yes/no", 0, 1, "keeps the Chance Jail card"),
    Block("card_chest", SEATS, "yes/no", 0, 1, "keeps the Community Chest Jail card"),
    Block("offers_left", SEATS, "offers / trade_limit", 0, 1, "offers before the next own throw"),
    Block("refused", SEATS, "offers / 4", 0, 1, "own offers refused since the last own throw"),
    Block("turn", SEATS, "yes/no", 0, 1, "whose turn it is"),
    Block("laps", SEATS, "laps / 4", 0, 1, "times GO was reached or passed, up to 4"),
    # The deeds
    Block("owner", _pairs(SEATS, DEED_LABELS), "yes/no", 0, 1, "who owns each deed; none: the Bank"),
    Block("mortgaged", DEED_LABELS, "yes/no", 0, 1, "mortgaged"),
    Block("level", DEED_LABELS, "buildings / 5", 0, 1, "houses; a hotel is 5"),
    Block("price", DEED_LABELS, "$ / 400", 0, 4, "printed price, up to $1,600"),
    _money("rent", DEED_LABELS, PRICE_SCALE, "what landing there costs now"),
    Block("complete", DEED_LABELS, "yes/no", 0, 1, "its owner has the whole group"),
    Block("pending", DEED_LABELS, "yes/no", 0, 1, "received mortgaged, not settled yet"),
    # The Bank
    Block("houses", ONE, "houses / 32", 0, 2, "houses in the Bank"),
    Block("hotels", ONE, "hotels / 12", 0, 2, "hotels in the Bank"),
    _money("pot", ONE, CASH_SCALE, "under Free Parking"),
    # Where I stand
    Block("square", SPACE_IDS, "yes/no", 0, 1, "own position"),
    Block("distance", DEED_LABELS, "spaces / 40", 0, 1, "forward from the own position"),
    # Groups
    Block("group_share", _pairs(SEATS, GROUP_LABELS), "share", 0, 1, "part of the group owned"),
    Block("group_complete", _pairs(SEATS, GROUP_LABELS), "yes/no", 0, 1, "all of it owned"),
    Block("group_lacking", _pairs(SEATS, GROUP_LABELS), "deeds / 4", 0, 1, "lacking, if any is owned"),
    # The decision
    Block("phase", PHASE_LABELS, "yes/no", 0, 1, "what is decided"),
    Block("actor", SEATS, "yes/no", 0, 1, "who decides"),
    Block("subject", DEED_LABELS, "yes/no", 0, 1, "the deed it is about"),
    Block("lot", tuple(lot.name for lot in AuctionLot), "yes/no", 0, 1, "what is auctioned or claimed"),
    _money("bid", ONE, PRICE_SCALE, "standing bid"),
    _money("opening", ONE, PRICE_SCALE, "what the first bid must reach"),
    Block("high_bidder", SEATS, "yes/no", 0, 1, "whose bid stands"),
    Block("bidders", SEATS, "yes/no", 0, 1, "still in the auction, or claiming the building"),
    _money("debt", ONE, DEBT_SCALE, "what is owed in all"),
    _money("shortfall", ONE, DEBT_SCALE, "what the debtor's cash lacks"),
    _money("raisable", ONE, CASH_SCALE, "what I could have by selling and mortgaging"),
    Block("debtor", SEATS, "yes/no", 0, 1, "who owes"),
    Block("creditor", (*SEATS, "bank", "everyone"), "yes/no", 0, 1, "to whom"),
    Block("debt_rent", ONE, "yes/no", 0, 1, "the debt is a rent"),
    Block("debt_deals", ONE, "offers / debt_trade_limit", 0, 1, "offers begun within the debt"),
    _money("claim", ONE, PRICE_SCALE, "rent that may be asked for"),
    Block("claim_times", ONE, "× throw / 10", 0, 10, "the same, times a fresh throw"),
    Block("claim_debtor", SEATS, "yes/no", 0, 1, "who would owe it"),
    Block("double", ("1", "2", "3", "4", "5", "6"), "yes/no", 0, 1, "the double that gives a power"),
    Block("denied", ("house", "hotel"), "yes/no", 0, 1, "asked in vain for such a building"),
    # The deal on the table, as the observer gives and gets
    Block("deal_with", SEATS, "yes/no", 0, 1, "the other side"),
    Block("deal_give", ITEM.labels, "yes/no", 0, 1, "what I give"),
    Block("deal_get", ITEM.labels, "yes/no", 0, 1, "what I get"),
    _money("deal_give_cash", ONE, DEBT_SCALE, "cash I give"),
    _money("deal_get_cash", ONE, DEBT_SCALE, "cash I get"),
    Block("deal_my_share", GROUP_LABELS, "share", -1, 1, "change of my part of each group"),
    Block("deal_their_share", GROUP_LABELS, "share", -1, 1, "change of the other side's part"),
    Block("deal_complete", ("mine", "theirs"), "groups / 4", -2.5, 2.5, "complete groups gained"),
    # The deal menu
    Block(
        "menu",
        _pairs(tuple(str(number) for number in range(1, OFFERS + 1)), OFFER_FACTS),
        "see label", -1, 1, "the offers of the deal menu, for the actor only",
    ),
    # The throw, the clock
    Block("dice", ("first", "second"), "pips / 6", 0, 1, "the last throw"),
    Block("doubles", ONE, "throws / 3", 0, 1, "doubles thrown in this turn"),
    Block("clock", ("turns / max_turns", "decisions / max_decisions", "rounds / time_limit_rounds"),
          "share", 0, 2, "how much of each limit is used"),
    # The rules in force
    Block("rules", SWITCHES, "see engine.rules.scaled", 0, 1, "every number and switch but the board's"),
)  # fmt: skip

OFFSETS: dict[str, int] = {}
OBSERVATION_SIZE = 0
for _block in BLOCKS:
    OFFSETS[_block.name] = OBSERVATION_SIZE
    OBSERVATION_SIZE += _block.size


def labels() -> tuple[str, ...]:
    """Return one label a number: ``block.label``."""
    return tuple(
        f"{block.name}.{label}" if label else block.name
        for block in BLOCKS
        for label in block.labels
    )
