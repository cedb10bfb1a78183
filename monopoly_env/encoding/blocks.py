"""The observation as a list of named blocks, with the meaning, unit and range of every number.

The kernel in :mod:`monopoly_env.encoding.observation` and the documentation take their offsets from
this table. A change here is a new observation version.
"""

from __future__ import annotations

from dataclasses import dataclass

from monopoly_env.engine.actions import ITEM, OFFERS
from monopoly_env.engine.board import DEEDS, GROUP_IDS, PLAYERS, SPACE_IDS
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.engine.rules import SWITCHES

OBSERVATION_VERSION = 2

SEATS = ("self", *(f"left{offset}" for offset in range(1, PLAYERS)))
DEED_LABELS = tuple(SPACE_IDS[square] for square in DEEDS)
PHASE_LABELS = tuple(phase.name for phase in Phase if phase is not Phase.OVER)

# The features of each offer of the deal menu, in order, and their indices
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

# Money is encoded as x / (x + scale), so an amount of `scale` dollars becomes 0.5
PRICE_SCALE = 200  # bids, rents, claims, and cash in a menu offer
DEBT_SCALE = 500  # debts, and cash in the deal being negotiated
CASH_SCALE = 1000  # cash in hand, cash that can be raised, and Free Parking
WORTH_SCALE = 4000  # net worth
COUNT_SCALE = 8  # counts of offers are encoded in the same way
COUNT_UNIT = f"offers as x / (x + {COUNT_SCALE})"
MOST_BUILDINGS = 20


