"""Win probabilities by formula: each seat's share of a power of its worth."""

from __future__ import annotations

from enum import IntEnum

from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.strategist.win_share import strength
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float64s, GameState
from monopoly_env.engine.worth import net_worth
from monopoly_env.value.network import ValueWork, prepare, write_result

SHARP = 2.75  # the exponent of strength that best predicts the winner


class Worth(IntEnum):
    """How a seat's worth is measured, in $."""

    NET = 0  # cash, deeds at list price, buildings at cost
    STRENGTH = 1  # the strategist's own measure


@jit
def write_formula(
    game: GameState, rules: RuleSet, worth: int, power: float, work: ValueWork, out: Float64s
) -> None:
    """Write each seat's share of the sum of powers to ``out``, float64[8].

    The position is settled as for the learned value. ``game`` is not changed.
    """
    if not prepare(game, rules, work):
        write_result(work.settled, rules, work.rank, out)
        return
    settled, total = work.settled, 0.0
    out[:] = 0.0
    for seat in range(settled.players):
        if settled.out[seat] == 0:
            if worth == Worth.STRENGTH:
                cash = float(settled.cash[seat])
                value = strength(settled, rules, STRATEGIST[0], settled.owned[seat], cash)
            else:
                value = max(float(net_worth(settled, rules, seat)), 1.0)
            out[seat] = value**power
            total += out[seat]
    for seat in range(settled.players):
        out[seat] /= total


@jit
def write_all_formulas(
    games: Records, rules_: Records, worth: int, power: float, works: Records, out: Float64s
) -> None:
    """Write the formula for many positions under one rule set to ``out``, float64[n, 8]."""
    for index in range(len(games)):
        write_formula(games[index], rules_[0], worth, power, works[0], out[index])
