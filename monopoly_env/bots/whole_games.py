"""Plays whole games between compiled policies in one compiled call."""

from __future__ import annotations

import numpy as np

from monopoly_env.bot_seeds import seat_bots
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine import new_game
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.flow import proceed
from monopoly_env.engine.policy_loop import play_on
from monopoly_env.engine.state import Int8s, Int64s


@jit
def play_games(
    games: Records,
    rules_: Records,
    journals: Records,
    views: Records,
    loops: Records,
    players: int,
    seeds: Int64s,
    rank: Int8s,
    facts: Int64s,
) -> None:
    """Play one whole game per seed; all seats are played by the compiled policies of a LOOP record.

    ``rank`` int8[n, 8] receives the ranks; ``facts`` int64[n, 4] the decisions, turns, rounds and
    whether a limit ended the game. ``games``, ``views`` and ``loops`` need one row.
    """
    game, rules, log = games[0], rules_[0], journals[0]
    bits = np.zeros(N_KINDS, np.int64)
    for index in range(len(seeds)):
        seat_bots(views[0], seeds[index])
        loops[0].has_rules = 0
        new_game.new_game(game, rules, log, players, seeds[index])
        proceed(game, rules, log)
        play_on(game, rules, log, views[0], loops[0], bits)
        ranks(game, rules, rank[index])
        facts[index, 0] = game.decisions
        facts[index, 1] = game.turns
        facts[index, 2] = game.rounds
        facts[index, 3] = game.truncated
