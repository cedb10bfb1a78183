"""Chance and Community Chest: draw the top card and do what it says."""

from __future__ import annotations

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import push
from monopoly_env.engine.board import EVERYONE, HOTEL, NOBODY, Space
from monopoly_env.engine.decks import CARD_IDS, CHANCE, CHEST, CardKind, draw_top
from monopoly_env.engine.jail import send_to_jail
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.movement import move_to, next_of_kind, step_back
from monopoly_env.engine.phases import RentBy, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

__all__ = ["CARD_IDS", "CHANCE", "CHEST", "CardKind", "draw"]


@jit
def draw(game: GameState, rules: RuleSet, log: Log, player: int, pile: int) -> None:
    """Draw a card and carry it out in full.

    Source: 000 line 233; 001 lines 166 to 168; 002 lines 191 to 201.
    """
    card = draw_top(game, rules, pile, player)
    note(log, Event.CARD, player, pile, card, 0)
    kind = rules.card_kind[card]
    amount = int(rules.card_amount[card])
    if kind == CardKind.KEEP:
        note(log, Event.KEEP_CARD, player, NOBODY, pile, 0)
    elif kind == CardKind.GO_TO_JAIL:
        send_to_jail(game, log, player)
    elif kind <= CardKind.BACK:
        move_by_card(game, rules, log, player, card)
    elif kind == CardKind.COLLECT:
        pay(game, log, NOBODY, player, amount, Reason.CARD)
    elif kind == CardKind.PAY:
        push(game, Task.DEBT, player, NOBODY, NOBODY, amount, Reason.CARD)
    elif kind == CardKind.COLLECT_EACH:
        collect_each(game, player, amount, Reason.CARD)
    elif kind == CardKind.PAY_EACH:
        pay_each(game, rules, player, amount)
    else:
        amount = repairs(game, rules, player, card)
        push(game, Task.DEBT, player, NOBODY, NOBODY, amount, Reason.CARD)


@jit
def move_by_card(game: GameState, rules: RuleSet, log: Log, player: int, card: int) -> None:
    """Move as a card says; the space reached is resolved in full."""
    kind = rules.card_kind[card]
    if kind == CardKind.BACK:
        step_back(game, rules, log, player, rules.card_amount[card], RentBy.MOVED)
        return
    square = int(rules.card_square[card])
    by = RentBy.MOVED
    if kind == CardKind.NEAREST_RAILROAD:
        square = next_of_kind(rules, game.position[player], Space.RAILROAD)
        by = RentBy.RAILROAD_CARD
    elif kind == CardKind.NEAREST_UTILITY:
        square = next_of_kind(rules, game.position[player], Space.UTILITY)
        by = RentBy.UTILITY_CARD
    move_to(game, rules, log, player, square, by)


@jit
def repairs(game: GameState, rules: RuleSet, player: int, card: int) -> int:
    """Return the repair costs for all houses and hotels that the player owns."""
    total = 0
    remaining = game.owned[player] & game.built
    while remaining != 0:
        level = int(game.level[lowest(remaining)])
        remaining &= remaining - 1
        total += (
            int(rules.card_hotel[card]) if level == HOTEL else level * int(rules.card_amount[card])
        )
    return total


@jit
def collect_each(game: GameState, player: int, amount: int, reason: int) -> None:
    """Every other player owes ``amount``; the drawer's left settles first."""
    for offset in range(game.players - 1, 0, -1):
        other = (player + offset) % game.players
        if game.out[other] == 0:
            push(game, Task.DEBT, other, player, NOBODY, amount, reason)


@jit
def pay_each(game: GameState, rules: RuleSet, player: int, amount: int) -> None:
    """The drawer owes every other player ``amount``.

    Differs: no rule book says what happens when that cannot be paid; all are paid at once and
    share what there is, or one after the other with ``creditors_in_turn``.
    """
    if rules.creditors_in_turn == 0:
        push(game, Task.DEBT, player, EVERYONE, NOBODY, amount, Reason.CARD)
        return
    for offset in range(game.players - 1, 0, -1):
        other = (player + offset) % game.players
        if game.out[other] == 0:
            push(game, Task.DEBT, player, other, NOBODY, amount, Reason.CARD)
