"""The invariants of every position: one function each, combined in ``status()``.

A game that violates one was set up incorrectly or played by a faulty rule. The fuzz tests check
them after every decision.
"""

from __future__ import annotations

from enum import IntFlag

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import (
    COLORS,
    DEED_BITS,
    GO_TO_JAIL,
    GROUP_BITS,
    HOTEL,
    JAIL,
    NOBODY,
    PLAYERS,
    SPACES,
    STREET_BITS,
)
from monopoly_env.engine.decks import kept_card
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.money import MOST_MONEY
from monopoly_env.engine.movement import on_route
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.sites import height
from monopoly_env.engine.state import AGENDA, GameState, Int64s


class Status(IntFlag):
    """The violated invariants of a position; 0 is a valid position."""

    MONEY = 1  # cash, pot and Bank do not sum to zero, or exceed the limit
    CASH = 2  # a player has negative cash
    DEEDS = 4  # owner and owned disagree, or a deed has a wrong owner
    BUILDINGS = 8  # buildings off streets, off complete groups, or levels out of range
    SUPPLY = 16  # the number of houses or hotels has changed
    EVENNESS = 32  # a group is built unevenly
    MORTGAGE = 64  # a mortgage beside buildings, or of a deed of the Bank
    CARDS = 128  # a card is missing, doubled or held by nobody in the game
    PLACES = 256  # a token off the board, an inmate outside Jail
    OUT = 512  # a bankrupt player still has something
    ACTOR = 1024  # the wrong player decides, or one who is out
    MASK = 2048  # nothing is legal
    AGENDA = 4096  # the agenda is empty, too deep, or its frame is wrong
    DICE = 8192  # a throw was needed beyond the forced ones
    OVER = 16384  # the game should have ended, or should not have


# Plain integers for compiled code, because Numba supports IntEnum but not IntFlag.
BROKEN_MONEY = int(Status.MONEY)
BROKEN_CASH = int(Status.CASH)
BROKEN_DEEDS = int(Status.DEEDS)
BROKEN_BUILDINGS = int(Status.BUILDINGS)
BROKEN_SUPPLY = int(Status.SUPPLY)
BROKEN_EVENNESS = int(Status.EVENNESS)
BROKEN_MORTGAGE = int(Status.MORTGAGE)
BROKEN_CARDS = int(Status.CARDS)
BROKEN_PLACES = int(Status.PLACES)
BROKEN_OUT = int(Status.OUT)
BROKEN_ACTOR = int(Status.ACTOR)
BROKEN_MASK = int(Status.MASK)
BROKEN_AGENDA = int(Status.AGENDA)
BROKEN_DICE = int(Status.DICE)
BROKEN_OVER = int(Status.OVER)


@jit
def status(game: GameState, rules: RuleSet, bits: Int64s) -> int:
    """Return all violated invariants; ``bits`` is scratch space, int64[N_KINDS]."""
    broken = money(game) | deeds(game) | buildings(game, rules) | mortgages(game, rules)
    broken |= cards(game, rules) | places(game, rules) | departed(game)
    broken |= flow(game) | ending(game)
    if broken == 0 and game.phase != Phase.OVER:
        legal_bits(game, rules, bits)
        if not bits.any():
            broken |= BROKEN_MASK
    if game.dice_missing != 0:
        broken |= BROKEN_DICE
    return broken


@jit
def money(game: GameState) -> int:
    """Check that money sums to zero and is within limits, and that nobody has negative cash."""
    total = int(game.bank) + int(game.pot)
    broken = 0
    if game.pot < 0 or (game.bank < -MOST_MONEY and game.phase != Phase.OVER):
        broken |= BROKEN_MONEY
    for player in range(PLAYERS):
        total += int(game.cash[player])
        if game.cash[player] < 0:
            broken |= BROKEN_CASH
    return broken | (0 if total == 0 else BROKEN_MONEY)


@jit
def deeds(game: GameState) -> int:
    """Check that each deed is in one place, and that the masks agree with the owners."""
    union = 0
    for player in range(PLAYERS):
        if union & game.owned[player] != 0:
            return BROKEN_DEEDS
        union |= game.owned[player]
    for square in range(SPACES):
        owner = game.owner[square]
        if owner < NOBODY or owner >= game.players:
            return BROKEN_DEEDS
        if owner == NOBODY and union >> square & 1 != 0:
            return BROKEN_DEEDS
        if owner != NOBODY and game.owned[owner] >> square & 1 == 0:
            return BROKEN_DEEDS
    return 0 if union & ~DEED_BITS == 0 else BROKEN_DEEDS


