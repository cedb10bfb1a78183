"""The long-run worth of a player's holdings, and the win share that follows from it.

Strength is in dollars: cash, deeds, and the income over a horizon of groups that are or could be
complete. It is defined for any holdings, such as those after a deal under consideration. A seat's
win share is its strength squared over the sum of all squares.
"""

from __future__ import annotations

from monopoly_agents.strategist.holdings import hold, new_holdings, strength_with
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.valuation import in_complete_color
from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def idle_mortgages(game: GameState, rules: RuleSet, owned: int) -> int:
    """Return the $ that mortgaging the deeds outside complete color groups would raise."""
    total = 0
    remaining = owned & ~game.mortgaged
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if not in_complete_color(owned, square):
            total += int(rules.mortgage[square])
    return total


@jit
def strength(game: GameState, rules: RuleSet, weights: Weights, owned: int, cash: float) -> float:
    """Return what deeds and cash are worth together, in $, at least 1."""
    holdings = new_holdings()
    hold(game, rules, weights, owned, holdings)
    return strength_with(holdings, cash)


@jit
def unowned_deeds(game: GameState) -> int:
    """Return the deeds that the Bank still owns."""
    unowned = DEED_BITS
    for player in range(game.players):
        unowned &= ~game.owned[player]
    return int(unowned)


@jit
def others_squared(game: GameState, rules: RuleSet, weights: Weights, me: int, rival: int) -> float:
    """Return the sum of squared strengths of the players still in, except two."""
    total = 0.0
    for player in range(game.players):
        if game.out[player] == 0 and player != me and player != rival:
            value = strength(game, rules, weights, game.owned[player], float(game.cash[player]))
            total += value * value
    return total


@jit
def win_share(mine: float, theirs: float, others: float) -> float:
    """Return a player's win share, from 0 to 1.

    ``mine`` and ``theirs`` are the strengths of two players, ``others`` is the sum of squares of
    all other strengths.
    """
    return mine * mine / (mine * mine + theirs * theirs + others)
