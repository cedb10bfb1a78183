"""Deal evaluation by the learned win probability of each seat."""

from __future__ import annotations

import numpy as np

from monopoly_agents.strategist.deal_value import completes_group
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.strategist.win_share import unowned_deeds
from monopoly_agents.trader.weights import MANY, TWO, Margins, TraderState
from monopoly_env.bots.deals import Deal
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS, PLAYERS
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GAME, Float64s, GameState
from monopoly_env.value.apply_deal import carry_out
from monopoly_env.value.network import WORK, NetworkState, write_chances


@jit
def chances_now(game: GameState, rules: RuleSet, value: NetworkState) -> Float64s:
    """Return each seat's win probability, float64[PLAYERS]."""
    works, chances = np.empty(1, WORK), np.empty(PLAYERS)
    write_chances(game, rules, value, works[0], chances)
    return chances


@jit
def chances_after(game: GameState, rules: RuleSet, value: NetworkState, deal: Deal) -> Float64s:
    """Return each seat's win probability after a deal, float64[PLAYERS]."""
    games = np.empty(1, GAME)
    games[0] = game
    me, partner, give, ask, cash = deal
    carry_out(games[0], rules, me, partner, give, ask, cash)
    return chances_now(games[0], rules, value)


@jit
def set_in(game: GameState) -> int:
    """Return which set of numbers applies: MANY or TWO."""
    return TWO if alive_count(game) == 2 else MANY


@jit
def margins_in(game: GameState, trader: TraderState) -> Margins:
    """Return the margins for the number of players left."""
    return trader.margins[set_in(game)]


@jit
def weights_in(game: GameState, trader: TraderState) -> Weights:
    """Return the weights for the number of players left."""
    return trader.weights[set_in(game)]


@jit
def is_slow(game: GameState, trader: TraderState) -> bool:
    """Return whether the game is past the ``slow`` margin with all deeds owned."""
    margins = margins_in(game, trader)
    return game.turns >= margins.slow * game.players and unowned_deeds(game) == 0


@jit
def least_chance(game: GameState, trader: TraderState, usual: float, deal: Deal) -> float:
    """Return the least factor on one's own win probability: ``usual``, or less as a game stalls.

    It drops only for deals that complete a group on both sides, which no later deal breaks up
    again.
    """
    margins = margins_in(game, trader)
    stalled = game.turns / game.players - margins.patience
    if stalled > 0.0:
        mine = completes_group(game.owned[deal.me], deal.ask & DEED_BITS)
        if mine and completes_group(game.owned[deal.partner], deal.give & DEED_BITS):
            return min(usual, max(margins.even, usual - stalled * margins.fade))
    return usual
