"""Compiled loop that plays one game between compiled bots and samples positions from it.

All positions of a game share one winner, so a few from each of many games teach more than many from
a few. Half of them come before a roll; the others come before any decision. In some games two
players swap deeds at random, once, so that positions after deals that no bot would make are
covered.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.bot_seeds import seat_bots
from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine import new_game
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.board import DEED_BITS, NOBODY
from monopoly_env.engine.deal_terms import tradable
from monopoly_env.engine.deeds import move_deed
from monopoly_env.engine.dice import GAMMA, S32, mix
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.journal import Log, Reason
from monopoly_env.engine.money import pay
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import next_action
from monopoly_env.engine.state import GameState, Int8s, Int64s

PER_KIND = 4  # positions before a roll, and as many of any kind
ROWS = 2 * PER_KIND + 1  # the last row holds the position after the swap
MOST_DEEDS = 3  # most that one side of a swap gives


@jit
def draw_below(random: Int64s, n: int) -> int:
    """Return a random number from 0 to n - 1, apart from the game's own numbers.

    ``random`` int64[1] is the state of the generator.
    """
    state = np.uint64(random[0]) + GAMMA
    random[0] = np.int64(state)
    return int(((mix(state) >> S32) * np.uint64(n)) >> S32)


@jit
def keep_one(first: int, seen: int, random: Int64s) -> int:
    """Return the row for item number ``seen`` of a reservoir sample, or -1 to skip it.

    Source: Vitter 1985, Random sampling with a reservoir.
    """
    if seen < PER_KIND:
        return first + seen
    row = draw_below(random, seen + 1)
    return first + row if row < PER_KIND else -1


@jit
def some_deeds(game: GameState, player: int, random: Int64s) -> int:
    """Return a few random deeds that a player may trade."""
    remaining = tradable(game, player) & DEED_BITS
    deeds, left = 0, draw_below(random, MOST_DEEDS + 1)
    while remaining != 0 and left > 0:
        lowest_bit = remaining & -remaining
        remaining &= remaining - 1
        if draw_below(random, 4) == 0:
            deeds |= lowest_bit
            left -= 1
    return deeds


@jit
def swap(game: GameState, log: Log, random: Int64s) -> bool:
    """Swap deeds and cash of two random players; return False if there was nothing to swap."""
    one = draw_below(random, int(game.players))
    other = draw_below(random, int(game.players))
    if one == other or game.out[one] != 0 or game.out[other] != 0:
        return False
    given, taken = some_deeds(game, one, random), some_deeds(game, other, random)
    if given == 0 and taken == 0:
        return False
    most = int(game.cash[one]) // 2
    pay(game, log, one, other, draw_below(random, most + 1), Reason.DEAL)
    while given != 0:
        move_deed(game, log, lowest(given), other)
        given &= given - 1
    while taken != 0:
        move_deed(game, log, lowest(taken), one)
        taken &= taken - 1
    return True


@jit
def play_and_keep(
    games: Records,
    rules_: Records,
    journals: Records,
    views: Records,
    loops: Records,
    players: int,
    seed: int,
    swap_turn: int,
    random: Int64s,
    kept: Records,
    rank: Int8s,
) -> int:
    """Play one game and sample positions; return a bit mask of the rows filled in ``kept``.

    ``kept`` is GAME[ROWS]: PER_KIND positions before a roll, PER_KIND of any kind, and the one
    after the swap. The swap is made at the first roll from turn ``swap_turn`` on; NOBODY for none.
    ``rank`` int8[8] receives the final places.
    """
    game, rules, log = games[0], rules_[0], journals[0]
    bits = np.zeros(N_KINDS, np.int64)
    seat_bots(views[0], seed)
    new_game.new_game(game, rules, log, players, seed)
    proceed(game, rules, log)
    loops[0].has_rules = 0
    rows, throws, decisions, last = 0, 0, 0, -1
    while game.phase != Phase.OVER:
        if game.phase == Phase.TURN and game.turns != last:
            last = int(game.turns)
            if swap_turn != NOBODY and game.turns >= swap_turn and swap(game, log, random):
                swap_turn = NOBODY
                kept[ROWS - 1] = game
                rows |= 1 << (ROWS - 1)
            row = keep_one(0, throws, random)
            throws += 1
            if row >= 0:
                kept[row] = game
                rows |= 1 << row
        row = keep_one(PER_KIND, decisions, random)
        decisions += 1
        if row >= 0:
            kept[row] = game
            rows |= 1 << row
        action = next_action(game, rules, views[0], loops[0], bits)
        step(game, rules, log, action)
    ranks(game, rules, rank)
    return rows
