"""The rents that lie ahead of a player: what the next turn costs, on average and at its worst."""

from __future__ import annotations

import math

from monopoly_agents.strategist.landing_rates import BY_SPACE
from monopoly_agents.strategist.weights import Weights
from monopoly_agents.strategist.win_share import idle_mortgages
from monopoly_agents.valuation import standing_rent
from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS, SPACES
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def row_of(game: GameState, player: int) -> int:
    """The row of BY_SPACE that a player's next turn starts from."""
    return SPACES if game.in_jail[player] != 0 else int(game.position[player])


@jit
def rents_ahead(game: GameState, rules: RuleSet, player: int, row: int) -> tuple[float, float]:
    """What a turn from a row costs in rents: the mean and the standard deviation, in $."""
    mean, squares = 0.0, 0.0
    rest = DEED_BITS & ~game.owned[player] & ~game.mortgaged
    while rest != 0:
        square = lowest(rest)
        rest &= rest - 1
        rent = float(standing_rent(game, rules, square))
        mean += BY_SPACE[row, square] * rent
        squares += BY_SPACE[row, square] * rent * rent
    return mean, math.sqrt(max(squares - mean * mean, 0.0))


@jit
def danger(game: GameState, rules: RuleSet, weights: Weights, player: int) -> int:
    """Near the worst that the player's next turn costs, in $."""
    mean, spread = rents_ahead(game, rules, player, row_of(game, player))
    return int(mean + weights.spreads * spread)


@jit
def spare(game: GameState, rules: RuleSet, weights: Weights, player: int) -> int:
    """Cash that can be spent: the danger ahead may be met by mortgaging idle deeds, too."""
    cover = max(
        danger(game, rules, weights, player) - idle_mortgages(game, rules, game.owned[player]), 0
    )
    return int(game.cash[player]) - cover - int(weights.pocket)


@jit
def means(game: GameState, rules: RuleSet, weights: Weights, player: int) -> int:
    """What could be spent if every idle deed were mortgaged."""
    idle = idle_mortgages(game, rules, game.owned[player])
    return (
        int(game.cash[player]) + idle - danger(game, rules, weights, player) - int(weights.pocket)
    )
