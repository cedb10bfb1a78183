"""Houses and hotels: building, selling, and the scarce building that several want."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top, wait
from monopoly_env.engine.auction import begin_auction
from monopoly_env.engine.board import COLORS, GROUP, GROUP_BITS, NOBODY, STREET_BITS
from monopoly_env.engine.deeds import owns_group
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.phases import Lot, Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import building_refund

HOTEL = 5  # the level of a hotel, in the short game too


# Building


@jit
def buildable(game: GameState, player: int) -> int:
    """Streets of the player's complete groups without a mortgage, as a bit mask."""
    squares = 0
    owned, mortgaged = game.owned[player], game.mortgaged
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if (owned & bits) == bits and (mortgaged & bits) == 0:
            squares |= bits
    return squares


@jit
def height(game: GameState, rules: RuleSet, square: int) -> int:
    """Buildings on a lot for the even-building rule: a hotel is one more than its houses."""
    level = int(game.level[square])
    return int(rules.hotel_houses) + 1 if level == HOTEL else level


@jit
def next_lot(game: GameState, rules: RuleSet, square: int) -> int:
    """What would be built next on a street: a house or a hotel."""
    return Lot.HOTEL if game.level[square] >= rules.hotel_houses else Lot.HOUSE


@jit
def stock(game: GameState, lot: int) -> int:
    """Buildings of a kind left in the Bank."""
    return int(game.houses) if lot == Lot.HOUSE else int(game.hotels)


@jit
def price_of(rules: RuleSet, square: int, lot: int) -> int:
    """The listed price of a building."""
    return int(rules.house_price[square]) if lot == Lot.HOUSE else int(rules.hotel_price[square])


@jit
def fits(game: GameState, rules: RuleSet, player: int, square: int) -> int:
    """Whether a player's next building may stand on a street, price and supply aside.

    Source: 000 lines 222 to 227 and 258; 001 lines 192 to 206; 002 lines 234 to 244.
    Differs: K, N and Y name four houses on that lot only for a hotel; even building asks for
    four on every lot of the group.
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
    """Whether the group stays even when ``square`` goes up (1) or comes down (-1)."""
    if rules.even_building == 0:
        return Why.OK
    mine = height(game, rules, square)
    rest = GROUP_BITS[GROUP[square]]
    while rest != 0:
        other = height(game, rules, lowest(rest))
        rest &= rest - 1
        if (other - mine) * direction < 0:
            return Why.UNEVEN
    return Why.OK


@jit
def build_candidates(game: GameState, rules: RuleSet) -> int:
    """Streets worth asking ``may_build`` about."""
    return buildable(game, game.actor)


@jit
def may_build(game: GameState, rules: RuleSet, square: int) -> int:
    """Ask for a building at its listed price; in PLACE, put down the one that was won."""
    player = game.actor
    if game.owner[square] != player:
        return Why.NOT_OWNED if game.owner[square] == NOBODY else Why.NOT_YOURS
    reason = fits(game, rules, player, square)
    if reason != Why.OK:
        return reason
    lot = next_lot(game, rules, square)
    if game.phase == Phase.PLACE:
        return Why.OK if lot == top(game).flag else Why.WRONG_BUILDING
    return may_ask_for(game, rules, player, square, lot)


@jit
def may_ask_for(game: GameState, rules: RuleSet, player: int, square: int, lot: int) -> int:
    """The Bank must have the building, the player its price, and not have asked in vain."""
    if rules.limited_buildings != 0:
        if lot == Lot.HOUSE and game.houses < 1:
            return Why.NO_HOUSES
        if lot == Lot.HOTEL and game.hotels < 1:
            return Why.NO_HOTELS
    denied = game.denied_houses if lot == Lot.HOUSE else game.denied_hotels
    if denied >> player & 1 != 0:
        return Why.ASKED_IN_VAIN
    if game.cash[player] < price_of(rules, square, lot):
        return Why.NO_CASH
    return Why.OK


@jit
def build(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Build at once, unless the Bank's stock may not serve all who could want the building.

    Source: 000 line 260; 001 line 208; 002 lines 250 to 252.
    """
    player = game.actor
    lot = next_lot(game, rules, square)
    if game.phase == Phase.PLACE:
        pop(game)
        place(game, rules, log, player, square)
        return
    rivals = 0
    if rules.limited_buildings != 0 and stock(game, lot) < game.players:
        rivals = rivals_for(game, rules, player, lot)
    if rivals != 0 and stock(game, lot) < 1 + count(rivals):
        game.asker = player
        push(game, Task.CLAIM, player, NOBODY, square, 0, lot, rivals)
        return
    build_at_price(game, rules, log, player, square)


