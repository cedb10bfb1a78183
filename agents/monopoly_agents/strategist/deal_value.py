"""Deal evaluation by the change in both sides' win shares.

A win share counts everything at once: the groups a deal completes on either side, the cash for
houses, and how dangerous the other side becomes. Only deals that raise one's own share are
accepted, so no chain of deals can end where it began at one's own cost.
"""

from __future__ import annotations

from monopoly_agents.strategist.sides import change_hands, new_side, strengths_at, take_side
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.strategist.win_share import others_squared, win_share
from monopoly_env.bots.actions import id_of
from monopoly_env.bots.deals import Deal, offered_deal
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import COLORS, DEED_BITS, GROUP_BITS
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

PATIENCE = 60  # rounds after which a game counts as stalled
NEVER = 1e9  # a factor on one's own share that no deal reaches


@jit
def share_factors(
    game: GameState, rules: RuleSet, weights: Weights, deal: Deal
) -> tuple[float, float]:
    """Return the factors by which a deal changes the win shares of the player and its partner."""
    others = others_squared(game, rules, weights, deal.me, deal.partner)
    my_side, their_side = new_side(), new_side()
    take_side(game, rules, weights, deal.me, my_side)
    take_side(game, rules, weights, deal.partner, their_side)
    my_before, their_before = strengths_at(my_side, their_side, 0)
    change_hands(game, rules, weights, deal, deal.give | deal.ask, my_side, their_side)
    my_after, their_after = strengths_at(my_side, their_side, deal.cash)
    mine = win_share(my_after, their_after, others) / win_share(my_before, their_before, others)
    theirs = win_share(their_after, my_after, others) / win_share(their_before, my_before, others)
    return mine, theirs


@jit
def strengths_after(
    game: GameState, rules: RuleSet, weights: Weights, deal: Deal
) -> tuple[float, float]:
    """Return the strengths after a deal: the player's and the partner's."""
    mine, theirs = new_side(), new_side()
    take_side(game, rules, weights, deal.me, mine)
    take_side(game, rules, weights, deal.partner, theirs)
    change_hands(game, rules, weights, deal, deal.give | deal.ask, mine, theirs)
    return strengths_at(mine, theirs, deal.cash)


@jit
def least_gain(game: GameState, weights: Weights, usual: float, deal: Deal) -> float:
    """Return the least factor on one's own share: ``usual``, or less for a deal that ends a stall.

    Two players cannot both gain from a deal, but a stalled game would never end without one that
    changes it. With more players, often no two of them can complete groups for each other; then a
    deal that completes one ends the stall. In stalled games, no deal may break up a complete group,
    so that such deals cannot be taken back for more.
    """
    if not is_stalled(game):
        return usual
    if breaks_group(game.owned[deal.me], deal.give) or breaks_group(
        game.owned[deal.partner], deal.ask
    ):
        return NEVER
    mine = completes_group(game.owned[deal.me], deal.ask & DEED_BITS)
    theirs = completes_group(game.owned[deal.partner], deal.give & DEED_BITS)
    if (mine and theirs) or ((mine or theirs) and alive_count(game) > 2):
        return float(weights.even)
    return usual


@jit
def is_stalled(game: GameState) -> bool:
    """Return whether the game has gone on for so long that a deal is needed to end it."""
    return bool(game.turns >= PATIENCE * game.players)


@jit
def completes_group(owned: int, received: int) -> bool:
    """Return whether ``received`` completes a color group for the owner of ``owned``."""
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if received & bits != 0 and (owned | received) & bits == bits:
            return True
    return False


@jit
def breaks_group(owned: int, given: int) -> bool:
    """Return whether ``given`` is part of a complete color group of the owner of ``owned``."""
    for group in range(COLORS):
        bits = GROUP_BITS[group]
        if given & bits != 0 and owned & bits == bits:
            return True
    return False


@jit
def answer(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """Accept an offer that raises one's own win share enough; otherwise reject it."""
    deal = offered_deal(game, view.seat)
    mine, _ = share_factors(game, rules, weights, deal)
    accepted = mine >= least_gain(game, weights, weights.accept, deal)
    return id_of(Kind.ACCEPT) if accepted else id_of(Kind.REJECT)
