"""The two decks: the cards, and the Jail card that returns to its deck."""

from __future__ import annotations

from enum import IntEnum

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.journal import Event, Log, note
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState

CHANCE, CHEST = 0, 1  # the two decks


class CardKind(IntEnum):
    """The effect of a card; its `amount`, `hotel` and `square` give the details."""

    MOVE_TO = 0  # forward to square; a salary if GO is reached or passed
    NEAREST_RAILROAD = 1  # forward to the next railroad; its owner is due twice the rent
    NEAREST_UTILITY = 2  # forward to the next utility; its owner is due 10 × a fresh throw
    BACK = 3  # back by amount spaces
    GO_TO_JAIL = 4
    KEEP = 5  # Get Out of Jail Free
    COLLECT = 6  # amount from the Bank
    PAY = 7  # amount to the Bank
    COLLECT_EACH = 8  # amount from every other player
    PAY_EACH = 9  # amount to every other player
    REPAIRS = 10  # amount per house and hotel per hotel


CARD_IDS: tuple[str, ...] = tuple(
    (
        "ch_go ch_illinois ch_st_charles ch_reading ch_boardwalk ch_utility ch_rail_1 ch_rail_2 "
        "ch_back3 ch_jail ch_goojf ch_dividend ch_loan ch_chairman ch_repairs ch_small_fine "
        "cc_go cc_jail cc_goojf cc_bank_error cc_inherit cc_life_insurance cc_holiday_fund "
        "cc_tax_refund cc_services cc_beauty cc_stock cc_doctor cc_hospital cc_school "
        "cc_street_repairs cc_opera cc_birthday"
    ).split()
)


@jit
def kept_card(rules: RuleSet, pile: int) -> int:
    """Return the Get Out of Jail Free card of a deck; NOBODY if the edition has none."""
    for index in range(rules.deck_size[pile]):
        card = rules.deck[pile, index]
        if rules.card_kind[card] == CardKind.KEEP:
            return int(card)
    return NOBODY


@jit
def return_card(game: GameState, rules: RuleSet, log: Log, pile: int) -> None:
    """Put the Jail card of a deck under it."""
    note(log, Event.RETURN_CARD, game.card_holder[pile], NOBODY, pile, 0)
    game.card_holder[pile] = NOBODY
    game.deck[pile, game.deck_size[pile]] = kept_card(rules, pile)
    game.deck_size[pile] += 1


@jit
def draw_top(game: GameState, rules: RuleSet, pile: int, player: int) -> int:
    """Draw the top card; it goes under the deck, unless the player may keep it."""
    cards = game.deck[pile]
    card = cards[0]
    last = game.deck_size[pile] - 1
    for index in range(last):
        cards[index] = cards[index + 1]
    cards[last] = card
    if game.unseen[pile] > 0:
        game.unseen[pile] -= 1
    if rules.card_kind[card] == CardKind.KEEP:
        cards[last] = NOBODY
        game.deck_size[pile] = last
        game.card_holder[pile] = player
    return int(card)