@jit
def build_at_price(game: GameState, rules: RuleSet, log: Log, player: int, square: int) -> None:
    """Pay the listed price and put the building up."""
    lot = next_lot(game, rules, square)
    pay(game, log, player, NOBODY, price_of(rules, square, lot), Reason.BUILDING)
    place(game, rules, log, player, square)


@jit
def place(game: GameState, rules: RuleSet, log: Log, player: int, square: int) -> None:
    """Put the next building on a street; a hotel sends its houses back to the Bank."""
    if next_lot(game, rules, square) == Lot.HOTEL:
        game.hotels -= 1
        game.houses += game.level[square]
        game.level[square] = HOTEL
    else:
        game.houses -= 1
        game.level[square] += 1
    game.built |= bit(square)
    note(log, Event.BUILD, player, NOBODY, square, game.level[square])


# The scarce building


@jit
def could_place(game: GameState, rules: RuleSet, player: int, lot: int, paying: bool) -> int:
    """Streets on which a player could now put a building of a kind, as a bit mask."""
    found = 0
    rest = buildable(game, player)
    while rest != 0:
        square = lowest(rest)
        rest &= rest - 1
        if next_lot(game, rules, square) == lot and fits(game, rules, player, square) == Why.OK:
            if not paying or game.cash[player] >= price_of(rules, square, lot):
                found |= bit(square)
    return found


@jit
def rivals_for(game: GameState, rules: RuleSet, asker: int, lot: int) -> int:
    """The other players who could now legally place and pay for such a building."""
    rivals = 0
    for player in range(game.players):
        if player != asker and game.out[player] == 0:
            if could_place(game, rules, player, lot, True) != 0:
                rivals |= bit(player)
    return rivals


@jit
def resume_claim(game: GameState, rules: RuleSet, log: Log) -> bool:
    """Ask the next rival, from the asker's left; then sell or auction the building."""
    item = top(game)
    if item.squares != 0:
        seat = item.player
        while item.squares >> seat & 1 == 0:
            seat = (seat + 1) % game.players
        return wait(game, Phase.CLAIM, seat)
    asker, square, lot, claimants = item.player, item.square, item.flag, item.amount
    pop(game)
    if stock(game, lot) >= 1 + count(claimants):
        game.asker = NOBODY
        build_at_price(game, rules, log, asker, square)
    else:
        claimants |= bit(asker)
        opening = scarce_opening(game, rules, claimants, lot)
        begin_auction(game, log, lot, square, asker, claimants, opening)
    return False


@jit
def scarce_opening(game: GameState, rules: RuleSet, bidders: int, lot: int) -> int:
    """What the first bid for a scarce building must reach.

    Source: 000 lines 214 to 218 (from 1); 002 line 252 (the lowest price on the deeds).
    """
    if rules.scarce_opens_at_price == 0:
        return 1
    lowest_price = 0
    for player in range(game.players):
        if bidders >> player & 1 != 0:
            rest = could_place(game, rules, player, lot, False)
            while rest != 0:
                price = price_of(rules, lowest(rest), lot)
                rest &= rest - 1
                if lowest_price == 0 or price < lowest_price:
                    lowest_price = price
    return max(lowest_price, 1)


@jit
def may_claim(game: GameState, rules: RuleSet, _: int) -> int:
    """Whoever is asked may want it."""
    return Why.OK


