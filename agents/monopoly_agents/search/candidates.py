"""Candidate actions to compare with the policy's own choice."""

from __future__ import annotations

from monopoly_agents.scripted.common import close_window, refuse_to_buy
from monopoly_agents.strategist.deal_value import share_factors
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.valuation import rent_gain
from monopoly_env.bots.actions import NO_ACTION, id_of, ids_of, is_legal, largest_step
from monopoly_env.bots.deals import offered_deal
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import KIND_OF, VALUE_OF
from monopoly_env.engine.board import COLORS, GROUP
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, Int64s

MAX_CANDIDATES = 12
# Offers that multiply a player's own share by less or more than this are not searched.
LEAST_FACTOR, MOST_FACTOR = 0.85, 1.4
BID_STEP = 20  # $ of the candidate raise


@jit
def add(view: ViewState, actions: Int64s, count: int, action: int) -> int:
    """Add an action if it is legal and not a candidate yet; return the number of candidates."""
    if action < 0 or count >= MAX_CANDIDATES or not is_legal(view, action):
        return count
    for index in range(count):
        if actions[index] == action:
            return count
    actions[count] = action
    return count + 1


@jit
def find_candidates(
    game: GameState, rules: RuleSet, view: ViewState, own: int, actions: Int64s
) -> int:
    """Write the candidates into ``actions`` int64[MAX_CANDIDATES], ``own`` first.

    Returns their number; 1 means that the policy's own choice is taken without a search.
    """
    actions[0] = own
    phase = game.phase
    if KIND_OF[own] == Kind.DEAL or KIND_OF[own] == Kind.PROPOSE:
        return 1
    if phase == Phase.BUY:
        count = add(view, actions, 1, id_of(Kind.BUY))
        return add(view, actions, count, refuse_to_buy(view))
    if phase == Phase.AUCTION:
        return bids(game, rules, view, actions)
    if phase == Phase.ANSWER:
        return answers(game, rules, view, actions)
    if phase == Phase.TURN and game.in_jail[view.seat] != 0:
        return jail_exits(view, actions)
    if phase == Phase.END or phase == Phase.BETWEEN:
        return buildings(game, rules, view, actions)
    if phase == Phase.CLAIM:
        count = add(view, actions, 1, id_of(Kind.CLAIM))
        return add(view, actions, count, id_of(Kind.PASS))
    return 1


@jit
def bids(game: GameState, rules: RuleSet, view: ViewState, actions: Int64s) -> int:
    """Add passing and a small raise in a deed's auction, once the bid reaches half the price."""
    if game.lot != AuctionLot.DEED or 2 * game.bid < rules.price[game.lot_square]:
        return 1
    count = add(view, actions, 1, id_of(Kind.PASS))
    return add(view, actions, count, largest_step(view, Kind.RAISE, BID_STEP))


@jit
def answers(game: GameState, rules: RuleSet, view: ViewState, actions: Int64s) -> int:
    """Add accepting and refusing, unless the offer is clearly bad or clearly good."""
    factor, _ = share_factors(game, rules, STRATEGIST[0], offered_deal(game, view.seat))
    if factor < LEAST_FACTOR or factor > MOST_FACTOR:
        return 1
    count = add(view, actions, 1, id_of(Kind.ACCEPT))
    return add(view, actions, count, id_of(Kind.REJECT))


@jit
def jail_exits(view: ViewState, actions: Int64s) -> int:
    """Add staying in Jail for a throw, and leaving it."""
    count = add(view, actions, 1, id_of(Kind.ROLL))
    count = add(view, actions, count, id_of(Kind.JAIL_CARD))
    return add(view, actions, count, id_of(Kind.JAIL_PAY))


@jit
def buildings(game: GameState, rules: RuleSet, view: ViewState, actions: Int64s) -> int:
    """Add a building in each group, and none; between turns only if the policy would build."""
    kind = KIND_OF[actions[0]]
    go_on = close_window(game)
    if kind != Kind.BUILD and (actions[0] != go_on or game.phase == Phase.BETWEEN):
        return 1
    count = 1
    for group in range(COLORS):
        count = add(view, actions, count, best_of_group(game, rules, view, group))
    return add(view, actions, count, go_on) if count > 1 or kind == Kind.BUILD else 1


@jit
def best_of_group(game: GameState, rules: RuleSet, view: ViewState, group: int) -> int:
    """Return the building in a group that adds the most rent; NO_ACTION if none is legal."""
    best, best_gain = NO_ACTION, 0
    for action in ids_of(Kind.BUILD):
        if view.mask[action] != 0 and GROUP[VALUE_OF[action]] == group:
            gain = rent_gain(game, rules, VALUE_OF[action])
            if best == NO_ACTION or gain > best_gain:
                best, best_gain = action, gain
    return best
