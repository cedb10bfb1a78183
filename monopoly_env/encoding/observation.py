"""Writes one player's observation into a row of float32, in place.

It contains public knowledge only, relative to one seat: the order of the decks, the random
generator and forced throws are never read. Sets of squares are bit masks in the state and ones in
the row. Money is encoded as x / (x + scale), which preserves small differences where they matter
and needs no upper bound on wealth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.compiler.bits import count, lowest, spread
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import CACHE_LINE, zero
from monopoly_env.encoding.blocks import (
    BLOCKS,
    CASH_SCALE,
    COUNT_SCALE,
    MOST_BUILDINGS,
    OBSERVATION_SIZE,
    OFFSETS,
    PRICE_SCALE,
    WORTH_SCALE,
)
from monopoly_env.encoding.decision import (
    clear_decision,
    write_decision,
    write_raisable,
)
from monopoly_env.encoding.row_cache import (
    HANDS,
    MOVED,
    ShownState,
    note_all,
    note_deeds,
    note_view,
    pending_deeds,
)
from monopoly_env.encoding.row_writing import Row, left_of, mark_deeds, part, seat_left, squeeze
from monopoly_env.engine.actions import DEED_INDEX
from monopoly_env.engine.board import (
    COLORS,
    DEED_BITS,
    GROUP,
    GROUP_BITS,
    GROUP_SIZE,
    GROUPS,
    HOTEL,
    N_DEEDS,
    NOBODY,
    PLAYERS,
    RAILROAD_BITS,
    SPACE,
    SPACES,
    UTILITY_BITS,
    Space,
)
from monopoly_env.engine.deeds import DEED_TABLE, deed_bits
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import SWITCHES, RuleSet
from monopoly_env.engine.state import MOST_COUNTED, GameState
from monopoly_env.engine.worth import net_worth, raisable

__all__ = [
    "HIGH",
    "LOW",
    "OBSERVATION_SIZE",
    "observe",
    "rewrite_observation",
    "write_observation",
]

LOW = np.concatenate([np.full(block.size, block.low, np.float32) for block in BLOCKS])
HIGH = np.concatenate([np.full(block.size, block.high, np.float32) for block in BLOCKS])

N_SWITCHES = len(SWITCHES)
SPREAD = CACHE_LINE // 4  # float32 numbers that spread() writes
# By group and number of deeds held (0 to 4): share held, share missing if any is held, complete
HELD = np.minimum(np.arange(5), GROUP_SIZE[:, None])
SHARES = (HELD / GROUP_SIZE[:, None]).astype(np.float32)
LACKING = np.where(HELD > 0, (GROUP_SIZE[:, None] - HELD) / 4, 0).astype(np.float32)
COMPLETES = (GROUP_SIZE[:, None] == HELD).astype(np.float32)
# Lookup tables by square; by building level; by own position and deed
PLACES = (np.arange(SPACES) / (SPACES - 1)).astype(np.float32)
LEVELS = (np.arange(6) / 5).astype(np.float32)
ANGLES = 2 * np.pi * np.arange(SPACES) / SPACES
COSINES, SINES = np.cos(ANGLES).astype(np.float32), np.sin(ANGLES).astype(np.float32)
NUMBERS = np.arange(MOST_COUNTED + 1, dtype=np.float32)
COUNTS = NUMBERS / (NUMBERS + np.float32(COUNT_SCALE))
BUILDINGS = (np.arange(MOST_BUILDINGS + 1) / MOST_BUILDINGS).astype(np.float32)
DISTANCES = ((DEED_TABLE - np.arange(SPACES)[:, None]) % SPACES / SPACES).astype(np.float32)

ALIVE, CASH, WORTH = OFFSETS["alive"], OFFSETS["cash"], OFFSETS["worth"]
POSITION, IN_JAIL, JAIL_TRIES = OFFSETS["position"], OFFSETS["in_jail"], OFFSETS["jail_tries"]
CARDS = OFFSETS["card_chance"]  # the Chest block follows
OFFERS_LEFT, REFUSED, TURN = OFFSETS["offers_left"], OFFSETS["refused"], OFFSETS["turn"]
LAPS = OFFSETS["laps"]
OWNER, MORTGAGED, LEVEL = OFFSETS["owner"], OFFSETS["mortgaged"], OFFSETS["level"]
PRICE, RENT, COMPLETE = OFFSETS["price"], OFFSETS["rent"], OFFSETS["complete"]
PENDING = OFFSETS["pending"]
HOUSES, HOTELS, POT = OFFSETS["houses"], OFFSETS["hotels"], OFFSETS["pot"]
SQUARE, DISTANCE = OFFSETS["square"], OFFSETS["distance"]
GROUP_SHARE, GROUP_COMPLETE = OFFSETS["group_share"], OFFSETS["group_complete"]
GROUP_LACKING = OFFSETS["group_lacking"]
DICE, DOUBLES, CLOCK = OFFSETS["dice"], OFFSETS["doubles"], OFFSETS["clock"]
RULES_ = OFFSETS["rules"]
AROUND_X, AROUND_Y = OFFSETS["around_x"], OFFSETS["around_y"]
COULD_RAISE, COULD_BUILD = OFFSETS["could_raise"], OFFSETS["could_build"]
OFFERS_MADE, OFFERS_ACCEPTED = OFFSETS["offers_made"], OFFSETS["offers_accepted"]
OFFERS_REJECTED = OFFSETS["offers_rejected"]


@jit
def write_observation(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Write the observation of ``seat`` into ``row``, float32[OBSERVATION_SIZE]."""
    zero(row, 0, OBSERVATION_SIZE)
    write_constants(rules, row)
    for left in range(game.players):
        write_hand(row, left, game.owned[seat_left(game, seat, left)])
    write_deeds(game, rules, row, DEED_BITS)
    write_position(game, seat, row)
    write_bank(game, row)
    mark_deeds(row, PENDING, pending_deeds(game))
    write_changing(game, rules, seat, row)
    for left in range(game.players):
        player = seat_left(game, seat, left)
        if game.out[player] == 0:
            write_worth(row, left, net_worth(game, rules, player))
            write_means(game, rules, row, left, player, raisable(game, rules, player))
    if game.phase != Phase.OVER:
        write_raisable(row, raisable(game, rules, seat))


