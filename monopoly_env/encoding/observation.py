"""Writes what one player can see into a row of float32, in place.

Everything is public knowledge of the table, from one seat's view: nothing of the order of the
decks, of the generator or of forced throws is read here. Sets of squares come as bit masks and
leave as ones; amounts of money are squeezed by x / (x + scale), which keeps small differences
large where they matter and needs no knowledge of how rich players can get.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.encoding.blocks import BLOCKS, OBSERVATION_SIZE, OFFSETS
from monopoly_env.encoding.decision import clear_decision, write_decision
from monopoly_env.encoding.marks import Row, left_of, mark_deeds, part, seat_left, squeeze
from monopoly_env.encoding.shown import ShownState, note_shown, shows
from monopoly_env.engine._jit import count, jit, zero
from monopoly_env.engine.board import (
    DEEDS,
    GROUP_BITS,
    GROUP_SIZE,
    GROUPS,
    NOBODY,
    PLAYERS,
    RAILROAD_BITS,
    SPACE,
    SPACES,
    UTILITY_BITS,
    Space,
)
from monopoly_env.engine.deeds import squares_pending
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import SWITCHES, RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import net_worth

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

N_DEEDS = len(DEEDS)
N_SWITCHES = len(SWITCHES)
DEED_TABLE = np.array(DEEDS, np.int64)
# By group and deeds held, 0 to 4: the part held, the part lacking if any is held, all of it held
HELD = np.minimum(np.arange(5), GROUP_SIZE[:, None])
SHARES = (HELD / GROUP_SIZE[:, None]).astype(np.float32)
LACKING = np.where(HELD > 0, (GROUP_SIZE[:, None] - HELD) / 4, 0).astype(np.float32)
COMPLETES = (GROUP_SIZE[:, None] == HELD).astype(np.float32)
# The deeds of each kind: number among the deeds, square
STREETS = np.array([[i, d] for i, d in enumerate(DEEDS) if SPACE[d] == Space.STREET], np.int64)
RAILROADS = np.array([[i, d] for i, d in enumerate(DEEDS) if SPACE[d] == Space.RAILROAD], np.int64)
UTILITIES = np.array([[i, d] for i, d in enumerate(DEEDS) if SPACE[d] == Space.UTILITY], np.int64)
# By level; by own position and deed
LEVELS = (np.arange(6) / 5).astype(np.float32)
DISTANCES = ((DEED_TABLE - np.arange(SPACES)[:, None]) % SPACES / SPACES).astype(np.float32)

ALIVE, CASH, WORTH = OFFSETS["alive"], OFFSETS["cash"], OFFSETS["worth"]
POSITION, IN_JAIL, JAIL_TRIES = OFFSETS["position"], OFFSETS["in_jail"], OFFSETS["jail_tries"]
CARDS = OFFSETS["card_chance"]  # the Chest block follows
OFFERS_LEFT, REFUSED, TURN, LAPS = (
    OFFSETS["offers_left"], OFFSETS["refused"], OFFSETS["turn"], OFFSETS["laps"]
)  # fmt: skip
OWNER, MORTGAGED, LEVEL = OFFSETS["owner"], OFFSETS["mortgaged"], OFFSETS["level"]
PRICE, RENT, COMPLETE = OFFSETS["price"], OFFSETS["rent"], OFFSETS["complete"]
PENDING = OFFSETS["pending"]
HOUSES, HOTELS, POT = OFFSETS["houses"], OFFSETS["hotels"], OFFSETS["pot"]
SQUARE, DISTANCE = OFFSETS["square"], OFFSETS["distance"]
GROUP_SHARE, GROUP_COMPLETE = OFFSETS["group_share"], OFFSETS["group_complete"]
GROUP_LACKING = OFFSETS["group_lacking"]
DICE, DOUBLES, CLOCK, RULES_ = (
    OFFSETS["dice"], OFFSETS["doubles"], OFFSETS["clock"], OFFSETS["rules"]
)  # fmt: skip


@jit
def write_observation(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Write the observation of ``seat`` into ``row``, float32[OBSERVATION_SIZE]."""
    zero(row, 0, OBSERVATION_SIZE)
    write_constants(rules, row)
    write_deeds(game, rules, seat, row)
    write_changing(game, rules, seat, row)


