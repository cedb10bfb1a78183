"""Compiled figures for every position of a replay: expected rents, and reasons against actions."""

from __future__ import annotations

from monopoly_agents.valuation import standing_rent

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine import dispatch
from monopoly_env.engine.board import NOBODY, SPACES
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.state import Float64s, Int8s
from monopoly_env.value.landing_rates import LONG_RUN


@jit
def write_reasons(games: Records, rules: Records, reasons: Int8s) -> None:
    """Write the reason against every action, int8[N_ACTIONS], as values of Why; 0 means legal."""
    for action in range(len(reasons)):
        reasons[action] = dispatch.why(games[0], rules[0], action)


@jit
def write_rents(games: Records, rules: Records, rents: Float64s) -> None:
    """Write the expected income of each seat's deeds per round, float64[players], in $.

    A round is one turn of every other player in the game, with each space landed on as often as in
    the long run.
    """
    game = games[0]
    rents[:] = 0.0
    others = alive_count(game) - 1
    for square in range(SPACES):
        owner = int(game.owner[square])
        if owner != NOBODY and owner < len(rents):
            rent = standing_rent(game, rules[0], square)
            rents[owner] += LONG_RUN[square] * rent * others
