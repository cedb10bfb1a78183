"""Compiled loop that tries lines of play for about a round each and values the final positions.

A line is what a player does: one action or several in a row. Sample k of every line has the same
dice and cards, so that luck cancels. After the line, a compiled policy plays for everybody, without
deals, until each player has had a turn; then the learned value gives everybody's win probability.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.actions import IDS, N_ACTIONS
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import legal_bits
from monopoly_env.engine.flow import step
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy_loop import ask_policy, next_action, seat_players
from monopoly_env.engine.redraw import redraw
from monopoly_env.engine.state import Float64s, GameState, Int64s, Uint16s
from monopoly_env.value.network import write_chances

LEAVES = N_ACTIONS  # at the end of a line: the player bids no more in this auction
PASS = IDS["pass"]


@jit
def try_lines(
    position: Records,
    games: Records,
    rules_: Records,
    journals: Records,
    views: Records,
    loops: Records,
    networks: Records,
    works: Records,
    lines: Uint16s,
    lengths: Int64s,
    turns: int,
    seed: int,
    first: int,
    last: int,
    bits: Int64s,
    values: Float64s,
) -> None:
    """Play samples ``first`` to ``last`` of every line from ``position[0]``.

    ``lines`` uint16[lines, actions] and ``lengths`` int64[lines] are the actions to play; LEAVES at
    the end means that the player leaves the current auction when asked again. ``rules_`` RULES[2]
    are the game's rules, and those under which the policy plays on for ``turns`` turns. ``values``
    float64[lines, samples, 8] receives everybody's win probability at the end.
    """
    start = position[0]
    until = int(start.turns) + turns
    for sample in range(first, last):
        for line in range(len(lengths)):
            games[0] = position[0]
            game = games[0]
            redraw(game, np.uint64(seed) * GAMMA + np.uint64(sample))
            seat_players(views[0], sample)
            leaves = False
            for index in range(lengths[line]):
                if lines[line, index] == LEAVES:
                    leaves = True
                elif game.phase != Phase.OVER:
                    step(game, rules_[0], journals[0], lines[line, index])
            while game.phase != Phase.OVER and game.turns < until:
                leaves = leaves and is_same_auction(game, start)
                if leaves and game.actor == start.actor:
                    action = PASS
                else:
                    action = next_action(game, rules_[1], views[0], loops[0], bits)
                step(game, rules_[1], journals[0], action)
            write_chances(game, rules_[0], networks[0], works[0], values[line, sample])


@jit
def is_same_auction(game: GameState, start: GameState) -> bool:
    """Return whether the lot of ``start`` is still auctioned.

    An estate's deeds follow each other.
    """
    same_lot = game.lot == start.lot and game.lot_square == start.lot_square
    return game.phase == Phase.AUCTION and same_lot


@jit
def own_choice(
    position: Records, rules_: Records, views: Records, loops: Records, bits: Int64s
) -> int:
    """Return the policy's action in ``position[0]``, without deals."""
    game, rules = position[0], rules_[1]
    seat = int(game.actor)
    seat_players(views[0], 0)
    legal_bits(game, rules, bits)
    address = loops[0].policies[loops[0].line_up[seat]]
    return ask_policy(game, rules, views[0, seat], address, bits, loops[0])
