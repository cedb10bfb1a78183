"""The agenda: what still has to happen, as a small stack of plain records.

A debt from a card from a move is three items, with the innermost on top. This module makes no
decisions; flow.py takes the top item and calls its rule.
"""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.phases import Task
from monopoly_env.engine.state import AGENDA, AgendaItem, GameState


@jit
def push(
    game: GameState,
    kind: int,
    player: int,
    other: int = NOBODY,
    square: int = NOBODY,
    amount: int = 0,
    flag: int = 0,
    squares: int = 0,
) -> None:
    """Put an item on top; it happens before everything below it."""
    item = game.agenda[min(game.depth, AGENDA - 1)]
    item.kind = kind
    item.player = player
    item.other = other
    item.square = square
    item.amount = amount
    item.flag = flag
    item.squares = squares
    item.step = 0
    game.depth += 1


@jit
def pop(game: GameState) -> None:
    """Remove the top item and clear its memory, so that equal games have equal bytes."""
    game.depth -= 1
    clear(game.agenda[game.depth])


@jit
def clear(item: AgendaItem) -> None:
    """Clear an item."""
    item.kind = 0
    item.player = 0
    item.other = 0
    item.square = 0
    item.amount = 0
    item.flag = 0
    item.squares = 0
    item.step = 0


@jit
def top(game: GameState) -> AgendaItem:
    """Return the top item, which happens next."""
    return game.agenda[game.depth - 1]


@jit
def frame(game: GameState, kind: int) -> None:
    """Set the bottom item, the frame of the turn, to its next stage."""
    item = game.agenda[0]
    clear(item)
    item.kind = kind
    item.player = game.turn
    game.depth = max(game.depth, 1)


@jit
def forget(game: GameState, player: int) -> None:
    """Drop the items of a player who has left, and the debts owed to that player."""
    kept = 1
    for index in range(1, game.depth):
        item = game.agenda[index]
        gone = item.player == player or (item.kind == Task.DEBT and item.other == player)
        if not gone:
            if kept != index:
                copy_item(game.agenda[kept], item)
            kept += 1
    for index in range(kept, game.depth):
        clear(game.agenda[index])
    game.depth = kept


@jit
def copy_item(to: AgendaItem, item: AgendaItem) -> None:
    """Copy one item over another."""
    to.kind = item.kind
    to.player = item.player
    to.other = item.other
    to.square = item.square
    to.amount = item.amount
    to.flag = item.flag
    to.squares = item.squares
    to.step = item.step


@jit
def wait(game: GameState, phase: int, actor: int) -> bool:
    """Wait for a decision of ``actor``; returns True."""
    game.phase = phase
    game.actor = actor
    return True
