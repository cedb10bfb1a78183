"""Checks that a RULES record filled from edition files is complete and playable."""

from __future__ import annotations

from typing import Any

from monopoly_env.editions.values import BOARD_FIELDS, DECK_FIELDS, FIELDS, PILES
from monopoly_env.engine.board import CHANCE_SQUARES, CHEST_SQUARES, SPACE_IDS, SPACES
from monopoly_env.engine.cards import CARD_IDS, CardKind
from monopoly_env.engine.rules import new_rules
from monopoly_env.errors import Location

UNSET = -100  # marks missing values; fits every field, but is no valid value
EXTEND = "add it, or build on an edition that has it with `extends: classic`"
_CARD_SQUARES = (*CHANCE_SQUARES, *CHEST_SQUARES)


def blank() -> Any:
    """Return a record in which everything that an edition must define is unset."""
    rules = new_rules(1)
    rules["deck"] = -1
    for name in FIELDS:
        if name in BOARD_FIELDS:
            rules[name][0, list(BOARD_FIELDS[name])] = UNSET
        elif name not in DECK_FIELDS:
            rules[name] = UNSET
    rules["tax_percent"] = 0
    rules["card_kind"][0, : len(CARD_IDS)] = UNSET
    return rules


def check_complete(rules: Any, location: Location) -> None:
    """Check that all values are set. Raises: the error of ``location``."""
    for name, squares in BOARD_FIELDS.items():
        for square in squares:
            if (rules[name][0, square] == UNSET).any():
                (location / "board" / SPACE_IDS[square]).fail(f"lacks {name}; {EXTEND}")
    for name in FIELDS:
        if name not in BOARD_FIELDS and name != "card_kind" and (rules[name] == UNSET).any():
            (location / "rules" / name).fail(f"is missing; {EXTEND}")
    for pile, number in PILES.items():
        if rules["deck_size"][0, number] == 0:
            (location / "decks" / pile).fail(f"is missing; {EXTEND}")
    for card in rules["deck"][0][rules["deck"][0] >= 0].tolist():
        if rules["card_kind"][0, card] == UNSET:
            (location / "cards" / CARD_IDS[card]).fail("is missing, and a deck has it")
    kinds = rules["card_kind"]
    kinds[kinds == UNSET] = 0


def check_decks(rules: Any, location: Location) -> None:
    """Check that the decks are playable: known cards, each once, and no endless card chains."""
    seen: set[int] = set()
    for pile, number in PILES.items():
        here = location / pile
        size = int(rules["deck_size"][0, number])
        cards = rules["deck"][0, number, :size].tolist()
        for card in cards:
            if not 0 <= card < len(CARD_IDS):
                here.fail(f"has {size} cards, and one of them is no card; see deck_size")
            if card in seen:
                here.fail(f"the card {CARD_IDS[card]} is there twice, here or in the other deck")
            seen.add(card)
        _check_kinds(rules, cards, here)


def _check_kinds(rules: Any, cards: list[int], location: Location) -> None:
    """Check card kinds: known, at most one card to keep, at least one that ends a move."""
    kinds = {card: int(rules["card_kind"][0, card]) for card in cards}
    for card, kind in kinds.items():
        if kind not in list(CardKind):
            location.fail(f"the card {CARD_IDS[card]} is of kind {kind}, which does not exist")
        if kind == CardKind.BACK and not 1 <= rules["card_amount"][0, card] < SPACES:
            location.fail(f"the card {CARD_IDS[card]} must go back by 1 to {SPACES - 1} spaces")
    if sum(kind == CardKind.KEEP for kind in kinds.values()) > 1:
        location.fail("has more than one card to keep; a pile can have one")
    if not any(_ends(rules, card, kind) for card, kind in kinds.items()):
        location.fail("needs a card that is neither kept nor leads to another card")


def _ends(rules: Any, card: int, kind: int) -> bool:
    """Return whether a card always returns to its deck without drawing another card."""
    if kind == CardKind.MOVE_TO:
        return int(rules["card_square"][0, card]) not in _CARD_SQUARES
    return kind not in (CardKind.KEEP, CardKind.BACK)
