"""The functions that Python calls to play; everything else is compiled into them.

Each takes an array of games and an index, because passing a record would cost microseconds.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine import dispatch, ending, flow, new_game
from monopoly_env.engine import status as status_module
from monopoly_env.engine.actions import N_ACTIONS, N_KINDS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.masks import write_mask
from monopoly_env.engine.policy import wipe
from monopoly_env.engine.state import Int8s, Int64s
from monopoly_env.engine.worth import net_worth

NO_JOURNALS: Records = new_journals(1, on=False)


@jit
def start(
    games: Records, i: int, rules_: Records, journals: Records, players: int, seed: int
) -> None:
    """Set up game ``i`` and advance it to its first decision."""
    game, rules, log = games[i], rules_[0], journals[min(i, len(journals) - 1)]
    if log.on != 0:
        log.length = 0
    new_game.new_game(game, rules, log, players, seed)
    flow.proceed(game, rules, log)


@jit
def step(games: Records, i: int, rules_: Records, journals: Records, action: int) -> int:
    """Play an action and advance to the next decision; returns a Why, no change if illegal."""
    game, rules, log = games[i], rules_[0], journals[min(i, len(journals) - 1)]
    if action < 0 or action >= N_ACTIONS:
        return -1
    reason = dispatch.why(game, rules, action)
    if reason == 0:
        flow.step(game, rules, log, action)
    return int(np.int64(reason))


@jit
def legal_mask(games: Records, i: int, rules_: Records, mask: Int8s) -> int:
    """Write the legal actions of game ``i`` into ``mask``, int8[N_ACTIONS]; return their number."""
    game, rules = games[i], rules_[0]
    bits = np.zeros(N_KINDS, np.int64)
    dispatch.legal_bits(game, rules, bits)
    return write_mask(bits, mask)


@jit
def why(games: Records, i: int, rules_: Records, action: int) -> int:
    """Return why an action is illegal, as a number of Why."""
    return int(np.int64(dispatch.why(games[i], rules_[0], action)))


@jit
def status(games: Records, i: int, rules_: Records) -> int:
    """Return the violated invariants of game ``i``, as a number of Status; 0 if there are none."""
    return int(np.int64(status_module.status(games[i], rules_[0], np.zeros(N_KINDS, np.int64))))


@jit
def standings(games: Records, i: int, rules_: Records, rank: Int8s, worth: Int64s) -> None:
    """Write each seat's rank (1 is best, ties share a rank) and net worth."""
    game, rules = games[i], rules_[0]
    ending.ranks(game, rules, rank)
    for player in range(len(worth)):
        worth[player] = net_worth(game, rules, player)


@jit
def wipe_hidden(games: Records, i: int) -> None:
    """Remove the hidden information of game ``i``."""
    wipe(games[i])


@jit
def resume(games: Records, i: int, rules_: Records, journals: Records) -> None:
    """Advance a position that was set up by hand to its first decision."""
    game, rules, log = games[i], rules_[0], journals[min(i, len(journals) - 1)]
    if log.on != 0:
        log.length = 0
    flow.proceed(game, rules, log)
