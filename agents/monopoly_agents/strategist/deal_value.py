"""Deal evaluation by the change in both sides' win shares.

A win share counts everything at once: the groups a deal completes on either side, the cash for
houses, and how dangerous the other side becomes. Only deals that raise one's own share are
accepted, so no chain of deals can end where it began at one's own cost.
"""

from __future__ import annotations

from monopoly_agents.deals import Deal, new_deal, offered_deal
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.strategist.win_share import others_squared, strength, win_share
from monopoly_env.bots.actions import id_of
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import COLORS, DEED_BITS, GROUP_BITS
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.mortgage import keep_interest
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

PATIENCE = 60  # rounds after which a game counts as stalled


@jit
def share_factors(
    game: GameState, rules: RuleSet, weights: Weights, deal: Deal
) -> tuple[float, float]:
    """Return the factors by which a deal changes the win shares of the player and its partner."""
    others = others_squared(game, rules, weights, deal.me, deal.partner)
    no_deal = new_deal(deal.me, deal.partner, 0, 0, 0)
    my_before, their_before = strengths_after(game, rules, weights, no_deal)
    my_after, their_after = strengths_after(game, rules, weights, deal)
    mine = win_share(my_after, their_after, others) / win_share(my_before, their_before, others)
    theirs = win_share(their_after, my_after, others) / win_share(their_before, my_before, others)
    return mine, theirs


@jit
def strengths_after(
    game: GameState, rules: RuleSet, weights: Weights, deal: Deal
) -> tuple[float, float]:
    """Return the strengths after a deal: the player's and the partner's."""
    me, partner, give, ask = deal.me, deal.partner, deal.give, deal.ask
    my_deeds = game.owned[me] & ~give | ask & DEED_BITS
    their_deeds = game.owned[partner] & ~ask | give & DEED_BITS
    my_cash = game.cash[me] + deal.cash - keep_interest(game, rules, ask & DEED_BITS)
    their_cash = game.cash[partner] - deal.cash - keep_interest(game, rules, give & DEED_BITS)
    mine = strength(game, rules, weights, my_deeds, float(my_cash))
    theirs = strength(game, rules, weights, their_deeds, float(their_cash))
    return mine, theirs


@jit
def least_gain(game: GameState, weights: Weights, usual: float, deal: Deal) -> float:
    """Return the least factor on one's own share: ``usual``, or less for a deal that ends a stall.

    Two players cannot both gain from a deal, but a stalled game would never end without one that
    changes it. Such deals cannot repeat: no later deal breaks up complete groups.
    """
    if game.turns >= PATIENCE * game.players:
        mine = completes_group(game.owned[deal.me], deal.ask & DEED_BITS)
        if mine and completes_group(game.owned[deal.partner], deal.give & DEED_BITS):
            return float(weights.even)
    return usual


@jit
def completes_group(owned: int, received: int) -> bool:
    """Return whether ``received`` completes a color group for the owner of ``owned``."""
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if received & bits != 0 and (owned | received) & bits == bits:
            return True
    return False


@jit
def answer(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Accept an offer that raises one's own win share enough; otherwise reject it."""
    deal = offered_deal(game, view.seat)
    mine, _ = share_factors(game, rules, weights, deal)
    accepted = mine >= least_gain(game, weights, weights.accept, deal)
    return id_of(Kind.ACCEPT) if accepted else id_of(Kind.REJECT)
