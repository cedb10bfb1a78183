"""Debts: paid as soon as the cash is there; until then, the debtor decides how to raise it."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, top, wait
from monopoly_env.engine.bankruptcy import go_bankrupt
from monopoly_env.engine.board import EVERYONE
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.journal import Log
from monopoly_env.engine.money import pay, pay_debt
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import AgendaItem, GameState
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import raisable


@jit
def total_due(game: GameState, item: AgendaItem) -> int:
    """Return the total of a DEBT item over all its creditors."""
    if item.other == EVERYONE:
        return int(item.amount) * (alive_count(game) - 1)
    return int(item.amount)


@jit
def innermost_debt(game: GameState) -> int:
    """Return the agenda index of the debt that is paid first; 0 if there is none."""
    for depth in range(game.depth - 1, 0, -1):
        if game.agenda[depth].kind == Task.DEBT:
            return depth
    return 0


@jit
def resume_debt(game: GameState, rules: RuleSet, log: Log) -> bool:
    """Debts are paid as soon as the cash is there; until then the debtor decides, in any turn.

    Source: 000 line 177; 001 line 232; 002 lines 264 to 268.
    """
    item = top(game)
    if game.cash[item.player] < total_due(game, item):
        return wait(game, Phase.DEBT, item.player)
    settle(game, rules, log)
    return False


@jit
def settle(game: GameState, rules: RuleSet, log: Log) -> None:
    """Pay the debt on top of the agenda; the debtor has the cash."""
    item = top(game)
    debtor, creditor, amount, reason = item.player, item.other, item.amount, item.flag
    pop(game)
    if creditor != EVERYONE:
        pay_debt(game, rules, log, debtor, creditor, amount, reason)
        return
    for offset in range(1, game.players):
        other = (debtor + offset) % game.players
        if game.out[other] == 0:
            pay(game, log, debtor, other, amount, reason)


@jit
def may_bankrupt(game: GameState, rules: RuleSet, _: int) -> int:
    """Only a player who could not pay even by selling and mortgaging everything may give up."""
    if raisable(game, rules, game.actor) >= total_due(game, top(game)):
        return Why.CAN_PAY
    return Why.OK


@jit
def bankrupt(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Retire from the game; the estate goes to the creditor."""
    item = top(game)
    debtor, creditor = item.player, item.other
    pop(game)
    go_bankrupt(game, rules, log, debtor, creditor)
