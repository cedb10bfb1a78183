"""Payments. The Bank's net income is recorded, so that all money sums to zero.

All cash plus the money under Free Parking is at most MOST_MONEY. A game in which the Bank has paid
out more is truncated after that decision, as by ``max_turns``; no single decision pays enough for
an int32 to overflow first.
"""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

MOST_MONEY = 2_000_000_000  # $, limit for all players and the pot together


@jit
def pay(game: GameState, log: Log, payer: int, payee: int, amount: int, reason: int) -> None:
    """Transfer ``amount`` dollars; NOBODY is the Bank."""
    if amount == 0:
        return
    if payer == NOBODY:
        game.bank -= amount
    else:
        game.cash[payer] -= amount
    if payee == NOBODY:
        game.bank += amount
    else:
        game.cash[payee] += amount
    note(log, Event.PAY, payer, payee, reason, amount)


@jit
def pay_debt(
    game: GameState, rules: RuleSet, log: Log, payer: int, payee: int, amount: int, reason: int
) -> None:
    """Debts go to the creditor; with the Free Parking jackpot, taxes, fees and fines go to the pot.

    Source: classic rules, all penalties are payable to the Bank. Differs: ``free_parking_jackpot``
    is the widespread house rule, off by default.
    """
    pay(game, log, payer, payee, amount, reason)
    penalty = reason == Reason.TAX or reason == Reason.CARD or reason == Reason.FINE
    if rules.free_parking_jackpot != 0 and payee == NOBODY and penalty:
        game.bank -= amount
        game.pot += amount


@jit
def collect_jackpot(game: GameState, log: Log, player: int) -> None:
    """Pay the money under Free Parking to the player who lands there."""
    amount = game.pot
    game.bank += amount
    game.pot = 0
    pay(game, log, NOBODY, player, amount, Reason.JACKPOT)


@jit
def percent(amount: int, rate: int) -> int:
    """Percentages of an amount are rounded up to whole dollars.

    Differs: no rule book rounds; public sources print 193 for lifting Park Place (175 + 17.50).
    """
    return (int(amount) * int(rate) + 99) // 100
