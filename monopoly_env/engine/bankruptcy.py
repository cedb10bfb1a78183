"""Bankruptcy: selling the buildings of an estate, and handing it over."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import forget, push
from monopoly_env.engine.board import DEED_BITS, EVERYONE, NOBODY
from monopoly_env.engine.decks import return_card
from monopoly_env.engine.deeds import alive_count, move_deed, next_alive, return_deed
from monopoly_env.engine.ending import finish
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.mortgage import FROM_ESTATE
from monopoly_env.engine.phases import Task
from monopoly_env.engine.rent import forget_claims
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.selling import sell_all
from monopoly_env.engine.state import GameState


@jit
def go_bankrupt(game: GameState, rules: RuleSet, log: Log, debtor: int, creditor: int) -> None:
    """Settle the estate and take the debtor out of the game.

    ``creditor`` is a seat, NOBODY for the Bank, or EVERYONE for all other players at once.
    Source: 000 lines 177 to 183; 001 lines 230 to 232; 002 lines 268 to 270.
    Differs: several creditors share the cash equally and the Bank auctions the deeds, as no
    rule book covers them.
    """
    sell_all(game, rules, log, debtor, DEED_BITS, Reason.ESTATE)
    if creditor == EVERYONE or (creditor != NOBODY and rules.bankrupt_mortgages != 0):
        mortgage_all(game, rules, log, debtor)
    note(log, Event.OUT, debtor, creditor, NOBODY, 0)
    game.out[debtor] = 1 + game.players - alive_count(game)
    forget(game, debtor)
    forget_claims(game, debtor)
    hand_over_cash(game, log, debtor, creditor)
    hand_over_cards(game, rules, log, debtor, creditor)
    deeds = game.owned[debtor]
    hand_over_deeds(game, log, debtor, creditor)
    if alive_count(game) == 1:
        finish(game, log, False)
        return
    if rules.end_bankruptcies != 0 and game.players - alive_count(game) >= rules.end_bankruptcies:
        push(game, Task.FINISH, NOBODY)
    if creditor >= 0:
        push(game, Task.DEED, creditor, NOBODY, NOBODY, 0, FROM_ESTATE, deeds & game.mortgaged)
    else:
        push(game, Task.AUCTIONS, NOBODY, debtor, NOBODY, 0, 0, deeds)


@jit
def mortgage_all(game: GameState, rules: RuleSet, log: Log, player: int) -> None:
    """Mortgage every deed that is not mortgaged yet."""
    if rules.no_mortgages != 0:
        return
    remaining = game.owned[player] & ~game.mortgaged
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        game.mortgaged |= bit(square)
        note(log, Event.MORTGAGE, player, NOBODY, square, 0)
        pay(game, log, NOBODY, player, rules.mortgage[square], Reason.ESTATE)


@jit
def hand_over_cash(game: GameState, log: Log, debtor: int, creditor: int) -> None:
    """All cash goes to the creditor; several split it, odd dollars from the debtor's left."""
    cash = int(game.cash[debtor])
    if creditor != EVERYONE:
        pay(game, log, debtor, creditor, cash, Reason.ESTATE)
        return
    sharers = alive_count(game)
    share, odd = cash // sharers, cash % sharers
    other = debtor
    for _ in range(sharers):
        other = next_alive(game, other)
        pay(game, log, debtor, other, share + (1 if odd > 0 else 0), Reason.ESTATE)
        odd -= 1


@jit
def hand_over_cards(game: GameState, rules: RuleSet, log: Log, debtor: int, creditor: int) -> None:
    """Jail cards go to the creditor, or under their decks."""
    for pile in range(2):
        if game.card_holder[pile] == debtor:
            if creditor >= 0:
                game.card_holder[pile] = creditor
                note(log, Event.KEEP_CARD, creditor, debtor, pile, 0)
            else:
                return_card(game, rules, log, pile)


@jit
def hand_over_deeds(game: GameState, log: Log, debtor: int, creditor: int) -> None:
    """Deeds go to the creditor as they stand, or to the Bank, unmortgaged."""
    for index in range(1, game.depth):
        if game.agenda[index].kind == Task.DEED:
            game.agenda[index].squares &= ~game.owned[debtor]
    remaining = game.owned[debtor]
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if creditor >= 0:
            move_deed(game, log, square, creditor)
        else:
            return_deed(game, log, square)
