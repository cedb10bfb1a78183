"""The GAME record: everything a game is, in about a kilobyte of plain numbers.

Copy, save, resume and replay are exact because nothing lives anywhere else: the random
generator, the order of the decks and what still has to happen (the agenda) are fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.records import Field, dtype_of, new_records
from monopoly_env.engine.board import PLAYERS, SPACES

# The arrays that compiled code works on, by the type of their numbers
Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Uint8s = npt.NDArray[np.uint8]
Uint16s = npt.NDArray[np.uint16]
Float32s = npt.NDArray[np.float32]
Float64s = npt.NDArray[np.float64]

AGENDA = 16  # items at most; the deepest stack the rules can reach is checked by status()
RENT_CLAIMS = 8
FORCED = 96  # throws that can be forced


class AgendaItem:
    """One thing that still has to happen. Read its fields before pushing: it aliases the stack."""

    squares: Annotated[int, Field("i8", (), "squares", "deeds the item is about")]
    amount: Annotated[int, Field("i4", (), "$ or spaces", "what is owed, thrown or opened at")]
    kind: Annotated[int, Field("i1", (), "Task", "what the item stands for")]
    player: Annotated[int, Field("i1", (), "seat", "whom it is about")]
    other: Annotated[int, Field("i1", (), "seat", "creditor, partner or first bidder")]
    square: Annotated[int, Field("i1", (), "square", "where")]
    step: Annotated[int, Field("i1", (), "", "progress within the item")]
    flag: Annotated[int, Field("i1", (), "", "a detail: RentBy, AuctionLot, or yes and no")]


class RentClaim:
    """Rent that its owner may still ask for."""

    amount: Annotated[int, Field("i4", (), "$", "rent, or 0 where a fresh throw decides it")]
    owner: Annotated[int, Field("i1", (), "seat", "who may ask; NOBODY: the claim is closed")]
    debtor: Annotated[int, Field("i1", (), "seat", "who landed")]
    square: Annotated[int, Field("i1", (), "square", "where")]
    multiplier: Annotated[int, Field("i1", (), "", "times the fresh throw, 0 if none is needed")]
    followers: Annotated[int, Field("i1", (), "players", "later players who have thrown since")]


ITEM = dtype_of(AgendaItem)
RENT_CLAIM = dtype_of(RentClaim)


class GameState:
    """One game. Seats are 0 to 7, squares 0 to 39, dollars int32 (see MOST_MONEY in money.py); NOBODY is -1."""

    rng: Annotated[np.uint64, Field("u8", (), "", "state of the random generator (hidden)")]

    # Who has what
    owned: Annotated[Int64s, Field("i8", (PLAYERS,), "squares", "deeds of each seat (from owner)")]
    mortgaged: Annotated[int, Field("i8", (), "squares", "mortgaged deeds")]
    built: Annotated[int, Field("i8", (), "squares", "streets with buildings (from level)")]
    cash: Annotated[Int32s, Field("i4", (PLAYERS,), "$", "cash in hand")]
    bank: Annotated[
        int, Field("i4", (), "$", "what the Bank has taken in, net; all money sums to 0")
    ]
    pot: Annotated[int, Field("i4", (), "$", "under Free Parking, with that house rule")]
    owner: Annotated[Int8s, Field("i1", (SPACES,), "seat", "owner of each deed; NOBODY: the Bank")]
    level: Annotated[Int8s, Field("i1", (SPACES,), "", "0, 1 to 4 houses, 5 a hotel")]
    houses: Annotated[int, Field("i2", (), "buildings", "houses in the Bank")]
    hotels: Annotated[int, Field("i2", (), "buildings", "hotels in the Bank")]
    house_supply: Annotated[int, Field("i2", (), "buildings", "houses in the game")]
    hotel_supply: Annotated[int, Field("i2", (), "buildings", "hotels in the game")]

    # Where everybody is
    position: Annotated[Int8s, Field("i1", (PLAYERS,), "square", "where each token stands")]
    in_jail: Annotated[Int8s, Field("i1", (PLAYERS,), "", "1 for inmates")]
    jail_tries: Annotated[Int8s, Field("i1", (PLAYERS,), "throws", "failed throws for a double")]
    out: Annotated[Int8s, Field("i1", (PLAYERS,), "", "0 in the game, else the order of leaving")]
    laps: Annotated[Int8s, Field("i1", (PLAYERS,), "", "times GO was reached or passed, up to 100")]

    # Decks
    deck: Annotated[Int8s, Field("i1", (2, 16), "card", "Chance, Chest: top card first (hidden)")]
    deck_size: Annotated[Int8s, Field("i1", (2,), "cards", "cards in each pile")]
    unseen: Annotated[Int8s, Field("i1", (2,), "cards", "top cards nobody has seen yet")]
    card_holder: Annotated[Int8s, Field("i1", (2,), "seat", "who keeps the Jail card of each pile")]

    # Whose turn, who decides, what is next
    players: Annotated[int, Field("i1", (), "seats", "seats in the game, 2 to 8")]
    turn: Annotated[int, Field("i1", (), "seat", "whose turn it is")]
    actor: Annotated[int, Field("i1", (), "seat", "who decides now")]
    phase: Annotated[int, Field("i1", (), "Phase", "what is decided")]
    starter: Annotated[
        int, Field("i1", (), "seat", "who began; a round ends when the turn returns")
    ]
    depth: Annotated[int, Field("i1", (), "items", "items on the agenda")]
    agenda: Annotated[
        Sequence[AgendaItem], Field(ITEM, (AGENDA,), "", "what still has to happen, next one last")
    ]
    turns: Annotated[int, Field("i4", (), "turns", "player turns begun")]
    rounds: Annotated[int, Field("i4", (), "rounds", "full rounds played")]
    decisions: Annotated[int, Field("i4", (), "decisions", "actions taken so far")]
    truncated: Annotated[int, Field("i1", (), "", "1 if a limit ended the game")]

    # The throw
    dice: Annotated[Int8s, Field("i1", (2,), "pips", "the last throw")]
    doubles: Annotated[int, Field("i1", (), "throws", "doubles thrown in this turn")]
    again: Annotated[
        int, Field("i1", (), "", "pips of the double that gives another throw, 0 for none")
    ]

    # Rent that may still be asked for
    claims: Annotated[
        Sequence[RentClaim], Field(RENT_CLAIM, (RENT_CLAIMS,), "", "rent not yet asked for")
    ]

    # The auction, the scarce building
    bid: Annotated[int, Field("i4", (), "$", "standing bid, 0 for none")]
    opening: Annotated[int, Field("i4", (), "$", "what the first bid must reach")]
    bidders: Annotated[int, Field("i2", (), "seats", "bit mask of seats still bidding")]
    high_bidder: Annotated[int, Field("i1", (), "seat", "whose bid stands")]
    bidder: Annotated[int, Field("i1", (), "seat", "whose turn to bid it is")]
    lot: Annotated[int, Field("i1", (), "AuctionLot", "what is under the hammer or asked for")]
    lot_square: Annotated[
        int, Field("i1", (), "square", "the deed, or where the building was asked for")
    ]
    asker: Annotated[int, Field("i1", (), "seat", "who asked for the scarce building")]
    denied_houses: Annotated[
        int, Field("i2", (), "seats", "asked in vain for a house since the throw")
    ]
    denied_hotels: Annotated[
        int, Field("i2", (), "seats", "asked in vain for a hotel since the throw")
    ]

    # The deal
    deal_give: Annotated[int, Field("i8", (), "squares", "deeds and cards (bits 40, 41) given")]
    deal_ask: Annotated[int, Field("i8", (), "squares", "deeds and cards asked for")]
    deal_give_cash: Annotated[int, Field("i4", (), "$", "cash given")]
    deal_ask_cash: Annotated[int, Field("i4", (), "$", "cash asked for")]
    proposer: Annotated[int, Field("i1", (), "seat", "who proposes")]
    partner: Annotated[int, Field("i1", (), "seat", "who answers")]
    offers_left: Annotated[Int8s, Field("i1", (PLAYERS,), "offers", "before the next own throw")]
    refused: Annotated[
        Int8s, Field("i1", (PLAYERS,), "offers", "own offers refused since the throw")
    ]

    # Forced dice, for rule cases and search
    forced: Annotated[Int8s, Field("i1", (FORCED, 2), "pips", "throws to come (hidden)")]
    forced_count: Annotated[int, Field("i1", (), "throws", "how many are forced")]
    forced_next: Annotated[int, Field("i1", (), "throws", "how many have been used")]
    forced_only: Annotated[int, Field("i1", (), "", "1: a throw beyond them is a fault")]
    dice_missing: Annotated[int, Field("i1", (), "", "1: such a throw was asked for")]


GAME = dtype_of(GameState)


def new_games(n: int) -> Any:
    """``n`` blank GAME records; :mod:`monopoly_env.engine.new_game` makes games of them."""
    return new_records(n, GAME)