@jit
def claim(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Want the building too: it is auctioned if there is not one for everybody."""
    item = top(game)
    item.squares &= ~bit(game.actor)
    item.amount |= bit(game.actor)
    note(log, Event.CLAIM, game.actor, NOBODY, item.square, item.flag)


@jit
def pass_claim(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Do not want the building."""
    top(game).squares &= ~bit(game.actor)


@jit
def resume_place(game: GameState) -> bool:
    """The winner puts the building down."""
    return wait(game, Phase.PLACE, top(game).player)


# Selling


@jit
def bidding_for_building(game: GameState) -> bool:
    """Whether the actor is bidding for a scarce building."""
    return bool(game.phase == Phase.AUCTION and game.lot != Lot.DEED)


@jit
def sell_candidates(game: GameState, rules: RuleSet) -> int:
    """Streets worth asking ``may_sell`` about."""
    return int(game.owned[game.actor] & game.built)


@jit
def may_sell(game: GameState, rules: RuleSet, square: int) -> int:
    """Sell one building at half its price, evenly; a hotel becomes houses again.

    Source: 000 line 264; 001 lines 212 to 216; 002 lines 250 and 256 to 260.
    """
    if game.owner[square] != game.actor:
        return Why.NOT_OWNED if game.owner[square] == NOBODY else Why.NOT_YOURS
    if game.level[square] == 0:
        return Why.NO_BUILDING
    if bidding_for_building(game):
        return Why.BIDDING_ON_BUILDINGS
    reason = even_after(game, rules, square, -1)
    if reason != Why.OK:
        return reason
    if game.level[square] == HOTEL and not hotels_can_break(game, rules):
        return Why.NO_HOUSES
    return Why.OK


@jit
def hotels_can_break(game: GameState, rules: RuleSet) -> bool:
    """Whether the Bank has the houses to exchange for one hotel."""
    return bool(rules.limited_buildings == 0 or game.houses >= rules.hotel_houses)


@jit
def sell(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Take one building down."""
    if game.level[square] == HOTEL:
        game.hotels += 1
        game.houses -= rules.hotel_houses
        game.level[square] = rules.hotel_houses
        refund = int(rules.hotel_price[square]) // 2
    else:
        game.houses += 1
        game.level[square] -= 1
        refund = int(rules.house_price[square]) // 2
    if game.level[square] == 0:
        game.built &= ~bit(square)
    note(log, Event.SELL, game.actor, NOBODY, square, game.level[square])
    pay(game, log, NOBODY, game.actor, refund, Reason.BUILDING)


@jit
def sell_group_candidates(game: GameState, rules: RuleSet) -> int:
    """Groups worth asking ``may_sell_group`` about, as bits by group."""
    mine = game.owned[game.actor] & game.built
    groups = 0
    if mine != 0:
        for group in range(COLORS):
            if (mine & GROUP_BITS[group]) != 0:
                groups |= bit(group)
    return groups


@jit
def may_sell_group(game: GameState, rules: RuleSet, group: int) -> int:
    """Sell all buildings of a group with a hotel at once.

    Always in rule books 001 (line 216) and 002 (line 256); elsewhere only when the Bank has
    too few houses to break a hotel down.
    """
    if not owns_group(game, game.actor, group):
        return Why.NO_GROUP
    if bidding_for_building(game):
        return Why.BIDDING_ON_BUILDINGS
    rest = GROUP_BITS[group] & game.built
    hotel = False
    while rest != 0:
        if game.level[lowest(rest)] == HOTEL:
            hotel = True
        rest &= rest - 1
    if not hotel:
        return Why.NO_HOTEL_HERE
    if rules.sell_group_always == 0 and hotels_can_break(game, rules):
        return Why.HOTELS_CAN_BREAK
    return Why.OK


@jit
def sell_group(game: GameState, rules: RuleSet, log: Log, group: int) -> None:
    """Clear a group of its buildings at half of what they cost."""
    sell_all(game, rules, log, game.actor, GROUP_BITS[group], Reason.BUILDING)


@jit
def sell_all(
    game: GameState, rules: RuleSet, log: Log, player: int, squares: int, reason: int
) -> None:
    """Sell every building on ``squares``; each hotel counts with the houses under it."""
    rest = squares & game.built & game.owned[player] & STREET_BITS
    while rest != 0:
        square = lowest(rest)
        rest &= rest - 1
        refund = building_refund(game, rules, square)
        if game.level[square] == HOTEL:
            game.hotels += 1
        else:
            game.houses += game.level[square]
        game.level[square] = 0
        game.built &= ~bit(square)
        note(log, Event.SELL, player, NOBODY, square, 0)
        pay(game, log, NOBODY, player, refund, reason)
