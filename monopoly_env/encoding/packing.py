"""Writes one player's observation into a packed row; see :mod:`monopoly_env.encoding.packed`.

Each ``pack_`` function corresponds to a ``write_`` function for float32 rows. Tests check that both
give the same numbers in all settings.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import bit, count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.encoding.blocks import CASH_SCALE, WORTH_SCALE
from monopoly_env.encoding.observation import affordable_buildings, rent_shown
from monopoly_env.encoding.packed import (
    FLAGS,
    FRACTION_CODES,
    HIGHEST,
    LARGE,
    PACKED_VERSION,
    PAIRS,
    PRICE_CAP,
    SMALL,
    PackedRow,
)
from monopoly_env.encoding.packing_decision import (
    clear_dealing,
    clear_menu,
    clear_rest,
    pack_decision,
)
from monopoly_env.encoding.row_cache import (
    HANDS,
    ShownState,
    note_all,
    note_deeds,
    note_view,
    pending_deeds,
)
from monopoly_env.encoding.row_writing import left_of, seat_left, squeeze
from monopoly_env.engine.actions import DEED_INDEX
from monopoly_env.engine.board import (
    DEED_BITS,
    GROUP,
    GROUP_BITS,
    N_DEEDS,
    NOBODY,
    PLAYERS,
    SPACES,
)
from monopoly_env.engine.deeds import DEED_TABLE, deed_bits
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import net_worth, raisable

FLAG_SWITCHES, SMALL_SWITCHES, LARGE_SWITCHES = (np.array(one) for one in (FLAGS, SMALL, LARGE))
SMALL_HIGHEST = np.array([float(HIGHEST[k]) for k in SMALL])
PENDING = 4  # the bit of a pending deed in its code
N_FLAGS, N_SMALL, N_LARGE = len(FLAGS), len(SMALL), len(LARGE)


@jit
def pack_observation(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
    """Write the packed observation of ``seat`` into ``row``, whatever it held before."""
    row.version = PACKED_VERSION
    pack_constants(rules, row)
    for left in range(PLAYERS):
        pack_hand(row, left, game.owned[seat_left(game, seat, left)] if left < game.players else 0)
    pack_deeds(game, rules, row, DEED_BITS)
    pack_pending(row, 0, pending_deeds(game))
    pack_bank(game, row)
    clear_dealing(row)
    clear_menu(row)
    for left in range(game.players, PLAYERS):
        clear_seat(row, left)
    pack_changing(game, rules, seat, row)
    for left in range(PLAYERS):
        worth, raised = 0, 0
        if left < game.players and game.out[seat_left(game, seat, left)] == 0:
            worth = net_worth(game, rules, seat_left(game, seat, left))
            raised = raisable(game, rules, seat_left(game, seat, left))
        row.worth[left] = squeeze(max(worth, 0), WORTH_SCALE)
        row.could_raise[left] = squeeze(max(raised, 0), CASH_SCALE)
    row.raisable = 0.0
    if game.phase != Phase.OVER:
        row.raisable = squeeze(max(raisable(game, rules, seat), 0), CASH_SCALE)


@jit
def repack_observation(
    game: GameState, rules: RuleSet, seat: int, row: PackedRow, shown: ShownState, changes: int
) -> None:
    """Update a packed row that holds an earlier observation with the same rules and players.

    See :func:`monopoly_env.encoding.observation.rewrite_observation`.
    """
    if shown.filled == 0:
        pack_observation(game, rules, seat, row)
        note_all(shown, game, rules, seat)
        return
    hands = (changes & HANDS) >> SPACES
    while hands != 0:
        left = lowest(hands)
        hands &= hands - 1
        pack_hand(row, left, game.owned[seat_left(game, seat, left)])
    changed = changes & DEED_BITS
    if changed != 0:
        pack_deeds(game, rules, row, changed)
        note_deeds(shown, game, rules, changed)
    if shown.houses != game.houses or shown.hotels != game.hotels or shown.pot != game.pot:
        pack_bank(game, row)
    if shown.pending != 0 or pending_deeds(game) != 0:
        pack_pending(row, DEED_BITS, pending_deeds(game))
    clear_dealing(row)
    if rules.deals == Deals.MENU:
        clear_menu(row)
    note_view(shown, game, seat)
    pack_changing(game, rules, seat, row)
    for left in range(game.players):
        player = seat_left(game, seat, left)
        worth, raised = 0, 0
        if game.out[player] == 0:
            worth = int(game.cash[player]) + int(shown.worth[player])
            raised = int(game.cash[player]) + int(shown.loan[player])
        row.worth[left] = squeeze(max(worth, 0), WORTH_SCALE)
        row.could_raise[left] = squeeze(max(raised, 0), CASH_SCALE)
    row.raisable = 0.0
    if game.phase != Phase.OVER:
        row.raisable = squeeze(max(int(game.cash[seat]) + int(shown.loan[seat]), 0), CASH_SCALE)


@jit
def pack_changing(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
    """Write the fields that change in nearly every step, except net worth."""
    pack_seats(game, rules, seat, row)
    row.square = int(game.position[seat]) + 1
    pack_clock(game, rules, row)
    clear_rest(row)
    if game.phase != Phase.OVER:
        pack_decision(game, rules, seat, row)


@jit
def pack_seats(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
    """Write the state of each player, self first."""
    alive, in_jail = 0, 0
    for left in range(game.players):
        player = seat_left(game, seat, left)
        if game.out[player] != 0:
            clear_seat(row, left)
            continue
        alive |= bit(left)
        row.cash[left] = squeeze(max(game.cash[player], 0), CASH_SCALE)
        row.position[left] = int(game.position[player]) + 1
        tries = 0
        if game.in_jail[player] != 0:
            in_jail |= bit(left)
            tries = min(game.jail_tries[player], rules.jail_tries)
        row.jail_tries[left] = FRACTION_CODES[tries, rules.jail_tries]
        offers = min(game.offers_left[player], rules.trade_limit)
        row.offers_left[left] = FRACTION_CODES[offers, max(rules.trade_limit, 1)]
        row.refused[left] = min(game.refused[player], 4)
        row.laps[left] = min(game.laps[player], 4)
        row.offers_made[left] = game.offers_made[player]
        row.offers_accepted[left] = game.offers_accepted[player]
        row.offers_rejected[left] = game.offers_rejected[player]
        row.could_build[left] = affordable_buildings(game, rules, player)
    row.alive = alive
    row.in_jail = in_jail
    for pile in range(2):
        holder = game.card_holder[pile]
        row.cards[pile] = bit(left_of(game, seat, holder)) if holder != NOBODY else 0
    row.turn = bit(left_of(game, seat, game.turn))


@jit
def clear_seat(row: PackedRow, left: int) -> None:
    """Clear the fields of an empty or bankrupt seat."""
    row.cash[left] = 0.0
    row.position[left] = 0
    row.jail_tries[left] = 0
    row.offers_left[left] = 0
    row.refused[left] = 0
    row.laps[left] = 0
    row.offers_made[left] = 0
    row.offers_accepted[left] = 0
    row.offers_rejected[left] = 0
    row.could_raise[left] = 0.0
    row.could_build[left] = 0


# The deeds


@jit
def pack_hand(row: PackedRow, left: int, owned: int) -> None:
    """Write the deeds of the player ``left`` seats to the left, and their counts by group."""
    row.owner[left] = deed_bits(owned)
    for pair in range(PAIRS):
        first, second = GROUP_BITS[2 * pair], GROUP_BITS[2 * pair + 1]
        row.groups[left, pair] = count(owned & first) + 5 * count(owned & second)


@jit
def pack_deeds(game: GameState, rules: RuleSet, row: PackedRow, squares: int) -> None:
    """Write the state of all deeds in the groups that include one of these squares."""
    remaining = squares
    while remaining != 0:
        group = int(GROUP[lowest(remaining)])
        remaining &= ~GROUP_BITS[group]
        pack_group(game, rules, row, GROUP_BITS[group])


@jit
def pack_group(game: GameState, rules: RuleSet, row: PackedRow, bits: int) -> None:
    """Write the state and rent of each deed of a group, given as a bit mask of squares."""
    owned = game.owned[max(game.owner[lowest(bits)], 0)]
    complete = 1 if owned & bits == bits else 0
    doubled = complete
    if rules.double_rent_beside_mortgage == 0 and game.mortgaged & bits != 0:
        doubled = 0
    remaining = bits
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        index = int(DEED_INDEX[square])
        mortgaged = (game.mortgaged >> square) & 1
        pending = int(row.deeds[index]) & PENDING
        row.deeds[index] = mortgaged + 2 * complete + pending + 8 * int(game.level[square])
        row.rent[index] = rent_shown(game, rules, square, doubled)


@jit
def pack_pending(row: PackedRow, before: int, now: int) -> None:
    """Mark the pending deeds ``now``, and clear the marks of the others."""
    for index in range(N_DEEDS):
        mark = (now >> int(DEED_TABLE[index]) & 1) * PENDING
        row.deeds[index] = (int(row.deeds[index]) & ~PENDING) + mark


# The board


@jit
def pack_bank(game: GameState, row: PackedRow) -> None:
    """Write the Bank's buildings and the Free Parking money."""
    row.houses = min(max(game.houses, 0), 64)
    row.hotels = min(max(game.hotels, 0), 24)
    row.pot = squeeze(max(game.pot, 0), CASH_SCALE)