@dataclass(frozen=True)
class Block:
    """A named range of numbers in the observation."""

    name: str
    labels: tuple[str, ...]
    unit: str
    low: float
    high: float
    meaning: str

    @property
    def size(self) -> int:
        """The number of features in the block."""
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
    _money("worth", SEATS, WORTH_SCALE, "net worth, as in the final standings"),
    Block("position", SEATS, "square / 39", 0, 1, "where the token stands"),
    Block("in_jail", SEATS, "yes/no", 0, 1, "in Jail"),
    Block("jail_tries", SEATS, "throws / jail_tries", 0, 1, "failed throws in Jail"),
    Block("card_chance", SEATS, "yes/no", 0, 1, "holds the Chance Jail card"),
    Block("card_chest", SEATS, "yes/no", 0, 1, "holds the Community Chest Jail card"),
    Block("offers_left", SEATS, "offers / trade_limit", 0, 1, "offers before the next own throw"),
    Block("refused", SEATS, "offers / 4", 0, 1, "own offers refused since the last own throw"),
    Block("turn", SEATS, "yes/no", 0, 1, "whose turn it is"),
    Block("laps", SEATS, "laps / 4", 0, 1, "times GO was reached or passed, up to 4"),
    # The deeds
    Block("owner", _pairs(SEATS, DEED_LABELS), "yes/no", 0, 1, "each deed's owner; none: Bank"),
    Block("mortgaged", DEED_LABELS, "yes/no", 0, 1, "mortgaged"),
    Block("level", DEED_LABELS, "buildings / 5", 0, 1, "houses; a hotel is 5"),
    Block("price", DEED_LABELS, "$ / 400", 0, 4, "printed price, up to $1,600"),
    _money("rent", DEED_LABELS, PRICE_SCALE, "what landing there costs now"),
    Block("complete", DEED_LABELS, "yes/no", 0, 1, "its owner has the complete group"),
    Block("pending", DEED_LABELS, "yes/no", 0, 1, "received mortgaged, undecided"),
    # The Bank
    Block("houses", ONE, "houses / 32", 0, 2, "houses in the Bank"),
    Block("hotels", ONE, "hotels / 12", 0, 2, "hotels in the Bank"),
    _money("pot", ONE, CASH_SCALE, "money under Free Parking"),
    # Own position
    Block("square", SPACE_IDS, "yes/no", 0, 1, "own position"),
    Block("distance", DEED_LABELS, "spaces / 40", 0, 1, "spaces ahead of the own position"),
    # Groups
    Block("group_share", _pairs(SEATS, GROUP_LABELS), "share", 0, 1, "part of the group owned"),
    Block("group_complete", _pairs(SEATS, GROUP_LABELS), "yes/no", 0, 1, "complete group owned"),
    Block("group_lacking", _pairs(SEATS, GROUP_LABELS), "deeds / 4", 0, 1, "missing, if any owned"),
    # The decision
    Block("phase", PHASE_LABELS, "yes/no", 0, 1, "phase of the decision"),
    Block("actor", SEATS, "yes/no", 0, 1, "player who decides"),
    Block("subject", DEED_LABELS, "yes/no", 0, 1, "deed that the decision is about"),
    Block("lot", tuple(lot.name for lot in AuctionLot), "yes/no", 0, 1, "what is auctioned or claimed"),
    _money("bid", ONE, PRICE_SCALE, "standing bid"),
    _money("opening", ONE, PRICE_SCALE, "minimum of the first bid"),
    Block("high_bidder", SEATS, "yes/no", 0, 1, "highest bidder"),
    Block("bidders", SEATS, "yes/no", 0, 1, "still in the auction, or claiming the building"),
    _money("debt", ONE, DEBT_SCALE, "total owed"),
    _money("shortfall", ONE, DEBT_SCALE, "part of it that exceeds the debtor's cash"),
    _money("raisable", ONE, CASH_SCALE, "own cash after selling and mortgaging everything"),
    Block("debtor", SEATS, "yes/no", 0, 1, "debtor"),
    Block("creditor", (*SEATS, "bank", "everyone"), "yes/no", 0, 1, "creditor"),
    Block("debt_rent", ONE, "yes/no", 0, 1, "the debt is a rent"),
    Block("debt_deals", ONE, "offers / debt_trade_limit", 0, 1, "offers begun during the debt"),
    _money("claim", ONE, PRICE_SCALE, "rent that may be asked for"),
    Block("claim_times", ONE, "× throw / 10", 0, 10, "or this many times a fresh throw"),
    Block("claim_debtor", SEATS, "yes/no", 0, 1, "player who would owe it"),
    Block("double", ("1", "2", "3", "4", "5", "6"), "yes/no", 0, 1, "double that grants a power"),
    Block("denied", ("house", "hotel"), "yes/no", 0, 1, "asked for one and did not get it"),
    # The current deal, from the observer's side
    Block("deal_with", SEATS, "yes/no", 0, 1, "other side of the deal"),
    Block("deal_give", ITEM.labels, "yes/no", 0, 1, "what I give"),
    Block("deal_get", ITEM.labels, "yes/no", 0, 1, "what I get"),
    _money("deal_give_cash", ONE, DEBT_SCALE, "cash I give"),
    _money("deal_get_cash", ONE, DEBT_SCALE, "cash I get"),
    Block("deal_my_share", GROUP_LABELS, "share", -1, 1, "change of my share of each group"),
    Block("deal_their_share", GROUP_LABELS, "share", -1, 1, "change of the other side's share"),
    Block("deal_complete", ("mine", "theirs"), "groups / 4", -2.5, 2.5, "complete groups gained"),
    # The deal menu
    Block(
        "menu",
        _pairs(tuple(str(number) for number in range(1, OFFERS + 1)), OFFER_FACTS),
        "see label", -1, 1, "offers of the deal menu; for the actor only",
    ),
    # The throw, the clock
    Block("dice", ("first", "second"), "pips / 6", 0, 1, "the last throw"),
    Block("doubles", ONE, "throws / 3", 0, 1, "doubles thrown in this turn"),
    Block("clock", ("turns / max_turns", "decisions / max_decisions", "rounds / time_limit_rounds"),
          "share", 0, 2, "used share of each limit"),
    # The rules in force
    Block("rules", SWITCHES, "see engine.rules.scaled", 0, 1, "all rules but the board's numbers"),
    # Since version 2, for each seat: the token as a point on a circle, the means, the past offers
    Block("around_x", SEATS, "cosine", -1, 1, "position: square / 40 of the way around a circle"),
    Block("around_y", SEATS, "sine", -1, 1, "the same position's other coordinate"),
    _money("could_raise", SEATS, CASH_SCALE, "cash after selling and mortgaging everything"),
    Block("could_build", SEATS, "buildings / 20", 0, 1,
          "buildings on complete groups that the cash pays for, up to 20"),
    Block("offers_made", SEATS, COUNT_UNIT, 0, 1, "own offers answered so far, up to 100"),
    Block("offers_accepted", SEATS, COUNT_UNIT, 0, 1, "others' offers accepted so far"),
    Block("offers_rejected", SEATS, COUNT_UNIT, 0, 1, "others' offers refused so far"),
)  # fmt: skip

OFFSETS: dict[str, int] = {}
OBSERVATION_SIZE = 0
for _block in BLOCKS:
    OFFSETS[_block.name] = OBSERVATION_SIZE
    OBSERVATION_SIZE += _block.size


def labels() -> tuple[str, ...]:
    """Return one label per feature: ``block.label``."""
    return tuple(
        f"{block.name}.{label}" if label else block.name
        for block in BLOCKS
        for label in block.labels
    )
