"""The trader's purchases: it declines to buy where the auction will be cheaper.

Every deed that is not bought is auctioned, and the player who declined may bid. Where the others have
little cash, or little use for the deed, it costs less than its list price there.
"""

from __future__ import annotations

import math

from monopoly_agents.scripted.common import bid_step, refuse_to_buy
from monopoly_agents.strategist import bidding
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.trader.judgment import margins_in, weights_in
from monopoly_agents.trader.weights import TraderState
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import KIND_OF, VALUE_OF
from monopoly_env.engine.agenda import top
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import AuctionLot
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

NO_LIMIT = 1e9  # $


@jit
def decide_buy(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Buy a deed that is worth its price, at the list price or in the auction."""
    weights = weights_in(game, trader)
    action = bidding.decide_buy(game, rules, weights, view)
    refuse = refuse_to_buy(view)
    if rules.auctions == 0 or action == refuse:
        return action
    me, square = int(view.seat), int(top(game).square)
    price = int(rules.price[square])
    most = min(margins_in(game, trader).auction * price, float(game.cash[me]))
    expected = max(highest_bid(game, rules, weights, me, square), rules.auction_opening)
    return refuse if expected < most else action


@jit
def bid(game: GameState, rules: RuleSet, trader: TraderState, view: ViewState) -> int:
    """Bid as the strategist does, but between two players little more than the list price.

    At the strategist's limit, both sides have the same win share, whoever pays it. Between two
    players, that is often twice the list price, and the buyer has no cash left for houses: a rival
    who knows it declines to buy, to let one pay.
    """
    action = bidding.bid(game, rules, weights_in(game, trader), view)
    raises, opens = KIND_OF[action] == Kind.RAISE, KIND_OF[action] == Kind.OPEN
    if game.lot != AuctionLot.DEED or not (raises or opens):
        return action
    square = int(game.lot_square)
    most = math.floor(min(margins_in(game, trader).bids * rules.price[square], NO_LIMIT))
    bidden = int(game.opening) if opens else int(game.bid) + int(VALUE_OF[action])
    if bidden <= most:
        return action
    return bid_step(game, view, most, most)


@jit
def highest_bid(game: GameState, rules: RuleSet, weights: Weights, me: int, square: int) -> int:
    """Return the most that any opponent would bid for a deed against ``me``, in $."""
    highest = 0
    for left in range(1, game.players):
        rival = (me + left) % int(game.players)
        if game.out[rival] == 0:
            highest = max(highest, last_bid(game, rules, weights, rival, square, me))
    return highest


@jit
def last_bid(
    game: GameState, rules: RuleSet, weights: Weights, player: int, square: int, rival: int
) -> int:
    """Return the bid from which on a player leaves a deed to ``rival``, in $.

    The higher the bid, the less it hurts that the rival pays it, so the price limit falls with it.
    """
    low, high = int(rules.price[square]) // 2, int(game.cash[player])
    while low < high:
        bid = (low + high + 1) // 2
        if bidding.price_limit(game, rules, weights, player, square, rival, bid) >= bid:
            low = bid
        else:
            high = bid - 1
    return min(low, high)
