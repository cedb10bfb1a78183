"""Jail: going there, and getting out."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top
from monopoly_env.engine.board import JAIL, NOBODY
from monopoly_env.engine.decks import CHANCE, CHEST, return_card
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay_debt
from monopoly_env.engine.movement import advance
from monopoly_env.engine.phases import RentBy, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why


@jit
def send_to_jail(game: GameState, log: Log, player: int) -> None:
    """Go directly to Jail: no salary, no further throw.

    Source: 000 lines 157 and 247; 001 lines 174 to 176; 002 lines 219 to 221.
    """
    game.position[player] = JAIL
    game.in_jail[player] = 1
    game.jail_tries[player] = 0
    game.again = 0
    note(log, Event.JAIL, player, NOBODY, JAIL, 0)


@jit
def leave_jail(game: GameState, log: Log, player: int) -> None:
    """Release a player from Jail, without moving."""
    game.in_jail[player] = 0
    game.jail_tries[player] = 0
    note(log, Event.FREE, player, NOBODY, JAIL, 0)


@jit
def throw_in_jail(game: GameState, rules: RuleSet, log: Log, player: int, total: int) -> None:
    """A double frees the player, who moves without a second throw; the last failure must pay.

    Source: 000 line 292; 001 lines 180 to 186; 002 lines 228 to 230. Differs: K, N and Y do not say
    whether this double gives a further throw; read as in P: no.
    """
    game.again = 0
    if game.dice[0] == game.dice[1]:
        leave_jail(game, log, player)
        advance(game, rules, log, player, total, RentBy.DICE, total)
        return
    game.jail_tries[player] += 1
    if game.jail_tries[player] >= rules.jail_tries:
        push(game, Task.MOVE, player, NOBODY, NOBODY, total)
        push(game, Task.DEBT, player, NOBODY, JAIL, rules.jail_fine, Reason.FINE)


@jit
def resume_move(game: GameState, rules: RuleSet, log: Log) -> bool:
    """Leave Jail with the throw that was made, after the fine is paid."""
    item = top(game)
    player, total = item.player, item.amount
    pop(game)
    leave_jail(game, log, player)
    advance(game, rules, log, player, total, RentBy.DICE, total)
    return False


@jit
def may_jail_pay(game: GameState, rules: RuleSet, _: int) -> int:
    """Pay the fine before throwing.

    Source: 000 line 290; 001 line 184 (only before the first two throws); 002 line 225.
    """
    player = game.actor
    if game.in_jail[player] == 0:
        return Why.NOT_IN_JAIL
    if game.jail_tries[player] >= rules.jail_fine_tries:
        return Why.MUST_THROW
    if game.cash[player] < rules.jail_fine:
        return Why.NO_CASH
    return Why.OK


@jit
def jail_pay(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Leave Jail; the throw that follows is a normal one."""
    pay_debt(game, rules, log, game.actor, NOBODY, rules.jail_fine, Reason.FINE)
    leave_jail(game, log, game.actor)


@jit
def may_jail_card(game: GameState, rules: RuleSet, _: int) -> int:
    """Play a Get Out of Jail Free card before throwing."""
    player = game.actor
    if game.in_jail[player] == 0:
        return Why.NOT_IN_JAIL
    if game.card_holder[CHANCE] != player and game.card_holder[CHEST] != player:
        return Why.NO_CARD
    return Why.OK


@jit
def jail_card(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Leave Jail; the card goes under its own pile, the Chance card first."""
    pile = CHANCE if game.card_holder[CHANCE] == game.actor else CHEST
    return_card(game, rules, log, pile)
    leave_jail(game, log, game.actor)
