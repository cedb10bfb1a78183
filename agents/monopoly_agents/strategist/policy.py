"""strategist: plays for income and judges every decision by its effect on the win share.

Deeds count by the rents they actually earn (landing_rates.py), holdings by what they were worth in
played games (win_share.py), deals by both sides' win shares (deal_value.py, offer_search.py),
purchases and bids by the share they leave (bidding.py), and cash by the rents ahead (rent_risk.py).
"""

from __future__ import annotations

import math

from monopoly_agents.scripted.common import (
    claim_or_pass,
    close_window,
    decide_rare_phase,
    leave_jail,
    lift_or_keep,
)
from monopoly_agents.strategist.bidding import bid, decide_buy
from monopoly_agents.strategist.cash import least_mortgage, lift_best, meet_debt
from monopoly_agents.strategist.deal_value import answer
from monopoly_agents.strategist.offer_search import make_offer
from monopoly_agents.strategist.rent_risk import raisable_idle, rents_ahead, spendable
from monopoly_agents.strategist.weights import Weights, weights_of
from monopoly_agents.strategist.win_share import unowned_deeds
from monopoly_agents.valuation import building_price, rent_gain
from monopoly_env.bots.actions import NO_ACTION, id_of, ids_of
from monopoly_env.bots.offer_steps import compose
from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import VALUE_OF
from monopoly_env.engine.board import DEED_BITS, JAIL, SPACES
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import ViewState, policy
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.sites import buildable
from monopoly_env.engine.state import GameState
from monopoly_env.value.landing_rates import BY_SPACE, LONG_RUN

HOUSES_FIRST = 3  # houses per site for which idle deeds are mortgaged
SCARCE = 8  # with fewer houses in the Bank, keep other players short of them
TELEPORT_RESERVE = 100  # $ to keep after teleporting to a deed


# Building


@jit
def develop(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Build or lift mortgages with spendable cash.

    Mortgage idle deeds for the first three houses.
    """
    me = int(view.seat)
    action = best_building(game, rules, weights, view, spendable(game, rules, weights, me))
    if action != NO_ACTION:
        return action
    action = lift_best(game, rules, weights, view)
    if action != NO_ACTION:
        return action
    price = next_house(game, rules, me)
    if price > 0 and price <= raisable_idle(game, rules, weights, me) and price > game.cash[me]:
        return least_mortgage(game, rules, weights, view, DEED_BITS)
    return NO_ACTION


@jit
def best_building(
    game: GameState, rules: RuleSet, weights: Weights, view: ViewState, money: int
) -> int:
    """Build where a dollar gains most: up to three houses on each site first, then beyond."""
    best, best_gain, best_first = NO_ACTION, 0.0, False
    for action in ids_of(Kind.BUILD):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            price = building_price(game, rules, square)
            first = int(game.level[square]) < HOUSES_FIRST
            income = weights.houses * LONG_RUN[square] * rent_gain(game, rules, square)
            gain = income / max(price, 1)  # $ over the horizon for each that it costs
            if price <= money and (
                first or (gain > 1.0 and not keeps_short(game, rules, view, square))
            ):
                if (
                    best == NO_ACTION
                    or (first and not best_first)
                    or (first == best_first and gain > best_gain)
                ):
                    best, best_gain, best_first = action, gain, first
    return best


@jit
def keeps_short(game: GameState, rules: RuleSet, view: ViewState, square: int) -> bool:
    """Return whether building a hotel would release houses that another player is waiting for."""
    if game.level[square] < rules.hotel_houses or game.houses >= SCARCE:
        return False
    for player in range(game.players):
        if player != view.seat and game.out[player] == 0:
            remaining = buildable(game, player)
            while remaining != 0:
                if game.level[lowest(remaining)] < HOUSES_FIRST:
                    return True
                remaining &= remaining - 1
    return False


@jit
def next_house(game: GameState, rules: RuleSet, player: int) -> int:
    """Return the price of the cheapest first house still to be built; 0 if there is none."""
    cheapest = 0
    remaining = buildable(game, player)
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if game.level[square] < HOUSES_FIRST and game.houses > 0:
            price = int(rules.house_price[square])
            if cheapest == 0 or price < cheapest:
                cheapest = price
    return cheapest


# Jail


@jit
def jail_or_roll(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Leave Jail if that gains more than the rents it risks; otherwise roll."""
    me = int(view.seat)
    if game.in_jail[me] == 0 or not worth_leaving(game, rules, weights, me):
        return id_of(Kind.ROLL)
    return leave_jail(view)


@jit
def worth_leaving(game: GameState, rules: RuleSet, weights: Weights, me: int) -> bool:
    """Return whether reaching unowned deeds outweighs the extra rents of a turn outside Jail."""
    gain = 0.0
    remaining = unowned_deeds(game)
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if rules.price[square] <= game.cash[me]:
            gain += (
                (BY_SPACE[JAIL, square] - BY_SPACE[SPACES, square])
                * weights.unsold
                * rules.price[square]
            )
    outside, _ = rents_ahead(game, rules, me, JAIL)
    inside, _ = rents_ahead(game, rules, me, SPACES)
    return bool(gain > outside - inside)


# The policy


@jit
def go_on(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Roll at the start of the turn; in other windows, build or close the window."""
    if game.phase == Phase.TURN:
        return jail_or_roll(game, rules, weights, view)
    action = develop(game, rules, weights, view)
    return close_window(game) if action == NO_ACTION else action


@jit
def decide_window(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Make an offer on one's own turn; otherwise go on."""
    if game.turn == view.seat:
        action = make_offer(game, rules, weights, view)
        if action != NO_ACTION:
            return action
    return go_on(game, rules, weights, view)


@jit
def decide_elsewhere(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Decide in every phase except windows, debts and answers."""
    phase = game.phase
    if phase == Phase.BUY:
        return decide_buy(game, rules, weights, view)
    if phase == Phase.AUCTION:
        return bid(game, rules, weights, view)
    if phase == Phase.DEAL:
        return compose(game, view)
    if phase == Phase.DEED:
        budget = spendable(game, rules, weights, view.seat) - weights.lift_stays
        return lift_or_keep(game, rules, view, math.floor(budget))
    if phase == Phase.CLAIM:
        return claim_or_pass(game, rules, view, 0)
    return decide_rare_phase(game, rules, view, TELEPORT_RESERVE)


@policy
def strategist(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Play for income; deal, bid and build by the effect on the win share."""
    weights = weights_of(view)
    phase = game.phase
    if phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN:
        return decide_window(game, rules, weights, view)
    if phase == Phase.ANSWER:
        return answer(game, rules, weights, view)
    if phase == Phase.DEBT:
        return meet_debt(game, rules, weights, view)
    return decide_elsewhere(game, rules, weights, view)
