"""Building sites: which streets may be built on, and which building comes next."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import COLORS, GROUP, GROUP_BITS, HOTEL, NOBODY
from monopoly_env.engine.deeds import owns_group
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.phases import AuctionLot
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why


@jit
def buildable(game: GameState, player: int) -> int:
    """Return the streets of the player's complete, unmortgaged groups, as a bit mask."""
    squares = 0
    owned, mortgaged = game.owned[player], game.mortgaged
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if (owned & bits) == bits and (mortgaged & bits) == 0:
            squares |= bits
    return squares


@jit
def height(game: GameState, rules: RuleSet, square: int) -> int:
    """Return the level of a site for the even-building rule: a hotel is one above its houses."""
    level = int(game.level[square])
    return int(rules.hotel_houses) + 1 if level == HOTEL else level


@jit
def next_building(game: GameState, rules: RuleSet, square: int) -> int:
    """Return what would be built next on a street: a house or a hotel."""
    return AuctionLot.HOTEL if game.level[square] >= rules.hotel_houses else AuctionLot.HOUSE


@jit
def stock(game: GameState, building: int) -> int:
    """Return how many buildings of a kind the Bank has."""
    return int(game.houses) if building == AuctionLot.HOUSE else int(game.hotels)


@jit
def price_of(rules: RuleSet, square: int, building: int) -> int:
    """Return the listed price of a building."""
    return (
        int(rules.house_price[square])
        if building == AuctionLot.HOUSE
        else int(rules.hotel_price[square])
    )


@jit
def fits(game: GameState, rules: RuleSet, player: int, square: int) -> int:
    """A building needs a complete, unmortgaged group and must be built evenly.

    Price and supply are checked elsewhere.

    Source: 000 lines 222 to 227 and 258; 001 lines 192 to 206; 002 lines 234 to 244. Differs: K, N
    and Y name four houses on that site only for a hotel; even building asks for four on every site
    of the group.
    """
    group = GROUP[square]
    if not owns_group(game, player, group):
        return Why.NO_GROUP
    if (game.mortgaged & GROUP_BITS[group]) != 0:
        return Why.GROUP_MORTGAGED
    if game.level[square] == HOTEL:
        return Why.FULL
    return even_after(game, rules, square, 1)


@jit
def even_after(game: GameState, rules: RuleSet, square: int, direction: int) -> int:
    """Check that a group stays even when ``square`` goes up (1) or down (-1) by one."""
    if rules.even_building == 0:
        return Why.OK
    mine = height(game, rules, square)
    remaining = GROUP_BITS[GROUP[square]]
    while remaining != 0:
        other = height(game, rules, lowest(remaining))
        remaining &= remaining - 1
        if (other - mine) * direction < 0:
            return Why.UNEVEN
    return Why.OK


@jit
def could_place(game: GameState, rules: RuleSet, player: int, building: int, paying: bool) -> int:
    """Return the streets on which a player could place a building now, as a bit mask."""
    squares = 0
    remaining = buildable(game, player)
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        suits = next_building(game, rules, square) == building
        if suits and fits(game, rules, player, square) == Why.OK:
            if not paying or game.cash[player] >= price_of(rules, square, building):
                squares |= bit(square)
    return squares


@jit
def build_at_price(game: GameState, rules: RuleSet, log: Log, player: int, square: int) -> None:
    """Pay the listed price and place the next building."""
    building = next_building(game, rules, square)
    pay(game, log, player, NOBODY, price_of(rules, square, building), Reason.BUILDING)
    place(game, rules, log, player, square)


@jit
def place(game: GameState, rules: RuleSet, log: Log, player: int, square: int) -> None:
    """Place the next building on a street; a hotel returns its houses to the Bank."""
    if next_building(game, rules, square) == AuctionLot.HOTEL:
        game.hotels -= 1
        game.houses += game.level[square]
        game.level[square] = HOTEL
    else:
        game.houses -= 1
        game.level[square] += 1
    game.built |= bit(square)
    note(log, Event.BUILD, player, NOBODY, square, game.level[square])
