"""The deal menu: whole offers to choose from, instead of composing one in steps."""

from __future__ import annotations

from monopoly_env.engine._jit import jit
from monopoly_env.engine.journal import Log
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why


@jit
def propose_candidates(game: GameState, rules: RuleSet) -> int:
    return 0


@jit
def may_propose(game: GameState, rules: RuleSet, number: int) -> int:
    return Why.NO_MENU


@jit
def propose(game: GameState, rules: RuleSet, log: Log, number: int) -> None:
    return
