"""The GAME record: the complete state of a game in about a kilobyte of plain numbers.

Copying, saving, resuming and replaying are exact because there is no other state: the random
generator, the order of the decks and the pending tasks (the agenda) are fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.records import Field, dtype_of, new_records
from monopoly_env.engine.board import PLAYERS, SPACES

# Array types by dtype
Int8s = npt.NDArray[np.int8]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Uint8s = npt.NDArray[np.uint8]
Uint16s = npt.NDArray[np.uint16]
Float32s = npt.NDArray[np.float32]
Float64s = npt.NDArray[np.float64]

AGENDA = 16  # maximum number of items; status() checks that the rules never exceed it
RENT_CLAIMS = 8
MOST_COUNTED = 100  # a player's offers are counted up to here
FORCED = 96  # maximum number of forced throws


class AgendaItem:
    """A pending task. Read its fields before pushing, because it is a view into the stack."""

    squares: Annotated[int, Field("i8", (), "squares", "deeds concerned")]
    amount: Annotated[int, Field("i4", (), "$ or spaces", "amount owed, thrown, or opening bid")]
    kind: Annotated[int, Field("i1", (), "Task", "kind of task")]
    player: Annotated[int, Field("i1", (), "seat", "player concerned")]
    other: Annotated[int, Field("i1", (), "seat", "creditor, partner or first bidder")]
    square: Annotated[int, Field("i1", (), "square", "where")]
    step: Annotated[int, Field("i1", (), "", "progress of the task")]
    flag: Annotated[int, Field("i1", (), "", "a detail: RentBy, AuctionLot or yes/no")]


class RentClaim:
    """A rent that its owner may still ask for."""

    amount: Annotated[int, Field("i4", (), "$", "rent; 0 if a fresh throw decides it")]
    owner: Annotated[int, Field("i1", (), "seat", "player who may ask; NOBODY if closed")]
    debtor: Annotated[int, Field("i1", (), "seat", "player who landed there")]
    square: Annotated[int, Field("i1", (), "square", "where")]
    multiplier: Annotated[int, Field("i1", (), "", "times a fresh throw; 0 if none is needed")]
    followers: Annotated[int, Field("i1", (), "players", "later players who have thrown since")]


ITEM = dtype_of(AgendaItem)
RENT_CLAIM = dtype_of(RentClaim)


class GameState:
    """One game. Seats are 0 to 7, squares 0 to 39, dollars int32 (see MOST_MONEY in money.py); NOBODY is -1."""

    rng: Annotated[np.uint64, Field("u8", (), "", "state of the random generator (hidden)")]

    # Holdings
    owned: Annotated[Int64s, Field("i8", (PLAYERS,), "squares", "deeds of each seat (from owner)")]
    mortgaged: Annotated[int, Field("i8", (), "squares", "mortgaged deeds")]
    built: Annotated[int, Field("i8", (), "squares", "streets with buildings (from level)")]
    cash: Annotated[Int32s, Field("i4", (PLAYERS,), "$", "cash in hand")]
    bank: Annotated[int, Field("i4", (), "$", "the Bank's net income; all money sums to 0")]
    pot: Annotated[int, Field("i4", (), "$", "money under Free Parking (house rule)")]
    owner: Annotated[Int8s, Field("i1", (SPACES,), "seat", "owner of each deed; NOBODY: the Bank")]
    level: Annotated[Int8s, Field("i1", (SPACES,), "", "0; 1 to 4 houses; 5 is a hotel")]
    houses: Annotated[int, Field("i2", (), "buildings", "houses in the Bank")]
    hotels: Annotated[int, Field("i2", (), "buildings", "hotels in the Bank")]
    house_supply: Annotated[int, Field("i2", (), "buildings", "houses in the game")]
    hotel_supply: Annotated[int, Field("i2", (), "buildings", "hotels in the game")]

    # Positions
    position: Annotated[Int8s, Field("i1", (PLAYERS,), "square", "position of each token")]
    in_jail: Annotated[Int8s, Field("i1", (PLAYERS,), "", "1 if in Jail")]
    jail_tries: Annotated[Int8s, Field("i1", (PLAYERS,), "throws", "failed throws for a double")]
    out: Annotated[Int8s, Field("i1", (PLAYERS,), "", "0 in the game, else order of leaving")]
    laps: Annotated[Int8s, Field("i1", (PLAYERS,), "", "times GO was reached or passed, up to 100")]

    # Decks
    deck: Annotated[Int8s, Field("i1", (2, 16), "card", "Chance, Chest: top card first (hidden)")]
    deck_size: Annotated[Int8s, Field("i1", (2,), "cards", "cards in each deck")]
    unseen: Annotated[Int8s, Field("i1", (2,), "cards", "top cards that nobody has seen")]
    card_holder: Annotated[Int8s, Field("i1", (2,), "seat", "holder of the Jail card of each deck")]

    # Turn, decision, agenda
    players: Annotated[int, Field("i1", (), "seats", "seats in the game, 2 to 8")]
    turn: Annotated[int, Field("i1", (), "seat", "player whose turn it is")]
    actor: Annotated[int, Field("i1", (), "seat", "player who decides")]
    phase: Annotated[int, Field("i1", (), "Phase", "phase of the decision")]
    starter: Annotated[
        int, Field("i1", (), "seat", "player who began; a round ends with that seat")
    ]
    depth: Annotated[int, Field("i1", (), "items", "items on the agenda")]
    agenda: Annotated[
        Sequence[AgendaItem], Field(ITEM, (AGENDA,), "", "pending tasks, the next one last")
    ]
    turns: Annotated[int, Field("i4", (), "turns", "player turns begun")]
    rounds: Annotated[int, Field("i4", (), "rounds", "full rounds played")]
    decisions: Annotated[int, Field("i4", (), "decisions", "actions taken so far")]
    truncated: Annotated[int, Field("i1", (), "", "1 if a limit ended the game")]

    # The throw
    dice: Annotated[Int8s, Field("i1", (2,), "pips", "the last throw")]
    doubles: Annotated[int, Field("i1", (), "throws", "doubles thrown in this turn")]
    again: Annotated[int, Field("i1", (), "", "pips of a double that gives another throw, else 0")]

    # Rent that may still be asked for
    claims: Annotated[
        Sequence[RentClaim], Field(RENT_CLAIM, (RENT_CLAIMS,), "", "open rent claims")
    ]

    # The auction, the scarce building
    bid: Annotated[int, Field("i4", (), "$", "standing bid; 0 if none")]
    opening: Annotated[int, Field("i4", (), "$", "minimum first bid")]
    bidders: Annotated[int, Field("i2", (), "seats", "bit mask of seats still bidding")]
    high_bidder: Annotated[int, Field("i1", (), "seat", "highest bidder")]
    bidder: Annotated[int, Field("i1", (), "seat", "next bidder")]
    lot: Annotated[int, Field("i1", (), "AuctionLot", "kind of lot or claimed building")]
    lot_square: Annotated[
        int, Field("i1", (), "square", "the deed, or the street for the building")
    ]
    asker: Annotated[int, Field("i1", (), "seat", "player who asked for the building")]
    denied_houses: Annotated[
        int, Field("i2", (), "seats", "asked for a house without success since the throw")
    ]
    denied_hotels: Annotated[
        int, Field("i2", (), "seats", "asked for a hotel without success since the throw")
    ]

    # The deal
    deal_give: Annotated[int, Field("i8", (), "squares", "deeds and cards (bits 40, 41) given")]
    deal_ask: Annotated[int, Field("i8", (), "squares", "deeds and cards asked for")]
    deal_give_cash: Annotated[int, Field("i4", (), "$", "cash given")]
    deal_ask_cash: Annotated[int, Field("i4", (), "$", "cash asked for")]
    proposer: Annotated[int, Field("i1", (), "seat", "player who makes the offer")]
    partner: Annotated[int, Field("i1", (), "seat", "player who answers")]
    offers_left: Annotated[Int8s, Field("i1", (PLAYERS,), "offers", "before the next own throw")]
    refused: Annotated[
        Int8s, Field("i1", (PLAYERS,), "offers", "own offers refused since the throw")
    ]

    # Forced throws, for rule cases and search
    forced: Annotated[Int8s, Field("i1", (FORCED, 2), "pips", "forced throws (hidden)")]
    forced_count: Annotated[int, Field("i1", (), "throws", "number of forced throws")]
    forced_next: Annotated[int, Field("i1", (), "throws", "forced throws used")]
    forced_only: Annotated[int, Field("i1", (), "", "1: throws beyond them are an error")]
    dice_missing: Annotated[int, Field("i1", (), "", "1: such a throw has occurred")]

    # Past offers, which no rule depends on; last, because the hash of a saved game leaves them out
    offers_made: Annotated[
        Int8s, Field("i1", (PLAYERS,), "offers", "own offers answered so far, up to 100")
    ]
    offers_accepted: Annotated[
        Int8s, Field("i1", (PLAYERS,), "offers", "others' offers accepted so far, up to 100")
    ]
    offers_rejected: Annotated[
        Int8s, Field("i1", (PLAYERS,), "offers", "others' offers refused so far, up to 100")
    ]


GAME = dtype_of(GameState)


def new_games(n: int) -> Any:
    """Return ``n`` blank GAME records; :mod:`monopoly_env.engine.new_game` sets them up."""
    return new_records(n, GAME)
