"""The journal: events since the last decision, such as throws, payments, cards and new owners.

A journal is a record separate from the game. Copies of a game stay small, and with the journal off,
each ``note`` costs one comparison. The events let people follow a game, let tests follow the money,
and let the reference implementation of the rules be compared step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Any

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, dtype_of, new_records

EVENTS = 160  # more than the settlement of the largest estate needs


class Event(IntEnum):
    """The kinds of events; the comments name the fields that they use."""

    TURN = 0  # player begins a turn
    THROW = 1  # player throws `square` and `amount` pips
    MOVE = 2  # player arrives at square; amount: 1 if GO was reached or passed
    PAY = 3  # player pays amount to other (NOBODY: the Bank); square: the Reason
    CARD = 4  # player draws card `square` of pile `other` (0 Chance, 1 Chest)
    KEEP_CARD = 5  # player receives the Jail card of pile `square` from other (NOBODY: the pile)
    RETURN_CARD = 6  # player's Jail card goes under pile `square`
    DEED = 7  # player receives deed square from other (NOBODY: the Bank)
    BANK_DEED = 8  # the Bank takes deed square from player
    BUILD = 9  # player builds on square; amount: the level reached
    SELL = 10  # player sells a building of square; amount: the level left
    MORTGAGE = 11  # player mortgages square
    LIFT = 12  # player lifts the mortgage on square
    JAIL = 13  # player goes to Jail
    FREE = 14  # player leaves Jail
    AUCTION = 15  # the auction of square begins; other: the AuctionLot; player: who may bid first
    BID = 16  # player bids amount
    PASS = 17  # player leaves the auction
    UNSOLD = 18  # nobody wanted square
    OFFER = 19  # player makes an offer to other
    ACCEPT = 20  # player accepts other's offer
    REJECT = 21  # player rejects other's offer
    CLAIM = 22  # player wants the scarce building too
    OUT = 23  # player is bankrupt to other (NOBODY: the Bank; EVERYONE: several players)
    OVER = 24  # the game ends; amount: 1 if a limit ended it


class Reason(IntEnum):
    """The reason of a payment: the ``square`` of a PAY event."""

    SALARY = 0
    PRICE = 1
    BID = 2
    RENT = 3
    TAX = 4
    CARD = 5
    FINE = 6
    BUILDING = 7
    MORTGAGE = 8
    LIFT = 9
    INTEREST = 10
    DEAL = 11
    ESTATE = 12
    POWER = 13
    JACKPOT = 14


class EventRecord:
    """One event."""

    amount: Annotated[int, Field("i4", (), "", "dollars, pips or a level")]
    kind: Annotated[int, Field("i1", (), "Event", "what happened")]
    player: Annotated[int, Field("i1", (), "seat", "the player concerned")]
    other: Annotated[int, Field("i1", (), "seat", "another player, or a deck")]
    square: Annotated[int, Field("i1", (), "square", "the square, or a detail")]


EVENT = dtype_of(EventRecord)


class Log:
    """The journal of one game since its last decision."""

    events: Annotated[Sequence[EventRecord], Field(EVENT, (EVENTS,), "", "the events, in order")]
    on: Annotated[int, Field("i2", (), "", "0: events are not recorded")]
    length: Annotated[int, Field("i2", (), "events", "number of events")]


JOURNAL = dtype_of(Log)


def new_journals(n: int, on: bool = True) -> Any:
    """Return ``n`` empty journals."""
    journals = new_records(n, JOURNAL)
    journals["on"] = on
    return journals


@jit
def note(log: Log, kind: int, player: int, other: int, square: int, amount: int) -> None:
    """Record one event, if the journal is on."""
    if log.on != 0 and log.length < EVENTS:
        event = log.events[log.length]
        event.kind = kind
        event.player = player
        event.other = other
        event.square = square
        event.amount = amount
        log.length += 1
