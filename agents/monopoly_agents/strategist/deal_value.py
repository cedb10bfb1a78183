"""Deals judged by the change in both sides' shares of the winning.

What a deal does to a share counts everything at once: the groups it completes on either side,
the cash for houses, and the danger that the other side becomes. A deal that raises one's own
share is accepted, so no chain of deals can lead in a circle at one's cost.
"""

from __future__ import annotations

from monopoly_agents.strategist.weights import Weights
from monopoly_agents.strategist.win_share import rivals_squared, share, strength
from monopoly_agents.valuation import plain
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import COLORS, DEED_BITS, GROUP_BITS
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.mortgage import keep_interest
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

PATIENCE = 60  # rounds after which a game counts as stalled


@jit
def factors(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    me: int,
    partner: int,
    give: int,
    ask: int,
    cash: int,
) -> tuple[float, float]:
    """What a deal multiplies the two sides' shares by. ``cash`` is received, paid if negative."""
    rest = rivals_squared(game, rules, weights, me, partner)
    before_me, before_partner = sides(game, rules, weights, me, partner, 0, 0, 0.0)
    after_me, after_partner = sides(game, rules, weights, me, partner, give, ask, float(cash))
    mine = share(after_me, after_partner, rest) / share(before_me, before_partner, rest)
    theirs = share(after_partner, after_me, rest) / share(before_partner, before_me, rest)
    return mine, theirs


@jit
def sides(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    me: int,
    partner: int,
    give: int,
    ask: int,
    cash: float,
) -> tuple[float, float]:
    """The strengths of two players after a deal between them."""
    mine = game.owned[me] & ~give | ask & DEED_BITS
    theirs = game.owned[partner] & ~ask | give & DEED_BITS
    my_cash = game.cash[me] + cash - keep_interest(game, rules, ask & DEED_BITS)
    their_cash = game.cash[partner] - cash - keep_interest(game, rules, give & DEED_BITS)
    return strength(game, rules, weights, mine, my_cash), strength(
        game, rules, weights, theirs, their_cash
    )


@jit
def least_gain(
    game: GameState, weights: Weights, usual: float, me: int, partner: int, give: int, ask: int
) -> float:
    """What a deal must multiply one's own share by: ``usual``, but for deals that end a stall.

    Two players cannot both gain; without a deal that changes the game, theirs would not end.
    Such deals cannot be repeated, as no later one takes complete groups apart again.
    """
    if game.turns >= PATIENCE * game.players:
        mine = completed(game.owned[me], ask & DEED_BITS)
        if mine and completed(game.owned[partner], give & DEED_BITS):
            return float(weights.even)
    return usual


@jit
def completed(owned: int, received: int) -> bool:
    """Whether deeds received complete a colour group."""
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if received & bits != 0 and (owned | received) & bits == bits:
            return True
    return False


@jit
def answer(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Accept what raises the own share."""
    cash = int(game.deal_give_cash) - int(game.deal_ask_cash)
    me, partner = int(view.seat), int(game.proposer)
    give, ask = int(game.deal_ask), int(game.deal_give)
    mine, _ = factors(game, rules, weights, me, partner, give, ask, cash)
    gains = mine >= least_gain(game, weights, weights.accept, me, partner, give, ask)
    return plain(Kind.ACCEPT) if gains else plain(Kind.REJECT)
