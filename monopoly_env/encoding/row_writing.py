"""Helpers that write parts of an observation: money, fractions, and ones for sets and seats."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.encoding.blocks import OFFSETS
from monopoly_env.engine.actions import DEED_INDEX, ITEM_INDEX
from monopoly_env.engine.board import DEED_BITS
from monopoly_env.engine.state import GameState

Row = npt.NDArray[np.float32]

SUBJECT = OFFSETS["subject"]


@jit
def squeeze(amount: int, scale: int) -> np.float32:
    """Return amount / (amount + scale), from 0 to 1, as exact as double precision rounded once."""
    return part(amount, amount + scale)


@jit
def part(amount: int, whole: int) -> np.float32:
    """Return a fraction of integers. Single precision, because the CPU's double divider is slow."""
    return np.float32(amount) / np.float32(whole)


@jit
def left_of(game: GameState, seat: int, player: int) -> int:
    """Return how many seats to the left of ``seat`` a player sits."""
    left = int(player) - int(seat)  # avoids a slow modulo
    return left if left >= 0 else left + int(game.players)


@jit
def seat_left(game: GameState, seat: int, left: int) -> int:
    """Return the player ``left`` seats to the left of ``seat``."""
    player = int(seat) + int(left)
    return player if player < game.players else player - int(game.players)


@jit
def mark_deeds(row: Row, start: int, squares: int) -> None:
    """Set a one for each deed in a bit mask of squares."""
    remaining = squares & DEED_BITS
    while remaining != 0:
        row[start + int(DEED_INDEX[lowest(remaining)])] = 1.0
        remaining &= remaining - 1


@jit
def mark_items(row: Row, start: int, items: int) -> None:
    """Set a one for each deed or Jail card in a bit mask."""
    remaining = items
    while remaining != 0:
        row[start + int(ITEM_INDEX[lowest(remaining)])] = 1.0
        remaining &= remaining - 1


@jit
def mark_subject(row: Row, square: int) -> None:
    """Set a one for the deed that the decision is about, if any."""
    if square >= 0 and DEED_INDEX[square] >= 0:
        row[SUBJECT + int(DEED_INDEX[square])] = 1.0


@jit
def mark_seats(game: GameState, seat: int, row: Row, start: int, seats: int) -> None:
    """Set a one for each seat in a bit mask."""
    for player in range(game.players):
        if seats >> player & 1 != 0:
            row[start + left_of(game, seat, player)] = 1.0
