"""The strategist's price limits for purchases and auctions."""

from __future__ import annotations

from monopoly_agents.scripted.common import bid_step, refuse_to_buy, scarce_building_limit
from monopoly_agents.strategist.cash import least_mortgage
from monopoly_agents.strategist.holdings import hold, hold_changed, new_holdings, strength_with
from monopoly_agents.strategist.rent_risk import raisable_idle
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.strategist.win_share import others_squared, win_share
from monopoly_env.bots.actions import NO_ACTION, id_of, is_legal
from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import GROUP, GROUP_BITS, NOBODY
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import AuctionLot
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

BID_PART = 10  # raises are at most a tenth of the list price


@jit
def price_limit(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    me: int,
    square: int,
    rival: int,
    rival_price: int,
) -> int:
    """Return the highest price at which a deed pays for a player, in $, from 0 to its cash.

    At this price the player's win share equals the share it would have if ``rival`` took the deed
    for ``rival_price``, or, where ``rival`` is NOBODY, if the Bank kept the deed.
    """
    others = others_squared(game, rules, weights, me, rival)
    cash, owned = float(game.cash[me]), int(game.owned[me])
    without, with_it = 0.0, 0.0  # the rival's strength without and with the deed
    holdings = new_holdings()
    if rival != NOBODY:
        their_cash, theirs = float(game.cash[rival]), int(game.owned[rival])
        hold(game, rules, weights, theirs, holdings)
        without = strength_with(holdings, their_cash)
        hold_changed(game, rules, weights, theirs | bit(square), bit(square), holdings)
        with_it = strength_with(holdings, their_cash - rival_price)
    hold(game, rules, weights, owned, holdings)
    least = win_share(strength_with(holdings, cash), with_it, others)
    hold_changed(game, rules, weights, owned | bit(square), bit(square), holdings)
    low, high = 0, int(cash)
    while low < high:
        price = (low + high + 1) // 2
        mine = strength_with(holdings, cash - price)
        if win_share(mine, without, others) >= least:
            low = price
        else:
            high = price - 1
    return low


@jit
def worst_rival(game: GameState, rules: RuleSet, weights: Weights, me: int, square: int) -> int:
    """Return the opponent whose strength the deed would raise most."""
    best, best_rise = NOBODY, 0.0
    holdings = new_holdings()
    for left in range(1, game.players):
        player = (me + left) % int(game.players)
        if game.out[player] == 0:
            cash, owned = float(game.cash[player]), int(game.owned[player])
            hold(game, rules, weights, owned, holdings)
            before = strength_with(holdings, cash)
            hold_changed(game, rules, weights, owned | bit(square), bit(square), holdings)
            rise = strength_with(holdings, cash) - before
            if best == NOBODY or rise > best_rise:
                best, best_rise = player, rise
    return best


@jit
def decide_buy(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Buy a deed that is worth its price; mortgage idle deeds first if cash falls short."""
    me, square = int(view.seat), int(top(game).square)
    price = int(rules.price[square])
    if is_legal(view, id_of(Kind.BUY)):
        rival = worst_rival(game, rules, weights, me, square) if rules.auctions != 0 else NOBODY
        if price_limit(game, rules, weights, me, square, rival, price) >= price:
            return id_of(Kind.BUY)
    elif int(game.cash[me]) < price <= raisable_idle(game, rules, weights, me):
        action = least_mortgage(game, rules, weights, view, ~GROUP_BITS[GROUP[square]])
        if action != NO_ACTION:
            return action
    return refuse_to_buy(view)


@jit
def bid(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Raise in small steps while the lot is worth more than the standing bid."""
    me = int(view.seat)
    if game.lot != AuctionLot.DEED:
        limit = scarce_building_limit(game, rules, me, game.lot, 0)
        return bid_step(game, view, max((limit - int(game.bid)) // 2, 1), limit)
    square = int(game.lot_square)
    rival = int(game.high_bidder)
    if rival == NOBODY:
        rival = worst_rival(game, rules, weights, me, square)
    rival_price = max(int(game.bid), int(rules.price[square]) // 2)
    limit = price_limit(game, rules, weights, me, square, rival, rival_price)
    return bid_step(game, view, int(rules.price[square]) // BID_PART, limit)
