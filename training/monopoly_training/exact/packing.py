"""Pack a position of a small two-player game into three integers, and unpack it.

Left out is what no rule of such a game asks: the generator, the last throw, laps, decisions taken.
:func:`simplify` gives them one fixed value, so that games which go on alike have equal bytes. All
other fields are packed, or follow from what is; :mod:`~monopoly_training.exact.graph` compares the
bytes of each position with those that its numbers give, so that nothing can be lost unseen.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import BASE, KINDS
from monopoly_env.engine.agenda import push
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.new_game import clear_game
from monopoly_env.engine.phases import Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, Int64s

WORDS = 3
ROLL = int(BASE[KINDS.index("roll")])
THROW = 31  # in the place of a phase: the dice are thrown now, whoever waited for them
MOST_DEEDS = 8  # on the route
MOST_CASH = (1 << 14) - 1  # $, of one player
MOST_TURNS = 63

# What lies on the agenda over the frame of the turn
NOTHING, BUYING, OWING, OFFERED = 0, 1, 2, 3
ONE, OTHER, DOUBLE = 3, 4, 3  # the pips of the last throw: 3 and 4, or a double 3


@jit
def simplify(game: GameState) -> None:
    """Set everything that no rule depends on to a fixed value."""
    game.rng = np.uint64(0)
    game.decisions = 0
    game.starter = 0
    settle_dice(game)
    game.forced[0, 0] = 0
    game.forced[0, 1] = 0
    game.forced_count = 0
    game.forced_next = 0
    game.forced_only = 0
    for seat in range(2):
        game.laps[seat] = 0
        game.refused[seat] = 0
        game.offers_made[seat] = 0
        game.offers_accepted[seat] = 0
        game.offers_rejected[seat] = 0
    for pile in range(2):
        game.unseen[pile] = 0


@jit
def settle_dice(game: GameState) -> None:
    """Set a throw that fits the position, and the rounds played."""
    game.rounds = (game.turns - 1) // 2
    game.dice[0] = ONE
    game.dice[1] = OTHER
    if game.again != 0:
        game.again = DOUBLE
        game.dice[1] = ONE


@jit
def blank(game: GameState, rules: RuleSet) -> None:
    """Write the simplified position at the start of a game."""
    clear_game(game, rules, 2)
    simplify(game)


@jit
def pack(game: GameState, deeds: Int64s, words: Int64s) -> None:
    """Write a simplified position into ``words``, int64[3]; ``deeds`` are those of the route."""
    word = int(game.phase)
    word = word << 1 | int(game.actor)
    word = word << 6 | int(game.turns)
    word = word << 2 | int(game.doubles)
    word = word << 1 | (1 if game.again != 0 else 0)
    for seat in range(2):
        word = word << 14 | int(game.cash[seat])
        word = word << 6 | int(game.position[seat])
        word = word << 1 | int(game.in_jail[seat])
        word = word << 2 | int(game.jail_tries[seat])
    words[0] = word
    word = int(game.agenda[0].kind)
    word = word << 2 | int(game.agenda[0].step)
    for seat in range(2):
        word = word << 2 | int(game.offers_left[seat])
    for index in range(len(deeds)):
        word = word << 2 | (int(game.owner[deeds[index]]) + 1)
        word = word << 3 | int(game.level[deeds[index]])
    words[1] = word
    words[2] = pack_agenda(game, deeds)


@jit
def pack_agenda(game: GameState, deeds: Int64s) -> int:
    """Pack the agenda above the turn, with the open offer."""
    if game.depth == 1:
        return NOTHING
    item = game.agenda[game.depth - 1]
    word = int(item.player)
    if item.kind == Task.BUY:
        return word << 2 | BUYING
    if item.kind == Task.DEBT:
        word = word << 2 | (int(item.other) + 1)
        word = word << 6 | (int(item.square) + 1)
        word = word << 14 | int(item.amount)
        word = word << 5 | int(item.flag)
        moves = int(game.agenda[1].amount) if game.depth == 3 else 0
        word = word << 4 | moves
        return word << 2 | OWING
    word = word << len(deeds) | chosen(game.deal_give, deeds)
    word = word << len(deeds) | chosen(game.deal_ask, deeds)
    word = word << 14 | int(game.deal_give_cash)
    word = word << 14 | int(game.deal_ask_cash)
    return word << 2 | OFFERED


@jit
def chosen(squares: int, deeds: Int64s) -> int:
    """Convert a bit mask of squares to one over ``deeds``."""
    bits = 0
    for index in range(len(deeds)):
        if squares >> deeds[index] & 1 != 0:
            bits |= 1 << index
    return bits


@jit
def squares_of(bits: int, deeds: Int64s) -> int:
    """Convert a bit mask over ``deeds`` to one of squares."""
    squares = 0
    for index in range(len(deeds)):
        if bits >> index & 1 != 0:
            squares |= bit(deeds[index])
    return squares


@jit
def unpack(game: GameState, deeds: Int64s, words: Int64s) -> None:
    """Unpack ``words`` into a game that :func:`blank` has prepared."""
    word = int(words[0])
    for seat in range(1, -1, -1):
        game.jail_tries[seat] = word & 3
        game.in_jail[seat] = word >> 2 & 1
        game.position[seat] = word >> 3 & 63
        game.cash[seat] = word >> 9 & MOST_CASH
        word >>= 23
    game.again = DOUBLE if word & 1 != 0 else 0
    game.doubles = word >> 1 & 3
    game.turns = word >> 3 & 63
    game.actor = word >> 9 & 1
    game.phase = word >> 10 & 31
    unpack_table(game, deeds, int(words[1]))
    game.bank = -(int(game.cash[0]) + int(game.cash[1]))
    unpack_agenda(game, deeds, int(words[2]))
    settle_dice(game)


@jit
def unpack_table(game: GameState, deeds: Int64s, word: int) -> None:
    """Pack the second integer: deeds, buildings, offers left and the turn."""
    for index in range(len(deeds) - 1, -1, -1):
        square = int(deeds[index])
        level, owner = word & 7, (word >> 3 & 3) - 1
        word >>= 5
        game.owner[square] = owner
        if owner != NOBODY:
            game.owned[owner] |= bit(square)
        game.level[square] = level
        if level != 0:
            game.built |= bit(square)
        if level == 5:
            game.hotels -= 1
        else:
            game.houses -= level
    for seat in range(1, -1, -1):
        game.offers_left[seat] = word & 3
        word >>= 2
    frame = game.agenda[0]
    frame.step = word & 3
    frame.kind = word >> 2
    game.depth = 1
    game.turn = (game.turns - 1) % 2
    frame.player = game.turn


@jit
def unpack_agenda(game: GameState, deeds: Int64s, word: int) -> None:
    """Pack the third integer: the agenda above the turn."""
    kind = word & 3
    word >>= 2
    if kind == BUYING:
        push(game, Task.BUY, word, NOBODY, int(game.position[word]))
    elif kind == OWING:
        moves = word & 15
        reason = word >> 4 & 31
        amount = word >> 9 & MOST_CASH
        square = (word >> 23 & 63) - 1
        other = (word >> 29 & 3) - 1
        player = word >> 31
        if moves != 0:
            push(game, Task.MOVE, player, NOBODY, NOBODY, moves)
        push(game, Task.DEBT, player, other, square, amount, reason)
    elif kind == OFFERED:
        game.deal_ask_cash = word & MOST_CASH
        game.deal_give_cash = word >> 14 & MOST_CASH
        game.deal_ask = squares_of(word >> 28 & (bit(len(deeds)) - 1), deeds)
        word >>= 28 + len(deeds)
        game.deal_give = squares_of(word & (bit(len(deeds)) - 1), deeds)
        player = word >> len(deeds)
        push(game, Task.DEAL, player, 1 - player)
        game.agenda[1].step = 1
        game.proposer = player
        game.partner = 1 - player