@jit
def rewrite_observation(
    game: GameState, rules: RuleSet, seat: int, row: Row, shown: ShownState, changes: int
) -> None:
    """Update a row that holds an earlier observation with the same rules and number of players.

    ``shown`` describes what the row holds, ``changes`` what differs (:func:`changes_since`). The
    result equals that of :func:`write_observation`.

    Unchanged parts are skipped: the rules, empty seats, an empty menu, hands and groups that are
    already shown, the own square, and the features of deals and debts if none was shown. In a large
    batch, most of the time is memory traffic.
    """
    if shown.filled == 0:
        write_observation(game, rules, seat, row)
        note_all(shown, game, rules, seat)
        return
    hands = (changes & HANDS) >> SPACES
    while hands != 0:
        left = lowest(hands)
        hands &= hands - 1
        write_hand(row, left, game.owned[seat_left(game, seat, left)])
    changed = changes & DEED_BITS
    if changed != 0:
        write_deeds(game, rules, row, changed)
        note_deeds(shown, game, rules, changed)
    if changes & MOVED != 0:
        row[SQUARE + int(shown.square)] = 0.0
        write_position(game, seat, row)
    if shown.houses != game.houses or shown.hotels != game.hotels or shown.pot != game.pot:
        write_bank(game, row)
    if shown.pending != 0 or pending_deeds(game) != 0:
        zero(row, PENDING, HOUSES)
        mark_deeds(row, PENDING, pending_deeds(game))
    zero(row, 0, OWNER)
    zero(row, AROUND_X, OBSERVATION_SIZE)
    clear_decision(rules, row, int(shown.phase), int(shown.owes))
    note_view(shown, game, seat)
    write_changing(game, rules, seat, row)
    for left in range(game.players):
        player = seat_left(game, seat, left)
        if game.out[player] == 0:
            write_worth(row, left, int(game.cash[player]) + int(shown.worth[player]))
            means = int(game.cash[player]) + int(shown.loan[player])
            write_means(game, rules, row, left, player, means)
    if game.phase != Phase.OVER:
        write_raisable(row, int(game.cash[seat]) + int(shown.loan[seat]))