@jit
def buildings(game: GameState, rules: RuleSet) -> int:
    """Check that buildings are on complete groups, evenly, and that none are lost."""
    broken, houses, hotels = 0, 0, 0
    for square in range(SPACES):
        level = int(game.level[square])
        if level < 0 or level > HOTEL or (level != 0) != (game.built >> square & 1 != 0):
            broken |= BROKEN_BUILDINGS
        if HOTEL > level > rules.hotel_houses:
            broken |= BROKEN_BUILDINGS
        hotels += 1 if level == HOTEL else 0
        houses += level if level < HOTEL else 0
    if game.built & ~STREET_BITS != 0:
        broken |= BROKEN_BUILDINGS
    for group in range(COLORS):
        if game.built & GROUP_BITS[group] != 0:
            broken |= built_group(game, rules, group)
    if houses + game.houses != game.house_supply or hotels + game.hotels != game.hotel_supply:
        broken |= BROKEN_SUPPLY
    if rules.limited_buildings != 0 and (game.houses < 0 or game.hotels < 0):
        broken |= BROKEN_SUPPLY
    return broken


@jit
def built_group(game: GameState, rules: RuleSet, group: int) -> int:
    """Check that a group with buildings has one owner and is built evenly."""
    low, high, broken = 99, 0, 0
    remaining = GROUP_BITS[group]
    owner = game.owner[lowest(remaining)]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if owner == NOBODY or game.owner[square] != owner:
            broken |= BROKEN_BUILDINGS
        low = min(low, height(game, rules, square))
        high = max(high, height(game, rules, square))
    if rules.even_building != 0 and high - low > 1:
        broken |= BROKEN_EVENNESS
    return broken


@jit
def mortgages(game: GameState, rules: RuleSet) -> int:
    """Check that only owned deeds are mortgaged, and none in a group with buildings."""
    owned = 0
    for player in range(PLAYERS):
        owned |= game.owned[player]
    if game.mortgaged & ~owned != 0 or game.mortgaged & game.built != 0:
        return BROKEN_MORTGAGE
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if game.built & bits != 0 and game.mortgaged & bits != 0:
            if rules.mortgage_beside_buildings == 0:
                return BROKEN_MORTGAGE
    return 0


@jit
def cards(game: GameState, rules: RuleSet) -> int:
    """Check that every card is in its deck, or is the Jail card of a player."""
    for pile in range(2):
        expected, present = 0, 0
        for index in range(rules.deck_size[pile]):
            expected |= bit(rules.deck[pile, index])
        for index in range(game.deck_size[pile]):
            present |= bit(game.deck[pile, index])
        holder = game.card_holder[pile]
        if holder != NOBODY:
            if holder >= game.players or game.out[holder] != 0:
                return BROKEN_CARDS
            present |= bit(kept_card(rules, pile))
        held = 0 if holder == NOBODY else 1
        if present != expected or game.deck_size[pile] + held != rules.deck_size[pile]:
            return BROKEN_CARDS
    return 0


@jit
def places(game: GameState, rules: RuleSet) -> int:
    """Check that tokens are on the board, prisoners in Jail, and nobody on Go To Jail."""
    for player in range(game.players):
        position = game.position[player]
        if position < 0 or position >= SPACES or not on_route(rules, position):
            return BROKEN_PLACES
        if game.out[player] == 0:
            if game.in_jail[player] != 0 and position != JAIL:
                return BROKEN_PLACES
            if position == GO_TO_JAIL:
                return BROKEN_PLACES
    return 0


@jit
def departed(game: GameState) -> int:
    """Check that bankrupt players and unused seats have nothing."""
    for player in range(PLAYERS):
        if player >= game.players or game.out[player] != 0:
            if game.cash[player] != 0 or game.owned[player] != 0:
                return BROKEN_OUT
    return 0


@jit
def flow(game: GameState) -> int:
    """Check that a decision has an actor in the game and a frame, and a finished game neither."""
    if game.phase == Phase.OVER:
        return 0 if game.depth == 0 and game.actor == NOBODY else BROKEN_AGENDA
    broken = 0
    if game.actor < 0 or game.actor >= game.players or game.out[game.actor] != 0:
        broken |= BROKEN_ACTOR
    if game.depth < 1 or game.depth > AGENDA or game.agenda[0].kind > Task.BETWEEN:
        broken |= BROKEN_AGENDA
    return broken


@jit
def ending(game: GameState) -> int:
    """Check that a running game has at least two players."""
    alive = alive_count(game)
    if alive < 1 or (alive == 1 and game.phase != Phase.OVER):
        return BROKEN_OVER
    return 0
