"""What people call things in an edition, and values as they read them."""

from __future__ import annotations

from dataclasses import dataclass

from monopoly_env.editions.values import Value
from monopoly_env.engine.board import CARD_CHANCE, SPACES
from monopoly_env.engine.rules import Deals


@dataclass(frozen=True)
class Names:
    """What people call things in an edition. Squares, groups, cards and piles go by number."""

    currency: str
    symbol: str
    thousands: str  # separator: 1,500
    house: str
    houses: str
    hotel: str
    hotels: str
    jail_card: str
    decks: tuple[str, ...]
    groups: tuple[str, ...]
    spaces: tuple[str, ...]
    tokens: tuple[str, ...]
    cards: tuple[str, ...]  # labels, by card

    def space(self, square: int) -> str:
        """The name of a space; 40 and 41 are the kept cards of Chance and Community Chest."""
        if square >= SPACES:
            return f"{self.jail_card} ({self.decks[square - CARD_CHANCE]})"
        return self.spaces[square]

    def group(self, group: int) -> str:
        """The name of a group, such as its colour or its leader."""
        return self.groups[group]

    def card_label(self, card: int) -> str:
        """What a card does, in a few words."""
        return self.cards[card]

    def deck(self, pile: int) -> str:
        """The name of a pile: 0 Chance, 1 Community Chest."""
        return self.decks[pile]

    def token(self, seat: int) -> str:
        """The token of a seat; seats without one are named by number."""
        return self.tokens[seat] if seat < len(self.tokens) else f"player {seat + 1}"

    def money(self, amount: int) -> str:
        """An amount with its symbol: ``$1,500``."""
        digits = f"{abs(int(amount)):,}".replace(",", self.thousands)
        return f"{'-' if amount < 0 else ''}{self.symbol}{digits}"


def value_text(names: Names, unit: str, value: Value) -> str:
    """A value as people read it, in this edition's money."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {value_text(names, unit, item)}" for key, item in value.items())
    if isinstance(value, list):
        return " / ".join(value_text(names, unit, item) for item in value)
    if unit == "$":
        return names.money(value)
    if unit == "yes/no":
        return "yes" if value else "no"
    if unit == "Deals":
        return Deals(value).name.lower()
    return f"{value} %" if unit == "%" else str(value)
