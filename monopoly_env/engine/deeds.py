"""Transfers of deeds and Jail cards, which keep the derived bit masks up to date."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import (
    CARD_CHANCE,
    CARD_CHEST,
    COLORS,
    DEEDS,
    GROUP_BITS,
    N_DEEDS,
    NOBODY,
)
from monopoly_env.engine.journal import Event, Log, note
from monopoly_env.engine.phases import Task
from monopoly_env.engine.state import GameState

# Runs of deeds with the same number of other squares before them
DEED_TABLE = np.array(DEEDS, np.int64)
GAPS = DEED_TABLE - np.arange(N_DEEDS)
RUN_GAPS = np.unique(GAPS)
RUN_BITS = np.array([(1 << DEED_TABLE[gap == GAPS]).sum() for gap in RUN_GAPS], np.int64)
N_RUNS = len(RUN_GAPS)


@jit
def deed_bits(squares: int) -> int:
    """Convert a bit mask of squares to one of deeds: bit k is the k-th deed of the board."""
    deeds = 0
    for run in range(N_RUNS):
        deeds |= (squares & RUN_BITS[run]) >> RUN_GAPS[run]
    return deeds


@jit
def item_bits(items: int) -> int:
    """Convert a bit mask of squares and Jail cards to one of deeds, followed by the two cards."""
    return deed_bits(items) | items >> CARD_CHANCE << N_DEEDS


@jit
def move_deed(game: GameState, log: Log, square: int, receiver: int) -> None:
    """Transfer a deed to a player, including its mortgage."""
    giver = game.owner[square]
    if giver != NOBODY:
        game.owned[giver] &= ~bit(square)
    game.owner[square] = receiver
    game.owned[receiver] |= bit(square)
    note(log, Event.DEED, receiver, giver, square, 0)


@jit
def return_deed(game: GameState, log: Log, square: int) -> None:
    """Return a deed to the Bank, unmortgaged."""
    giver = game.owner[square]
    game.owned[giver] &= ~bit(square)
    game.owner[square] = NOBODY
    game.mortgaged &= ~bit(square)
    note(log, Event.BANK_DEED, giver, NOBODY, square, 0)


@jit
def owns_group(game: GameState, player: int, group: int) -> bool:
    """Return whether a player owns every deed of a group, mortgaged or not."""
    return bool((game.owned[player] & GROUP_BITS[group]) == GROUP_BITS[group])


@jit
def group_open(game: GameState, group: int) -> bool:
    """Return whether no deed of a group is mortgaged."""
    return bool((game.mortgaged & GROUP_BITS[group]) == 0)


@jit
def squares_of_built_groups(game: GameState) -> int:
    """Return all squares of the groups with buildings."""
    squares = 0
    if game.built != 0:
        for group in range(COLORS):
            if (game.built & GROUP_BITS[group]) != 0:
                squares |= GROUP_BITS[group]
    return squares


@jit
def squares_pending(game: GameState) -> int:
    """Return the mortgaged deeds whose new owners have not yet chosen to lift or keep."""
    squares = 0
    for index in range(1, game.depth):
        if game.agenda[index].kind == Task.DEED:
            squares |= game.agenda[index].squares
    return squares


@jit
def kept_cards(game: GameState, player: int) -> int:
    """Return the Jail cards that a player holds, as bits 40 and 41."""
    cards = 0
    if game.card_holder[0] == player:
        cards |= bit(CARD_CHANCE)
    if game.card_holder[1] == player:
        cards |= bit(CARD_CHEST)
    return cards


@jit
def alive_count(game: GameState) -> int:
    """Return the number of players still in the game."""
    alive = 0
    for player in range(game.players):
        if game.out[player] == 0:
            alive += 1
    return alive


@jit
def next_alive(game: GameState, seat: int) -> int:
    """Return the next player to the left who is still in the game."""
    for offset in range(1, game.players):
        player = (seat + offset) % game.players
        if game.out[player] == 0:
            return player
    return seat