@jit
def write_changing(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Write the features that change in nearly every step, into zeros; except net worth."""
    write_seats(game, rules, seat, row)
    write_clock(game, rules, row)
    if game.phase != Phase.OVER:
        write_decision(game, rules, seat, row)


@jit
def write_seats(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Write the state of each player, self first."""
    for left in range(game.players):
        player = seat_left(game, seat, left)
        if game.out[player] != 0:
            continue
        row[ALIVE + left] = 1.0
        row[CASH + left] = squeeze(max(game.cash[player], 0), CASH_SCALE)
        row[POSITION + left] = PLACES[game.position[player]]
        if game.in_jail[player] != 0:
            row[IN_JAIL + left] = 1.0
            tries = min(game.jail_tries[player], rules.jail_tries)
            row[JAIL_TRIES + left] = part(tries, rules.jail_tries)
        offers = min(game.offers_left[player], rules.trade_limit)
        row[OFFERS_LEFT + left] = part(offers, max(rules.trade_limit, 1))
        row[REFUSED + left] = part(min(game.refused[player], 4), 4)
        row[LAPS + left] = part(min(game.laps[player], 4), 4)
        row[AROUND_X + left] = COSINES[game.position[player]]
        row[AROUND_Y + left] = SINES[game.position[player]]
        row[OFFERS_MADE + left] = COUNTS[game.offers_made[player]]
        row[OFFERS_ACCEPTED + left] = COUNTS[game.offers_accepted[player]]
        row[OFFERS_REJECTED + left] = COUNTS[game.offers_rejected[player]]
    for pile in range(2):
        if game.card_holder[pile] != NOBODY:
            row[CARDS + pile * PLAYERS + left_of(game, seat, game.card_holder[pile])] = 1.0
    row[TURN + left_of(game, seat, game.turn)] = 1.0


@jit
def write_worth(row: Row, left: int, worth: int) -> None:
    """Write the net worth of a player."""
    row[WORTH + left] = squeeze(max(worth, 0), WORTH_SCALE)


@jit
def write_means(
    game: GameState, rules: RuleSet, row: Row, left: int, player: int, raised: int
) -> None:
    """Write what a player could raise, ``raised`` in $, and build."""
    row[COULD_RAISE + left] = squeeze(max(raised, 0), CASH_SCALE)
    row[COULD_BUILD + left] = BUILDINGS[affordable_buildings(game, rules, player)]


@jit
def affordable_buildings(game: GameState, rules: RuleSet, player: int) -> int:
    """Return how many buildings a player's cash pays for on its complete groups, in board order.

    Groups with a mortgaged deed are left out. The Bank is assumed to have enough buildings.
    """
    owned = game.owned[player] & ~game.mortgaged
    cash, found = int(game.cash[player]), 0
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if owned & bits != bits:
            continue
        houses, hotels = 0, 0  # that the group has room for
        remaining = bits
        while remaining != 0:
            level = int(game.level[lowest(remaining)])
            if level != HOTEL:
                houses += int(rules.hotel_houses) - level
                hotels += 1
            remaining &= remaining - 1
        square = lowest(bits)
        for room, price in ((houses, rules.house_price), (hotels, rules.hotel_price)):
            each = max(int(price[square]), 1)
            number = min(room, max(cash, 0) // each)
            found += number
            cash -= number * each
    return min(found, MOST_BUILDINGS)


# The deeds


@jit
def write_hand(row: Row, left: int, owned: int) -> None:
    """Write the deeds of the player ``left`` seats to the left, and its shares of groups."""
    deeds = deed_bits(owned)
    spread(row, OWNER + left * N_DEEDS, deeds)
    spread(row, OWNER + (left + 1) * N_DEEDS - SPREAD, deeds >> (N_DEEDS - SPREAD))
    at = left * GROUPS
    shares = row[GROUP_SHARE + at : GROUP_SHARE + at + GROUPS]
    lacking = row[GROUP_LACKING + at : GROUP_LACKING + at + GROUPS]
    completes = row[GROUP_COMPLETE + at : GROUP_COMPLETE + at + GROUPS]
    for group in range(GROUPS):
        held = count(owned & GROUP_BITS[group])
        shares[group] = SHARES[group, held]
        lacking[group] = LACKING[group, held]
        completes[group] = COMPLETES[group, held]


@jit
def write_deeds(game: GameState, rules: RuleSet, row: Row, squares: int) -> None:
    """Write the state of all deeds in the groups that include one of these squares."""
    remaining = squares
    while remaining != 0:
        group = int(GROUP[lowest(remaining)])
        remaining &= ~GROUP_BITS[group]
        write_group(game, rules, row, GROUP_BITS[group])


@jit
def write_group(game: GameState, rules: RuleSet, row: Row, bits: int) -> None:
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
        row[MORTGAGED + index] = (game.mortgaged >> square) & 1
        row[LEVEL + index] = LEVELS[game.level[square]]
        row[RENT + index] = squeeze(rent_shown(game, rules, square, doubled), PRICE_SCALE)
        row[COMPLETE + index] = complete


@jit
def rent_shown(game: GameState, rules: RuleSet, square: int, doubled: int) -> int:
    """Return what landing on a deed costs, at a throw of 7 for utilities; 0 if nothing."""
    owner = game.owner[square]
    if owner == NOBODY or game.mortgaged >> square & 1 != 0:
        return 0
    space = SPACE[square]
    if space == Space.STREET:
        level = game.level[square]
        return int(rules.rent[square, level]) * (1 + (doubled if level == 0 else 0))
    if space == Space.RAILROAD:
        return int(rules.railroad_rent[count(game.owned[owner] & RAILROAD_BITS) - 1])
    return 7 * int(rules.utility_multiplier[count(game.owned[owner] & UTILITY_BITS) - 1])


# The board


@jit
def write_bank(game: GameState, row: Row) -> None:
    """Write the Bank's buildings and the Free Parking money."""
    row[HOUSES] = min(max(game.houses, 0) / 32.0, 2.0)
    row[HOTELS] = min(max(game.hotels, 0) / 12.0, 2.0)
    row[POT] = squeeze(max(game.pot, 0), CASH_SCALE)


@jit
def write_position(game: GameState, seat: int, row: Row) -> None:
    """Write the seat's own square, and the distance to every deed."""
    position = int(game.position[seat])
    row[SQUARE + position] = 1.0
    for index in range(N_DEEDS):
        row[DISTANCE + index] = DISTANCES[position, index]


@jit
def write_clock(game: GameState, rules: RuleSet, row: Row) -> None:
    """Write the last throw, and the used share of each limit."""
    row[DICE] = game.dice[0] / 6.0
    row[DICE + 1] = game.dice[1] / 6.0
    row[DOUBLES] = game.doubles / 3.0
    row[CLOCK] = min(game.turns / rules.max_turns, 1.0)
    row[CLOCK + 1] = min(game.decisions / rules.max_decisions, 1.0)
    if rules.time_limit_rounds != 0:
        row[CLOCK + 2] = min(game.rounds / rules.time_limit_rounds, 1.0)


# The rules in force


@jit
def write_constants(rules: RuleSet, row: Row) -> None:
    """Write the prices and all scaled rules, so that one policy can learn every edition."""
    for index in range(N_DEEDS):
        row[PRICE + index] = min(rules.price[DEED_TABLE[index]] / 400.0, 4.0)
    for index in range(N_SWITCHES):
        row[RULES_ + index] = rules.switches[index]


@jit
def observe(games: Any, i: int, rules_: Any, seat: int, row: Row) -> None:
    """Write the observation of ``seat`` in game ``i`` into ``row``, float32[OBSERVATION_SIZE]."""
    write_observation(games[i], rules_[0], seat, row)