@jit
def rewrite_observation(
    game: GameState, rules: RuleSet, seat: int, row: Row, shown: ShownState
) -> None:
    """The same for a row of which ``shown`` tells what it holds, for equal rules and players.

    What cannot have changed is left alone: the rules' numbers, seats beyond the table, an empty
    menu, deeds that are shown already, all about deals and debts where the row says that none was
    on. In a large batch most of the time goes into moving memory.
    """
    if shown.filled == 0:
        write_observation(game, rules, seat, row)
        note_shown(shown, game, seat)
        return
    if not shows(shown, game, seat):
        write_deeds(game, rules, seat, row)
        note_shown(shown, game, seat)
    zero(row, 0, OWNER)
    zero(row, PENDING, HOUSES)
    zero(row, SQUARE, DISTANCE)
    clear_decision(rules, row)
    write_changing(game, rules, seat, row)


@jit
def write_deeds(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Who owns each deed, its state, what landing there costs, and how far each group is."""
    write_owners(game, seat, row)
    write_rents(game, rules, row, write_groups(game, seat, row))


@jit
def write_changing(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Everything else but the rules' own numbers, over zeros."""
    write_seats(game, rules, seat, row)
    write_board(game, seat, row)
    write_clock(game, rules, row)
    if game.depth > 1:
        mark_deeds(row, PENDING, squares_pending(game))
    if game.phase != Phase.OVER:
        write_decision(game, rules, seat, row)


@jit
def write_seats(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """What each player has and where each stands, self first."""
    for left in range(game.players):
        player = seat_left(game, seat, left)
        if game.out[player] != 0:
            continue
        row[ALIVE + left] = 1.0
        row[CASH + left] = squeeze(max(game.cash[player], 0), 1000)
        row[WORTH + left] = squeeze(max(net_worth(game, rules, player), 0), 4000)
        row[POSITION + left] = part(game.position[player], 39)
        row[IN_JAIL + left] = game.in_jail[player]
        tries = int(game.in_jail[player]) * int(game.jail_tries[player])
        row[JAIL_TRIES + left] = part(tries, rules.jail_tries)
        row[OFFERS_LEFT + left] = part(game.offers_left[player], max(rules.trade_limit, 1))
        row[REFUSED + left] = part(min(game.refused[player], 4), 4)
        row[LAPS + left] = part(min(game.laps[player], 4), 4)
    for pile in range(2):
        if game.card_holder[pile] != NOBODY:
            row[CARDS + pile * PLAYERS + left_of(game, seat, game.card_holder[pile])] = 1.0
    row[TURN + left_of(game, seat, game.turn)] = 1.0


@jit
def write_owners(game: GameState, seat: int, row: Row) -> None:
    """Who owns each deed. Here and below, arithmetic in place of branches that nothing foretells."""
    for left in range(game.players):
        owned = game.owned[seat_left(game, seat, left)]
        start = OWNER + left * N_DEEDS
        write_bits(row[start : start + N_DEEDS], owned)


@jit
def write_bits(block: Row, squares: int) -> None:
    """A one for each deed in a bit mask, a zero for each other."""
    for index in range(N_DEEDS):
        block[index] = (squares >> DEED_TABLE[index]) & 1


@jit
def write_rents(game: GameState, rules: RuleSet, row: Row, complete: int) -> None:
    """The state of each deed and what landing there costs, given the squares of complete groups."""
    write_bits(row[MORTGAGED : MORTGAGED + N_DEEDS], game.mortgaged)
    write_bits(row[COMPLETE : COMPLETE + N_DEEDS], complete)
    doubled = complete
    if rules.double_rent_beside_mortgage == 0:
        doubled &= ~closed_groups(game)
    rents = row[RENT : RENT + N_DEEDS]
    for place in range(len(STREETS)):
        index, square = STREETS[place, 0], STREETS[place, 1]
        level = game.level[square]
        row[LEVEL + index] = LEVELS[level]
        bare = (doubled >> square) & (1 if level == 0 else 0)
        rents[index] = earns(game, square) * int(rules.rent[square, level]) * (1 + bare)
    for place in range(len(RAILROADS)):
        index, square = RAILROADS[place, 0], RAILROADS[place, 1]
        held = count(game.owned[max(game.owner[square], 0)] & RAILROAD_BITS)
        rents[index] = earns(game, square) * int(rules.railroad_rent[max(held - 1, 0)])
    for place in range(len(UTILITIES)):
        index, square = UTILITIES[place, 0], UTILITIES[place, 1]
        held = count(game.owned[max(game.owner[square], 0)] & UTILITY_BITS)
        rents[index] = 7 * earns(game, square) * int(rules.utility_multiplier[max(held - 1, 0)])
    for index in range(N_DEEDS):
        rents[index] /= rents[index] + np.float32(200)  # all at once


@jit
def earns(game: GameState, square: int) -> int:
    """1 if a deed is owned and not mortgaged, else 0."""
    return (1 if game.owner[square] != NOBODY else 0) & ~(game.mortgaged >> square)


@jit
def closed_groups(game: GameState) -> int:
    """All squares of the groups in which a deed is mortgaged."""
    closed = 0
    for group in range(GROUPS):
        bits = GROUP_BITS[group]
        closed |= bits * (1 if game.mortgaged & bits != 0 else 0)
    return closed


@jit
def write_board(game: GameState, seat: int, row: Row) -> None:
    """The Bank's stock, and how far every deed lies ahead."""
    row[HOUSES] = min(max(game.houses, 0) / 32.0, 2.0)
    row[HOTELS] = min(max(game.hotels, 0) / 12.0, 2.0)
    row[POT] = squeeze(max(game.pot, 0), 1000)
    position = int(game.position[seat])
    row[SQUARE + position] = 1.0
    for index in range(N_DEEDS):
        row[DISTANCE + index] = DISTANCES[position, index]


@jit
def write_groups(game: GameState, seat: int, row: Row) -> int:
    """How much of each group everybody has; the squares of complete groups as a bit mask."""
    complete = 0
    for left in range(game.players):
        owned = game.owned[seat_left(game, seat, left)]
        at = left * GROUPS
        shares = row[GROUP_SHARE + at : GROUP_SHARE + at + GROUPS]
        lacking = row[GROUP_LACKING + at : GROUP_LACKING + at + GROUPS]
        completes = row[GROUP_COMPLETE + at : GROUP_COMPLETE + at + GROUPS]
        for group in range(GROUPS):
            bits = GROUP_BITS[group]
            held = count(owned & bits)
            shares[group] = SHARES[group, held]
            lacking[group] = LACKING[group, held]
            completes[group] = COMPLETES[group, held]
            complete |= bits * (1 if owned & bits == bits else 0)
    return complete


@jit
def write_clock(game: GameState, rules: RuleSet, row: Row) -> None:
    """The throw, and how much of each limit is used."""
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
    """The prices, and every single value of the rules, scaled, so that one policy can learn all."""
    for index in range(N_DEEDS):
        row[PRICE + index] = rules.price[DEED_TABLE[index]] / 400.0
    for index in range(N_SWITCHES):
        row[RULES_ + index] = rules.switches[index]


@jit
def observe(games: Any, i: int, rules_: Any, seat: int, row: Row) -> None:
    """Write what ``seat`` sees of game ``i`` into ``row``, float32[OBSERVATION_SIZE]."""
    write_observation(games[i], rules_[0], seat, row)
