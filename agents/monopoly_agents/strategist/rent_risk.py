"""Expected rents of a player's next turn, and the cash they leave to spend."""

from __future__ import annotations

import math

from monopoly_agents.strategist.weights import Weights
from monopoly_agents.strategist.win_share import idle_mortgages
from monopoly_agents.valuation import standing_rent
from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS, SPACES
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.value.landing_rates import BY_SPACE


@jit
def rents_ahead(game: GameState, rules: RuleSet, player: int, row: int) -> tuple[float, float]:
    """Return the mean and standard deviation of a turn's rents from a row of BY_SPACE, in $."""
    mean, mean_square = 0.0, 0.0
    remaining = DEED_BITS & ~game.owned[player] & ~game.mortgaged
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        rent = float(standing_rent(game, rules, square))
        mean += BY_SPACE[row, square] * rent
        mean_square += BY_SPACE[row, square] * rent * rent
    return mean, math.sqrt(max(mean_square - mean * mean, 0.0))


@jit
def rent_risk(game: GameState, rules: RuleSet, weights: Weights, player: int) -> int:
    """Return a near-worst-case rent bill for the player's next turn, in $."""
    row = SPACES if game.in_jail[player] != 0 else int(game.position[player])
    mean, deviation = rents_ahead(game, rules, player, row)
    return int(mean + weights.spreads * deviation)


@jit
def spendable(game: GameState, rules: RuleSet, weights: Weights, player: int) -> int:
    """Return the cash that can be spent, in $.

    Idle deeds to mortgage help cover the rents ahead.
    """
    idle = idle_mortgages(game, rules, game.owned[player])
    cover = max(rent_risk(game, rules, weights, player) - idle, 0)
    return int(game.cash[player]) - cover - int(weights.pocket)


@jit
def raisable_idle(game: GameState, rules: RuleSet, weights: Weights, player: int) -> int:
    """Return what could be spent if every idle deed were mortgaged, in $."""
    idle = idle_mortgages(game, rules, game.owned[player])
    risk = rent_risk(game, rules, weights, player)
    return int(game.cash[player]) + idle - risk - int(weights.pocket)