@jit
def pack_clock(game: GameState, rules: RuleSet, row: PackedRow) -> None:
    """Write the last throw, and the used share of each limit."""
    row.throw = int(game.dice[0]) + 7 * int(game.dice[1]) + 49 * int(game.doubles)
    row.clock[0] = min(game.turns / rules.max_turns, 1.0)
    row.clock[1] = min(game.decisions / rules.max_decisions, 1.0)
    row.clock[2] = 0.0
    if rules.time_limit_rounds != 0:
        row.clock[2] = min(game.rounds / rules.time_limit_rounds, 1.0)


# The rules in force


@jit
def pack_constants(rules: RuleSet, row: PackedRow) -> None:
    """Write the prices and all rules."""
    for index in range(N_DEEDS):
        row.price[index] = min(rules.price[DEED_TABLE[index]], PRICE_CAP)
    flags = 0
    for index in range(N_FLAGS):
        if rules.switches[FLAG_SWITCHES[index]] != 0.0:
            flags |= bit(index)
    row.rules_flags = flags
    for index in range(N_SMALL):
        row.rules_small[index] = small_switch(rules, index)
    for index in range(N_LARGE):
        row.rules_large[index] = rules.switches[LARGE_SWITCHES[index]]


@jit
def small_switch(rules: RuleSet, index: int) -> int:
    """Return a rule with values up to 100 as an integer, from its scaled form."""
    return int(rules.switches[SMALL_SWITCHES[index]] * SMALL_HIGHEST[index] + 0.5)
