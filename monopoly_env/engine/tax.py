"""Tax spaces, including the choice that one rule book gives."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top, wait
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.journal import Log, Reason
from monopoly_env.engine.money import percent
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import total_worth


@jit
def charge_tax(game: GameState, rules: RuleSet, player: int, square: int) -> None:
    """A tax is due, or the player first chooses how to be taxed, before counting.

    Source: 000 line 239; 001 lines 170 to 172; 002 line 205.
    """
    if rules.tax_percent[square] != 0:
        push(game, Task.TAX, player, NOBODY, square)
    else:
        push(game, Task.DEBT, player, NOBODY, square, rules.tax[square], Reason.TAX)


@jit
def resume_tax(game: GameState) -> bool:
    """Wait for the player's choice."""
    return wait(game, Phase.TAX, top(game).player)


@jit
def may_tax(game: GameState, rules: RuleSet, _: int) -> int:
    """Both choices are always legal, even if the player cannot pay."""
    return Why.OK


@jit
def tax_flat(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Pay the fixed amount."""
    player, square = top(game).player, top(game).square
    pop(game)
    push(game, Task.DEBT, player, NOBODY, square, rules.tax[square], Reason.TAX)


@jit
def tax_percent(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Pay a share of the total worth, rounded up."""
    player, square = top(game).player, top(game).square
    pop(game)
    amount = percent(total_worth(game, rules, player), rules.tax_percent[square])
    push(game, Task.DEBT, player, NOBODY, square, amount, Reason.TAX)
