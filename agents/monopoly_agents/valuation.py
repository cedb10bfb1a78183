"""Helpers to evaluate positions for scripted bots: missing deeds, and values in $."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import COLORS, GROUP, GROUP_BITS, GROUPS, HOTEL, NOBODY, SPACE, Space
from monopoly_env.engine.debt import total_due
from monopoly_env.engine.phases import AuctionLot, RentBy
from monopoly_env.engine.rent import railroad_rent, street_rent, utility_times
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.sites import next_building, price_of
from monopoly_env.engine.state import GameState

# Groups


@jit
def completes(game: GameState, player: int, square: int) -> bool:
    """Return whether this deed is the only one of its group that the player lacks."""
    return bool(GROUP_BITS[GROUP[square]] & ~game.owned[player] == bit(square))


@jit
def missing_deed(game: GameState, player: int, group: int) -> int:
    """Return the one deed of a group that the player lacks.

    Returns NOBODY if none or several are missing.
    """
    missing = GROUP_BITS[group] & ~game.owned[player]
    if count(missing) == 1:
        return lowest(missing)
    return NOBODY


@jit
def is_lone(game: GameState, player: int, square: int) -> bool:
    """Return whether this deed is the only one of its group that the player has."""
    return bool(GROUP_BITS[GROUP[square]] & game.owned[player] == bit(square))


@jit
def in_complete_color(owned: int, square: int) -> bool:
    """Return whether a deed belongs to a color group that is complete in a set."""
    bits = GROUP_BITS[GROUP[square]]
    return bool(owned & bits == bits and GROUP[square] < COLORS)


@jit
def complete_groups(owned: int) -> int:
    """Return the number of complete groups in a set of deeds."""
    groups = 0
    for group in range(GROUPS):
        if owned & GROUP_BITS[group] == GROUP_BITS[group]:
            groups += 1
    return groups


@jit
def squares_of_groups(owned: int) -> int:
    """Return the deeds of the complete groups in a set of deeds."""
    squares = 0
    for group in range(GROUPS):
        if owned & GROUP_BITS[group] == GROUP_BITS[group]:
            squares |= GROUP_BITS[group]
    return int(squares)


# Worth


@jit
def book_value(game: GameState, rules: RuleSet, square: int) -> int:
    """Return the list price of a deed, in $; half of it if mortgaged."""
    price = int(rules.price[square])
    return price // 2 if game.mortgaged >> square & 1 != 0 else price


@jit
def standing_rent(game: GameState, rules: RuleSet, square: int) -> int:
    """Return a deed's current rent, in $: 0 if unowned or mortgaged.

    Utilities at the mean throw of 7.
    """
    if game.owner[square] == NOBODY or (game.mortgaged >> square) & 1 != 0:
        return 0
    if SPACE[square] == Space.STREET:
        return street_rent(game, rules, square)
    if SPACE[square] == Space.RAILROAD:
        return railroad_rent(game, rules, square)
    return 7 * utility_times(game, rules, square, RentBy.DICE)


@jit
def building_price(game: GameState, rules: RuleSet, square: int) -> int:
    """Return the list price of the next building on a street."""
    return price_of(rules, square, next_building(game, rules, square))


@jit
def rent_gain(game: GameState, rules: RuleSet, square: int) -> int:
    """Return the rent that the next building adds to a street of a complete group."""
    hotel = next_building(game, rules, square) == AuctionLot.HOTEL
    level = HOTEL if hotel else int(game.level[square]) + 1
    return int(rules.rent[square, level]) - street_rent(game, rules, square)


@jit
def rent_loss(game: GameState, rules: RuleSet, square: int) -> int:
    """Return the rent that a street loses with its topmost building; a bare one earns double."""
    level = int(game.level[square])
    below = int(rules.hotel_houses) if level == HOTEL else level - 1
    times = 2 if below == 0 else 1
    return int(rules.rent[square, level]) - times * int(rules.rent[square, below])


@jit
def sale_price(game: GameState, rules: RuleSet, square: int) -> int:
    """Return what the Bank pays for the topmost building of a street."""
    building = AuctionLot.HOTEL if game.level[square] == HOTEL else AuctionLot.HOUSE
    return price_of(rules, square, building) // 2


@jit
def amount_due(game: GameState) -> int:
    """Return what the debtor owes in the pending debt."""
    return total_due(game, top(game))
