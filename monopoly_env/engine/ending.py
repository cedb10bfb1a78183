"""The end of a game, and the final ranks."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import clear
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.journal import Event, Log, note
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, Int8s
from monopoly_env.engine.worth import net_worth


@jit
def finish(game: GameState, log: Log, truncated: bool) -> None:
    """End the game."""
    for index in range(game.depth):
        clear(game.agenda[index])
    game.depth = 0
    game.phase = Phase.OVER
    game.actor = NOBODY
    game.truncated = 1 if truncated else 0
    note(log, Event.OVER, NOBODY, NOBODY, NOBODY, game.truncated)


@jit
def resume_finish(game: GameState, log: Log) -> bool:
    """End the short game after the estate has been settled."""
    finish(game, log, False)
    return True


@jit
def ranks(game: GameState, rules: RuleSet, rank: Int8s) -> None:
    """Write each seat's rank (1 is best, ties share a rank); 0 for seats that are not in the game.

    Players still in the game rank by net worth, before bankrupt ones; later bankrupts rank higher.
    """
    rank[:] = 0
    for player in range(game.players):
        place = 1
        for other in range(game.players):
            if other != player and stands_before(game, rules, other, player):
                place += 1
        rank[player] = place


@jit
def stands_before(game: GameState, rules: RuleSet, one: int, other: int) -> bool:
    """Return whether ``one`` ranks higher than ``other``."""
    if game.out[one] != 0 or game.out[other] != 0:
        if game.out[one] == 0 or game.out[other] == 0:
            return bool(game.out[one] == 0)
        return bool(game.out[one] > game.out[other])
    return net_worth(game, rules, one) > net_worth(game, rules, other)
