"""What a deed is worth to the strategist, at a purchase and in an auction."""

from __future__ import annotations

from monopoly_agents.scripted.common import bid_step, refuse_to_buy, scarce_building_limit
from monopoly_agents.strategist.cash import least_mortgage
from monopoly_agents.strategist.rent_risk import means
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.strategist.win_share import rivals_squared, share, strength
from monopoly_agents.valuation import NO_ACTION, is_legal, plain
from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import GROUP, GROUP_BITS, NOBODY
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import AuctionLot
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

BID_PART = 10  # a bid is raised by up to a tenth of the list price


@jit
def limit_for(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    me: int,
    rival: int,
    square: int,
    at: int,
) -> int:
    """The most that a deed is worth, if ``rival`` takes it at a price otherwise (NOBODY: nobody).

    At this price one's share of the winning is the same either way.
    """
    rest = rivals_squared(game, rules, weights, me, rival)
    cash, owned = float(game.cash[me]), int(game.owned[me])
    without, with_it = 0.0, 0.0
    if rival != NOBODY:
        their_cash, theirs = float(game.cash[rival]), int(game.owned[rival])
        without = strength(game, rules, weights, theirs, their_cash)
        with_it = strength(game, rules, weights, theirs | bit(square), their_cash - at)
    lost = share(strength(game, rules, weights, owned, cash), with_it, rest)
    low, high = 0, int(cash)
    while low < high:
        price = (low + high + 1) // 2
        mine = strength(game, rules, weights, owned | bit(square), cash - price)
        if share(mine, without, rest) >= lost:
            low = price
        else:
            high = price - 1
    return low


@jit
def worst_rival(game: GameState, rules: RuleSet, weights: Weights, me: int, square: int) -> int:
    """The other player whom a deed would make strongest."""
    best, best_rise = NOBODY, 0.0
    for left in range(1, game.players):
        player = (me + left) % int(game.players)
        if game.out[player] == 0:
            cash, owned = float(game.cash[player]), int(game.owned[player])
            rise = strength(game, rules, weights, owned | bit(square), cash)
            rise -= strength(game, rules, weights, owned, cash)
            if best == NOBODY or rise > best_rise:
                best, best_rise = player, rise
    return best


@jit
def decide_buy(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Buy what is worth its price, mortgaging idle deeds for it if need be."""
    me, square = int(view.seat), int(top(game).square)
    price = int(rules.price[square])
    if is_legal(view, plain(Kind.BUY)):
        rival = worst_rival(game, rules, weights, me, square) if rules.auctions != 0 else NOBODY
        if limit_for(game, rules, weights, me, rival, square, price) >= price:
            return plain(Kind.BUY)
    elif int(game.cash[me]) < price <= means(game, rules, weights, me):
        action = least_mortgage(game, rules, weights, view, ~GROUP_BITS[GROUP[square]])
        if action != NO_ACTION:
            return action
    return refuse_to_buy(view)


@jit
def bid(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Raise in small steps while a deed is worth more than the bid that stands."""
    me = int(view.seat)
    if game.lot != AuctionLot.DEED:
        limit = scarce_building_limit(game, rules, me, game.lot, 0)
        return bid_step(game, view, max((limit - int(game.bid)) // 2, 1), limit)
    square = int(game.lot_square)
    rival = int(game.high_bidder)
    if rival == NOBODY:
        rival = worst_rival(game, rules, weights, me, square)
    at = max(int(game.bid), int(rules.price[square]) // 2)
    limit = limit_for(game, rules, weights, me, rival, square, at)
    return bid_step(game, view, int(rules.price[square]) // BID_PART, limit)
