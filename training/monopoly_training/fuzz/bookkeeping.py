"""Independent bookkeeping from the journal, to check the game's state against.

After each decision, the journal's events are entered here and the result must match the game. This
detects money, deeds, mortgages and buildings that move without an event.
"""

from __future__ import annotations

from typing import Annotated, Any

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, dtype_of, new_records
from monopoly_env.engine.board import NOBODY, PLAYERS, SPACES
from monopoly_env.engine.journal import EVENTS, Event, EventRecord, Log
from monopoly_env.engine.state import GameState, Int8s, Int64s


class BooksState:
    """The players' and the Bank's holdings according to the journal."""

    cash: Annotated[Int64s, Field("i8", (PLAYERS,), "$", "cash in hand")]
    bank: Annotated[int, Field("i8", (), "$", "net income of the Bank, including the pot")]
    owned: Annotated[Int64s, Field("i8", (PLAYERS,), "squares", "deeds of each seat")]
    mortgaged: Annotated[int, Field("i8", (), "squares", "mortgaged deeds")]
    built: Annotated[int, Field("i8", (), "squares", "streets with buildings")]
    level: Annotated[Int8s, Field("i1", (SPACES,), "", "houses; 5 a hotel")]


BOOKS = dtype_of(BooksState)


def new_books() -> Any:
    """Return blank books, as an array of one record."""
    return new_records(1, BOOKS)


@jit
def open_books(books: BooksState, game: GameState) -> None:
    """Enter the initial state of a game."""
    for player in range(PLAYERS):
        books.cash[player] = game.cash[player]
        books.owned[player] = game.owned[player]
    books.bank = int(game.bank) + int(game.pot)
    books.mortgaged = game.mortgaged
    books.built = game.built
    for square in range(SPACES):
        books.level[square] = game.level[square]


@jit
def enter(books: BooksState, log: Log) -> None:
    """Enter the journal's events of one decision."""
    for index in range(log.length):
        event = log.events[index]
        if event.kind == Event.PAY:
            move_cash(books, event)
        elif event.kind in (Event.DEED, Event.BANK_DEED):
            move_deed(books, event)
        elif event.kind == Event.MORTGAGE:
            books.mortgaged |= bit(event.square)
        elif event.kind == Event.LIFT:
            books.mortgaged &= ~bit(event.square)
        elif event.kind in (Event.BUILD, Event.SELL):
            books.level[event.square] = event.amount
            books.built &= ~bit(event.square)
            if event.amount != 0:
                books.built |= bit(event.square)


@jit
def move_cash(books: BooksState, event: EventRecord) -> None:
    """Move cash from ``player`` to ``other``; NOBODY is the Bank."""
    if event.player == NOBODY:
        books.bank -= event.amount
    else:
        books.cash[event.player] -= event.amount
    if event.other == NOBODY:
        books.bank += event.amount
    else:
        books.cash[event.other] += event.amount


@jit
def move_deed(books: BooksState, event: EventRecord) -> None:
    """Move a deed from ``other`` to ``player``, or from ``player`` to the Bank."""
    square = bit(event.square)
    if event.kind == Event.BANK_DEED:
        books.owned[event.player] &= ~square
        books.mortgaged &= ~square
        return
    if event.other != NOBODY:
        books.owned[event.other] &= ~square
    books.owned[event.player] |= square


@jit
def money_agrees(books: BooksState, game: GameState) -> bool:
    """Return whether all cash matches the journal."""
    for player in range(PLAYERS):
        if books.cash[player] != game.cash[player]:
            return False
    return bool(books.bank == int(game.bank) + int(game.pot))


@jit
def property_agrees(books: BooksState, game: GameState) -> bool:
    """Return whether all deeds, mortgages and buildings match the journal."""
    if books.mortgaged != game.mortgaged or books.built != game.built:
        return False
    for player in range(PLAYERS):
        if books.owned[player] != game.owned[player]:
            return False
    remaining = game.built
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if books.level[square] != game.level[square]:
            return False
    return True


@jit
def is_full(log: Log) -> bool:
    """Return whether the journal is full and may have lost events."""
    return bool(log.length >= EVENTS)
