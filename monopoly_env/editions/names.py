"""The names of an edition, inherited where it has none, and values as text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from monopoly_env.editions.checks import EXTEND
from monopoly_env.editions.document import NAMES, Document
from monopoly_env.editions.sections import fill_label
from monopoly_env.editions.values import PILES, Value
from monopoly_env.engine.board import (
    CARD_CHANCE,
    CHANCE_SQUARES,
    CHEST_SQUARES,
    GROUP_IDS,
    PLAYERS,
    RAILROAD,
    SPACE_IDS,
    SPACES,
    UTILITY,
)
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST
from monopoly_env.engine.rules import Deals
from monopoly_env.errors import InputError, Location, NoSuchItem

MOST = 2**63 - 1  # $, the largest amount that can be shown


@dataclass(frozen=True)
class Names:
    """The names in an edition. Squares, groups, cards and decks are given by number."""

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
        """Return the name of a space; 40 and 41 are the Jail cards of the two decks."""
        if type(square) is not int or not 0 <= square < SPACES + len(self.decks):
            square = _index("square", square, SPACES + len(self.decks))
        if square >= SPACES:
            return f"{self.jail_card} ({self.decks[square - CARD_CHANCE]})"
        return self.spaces[square]

    def group(self, group: int) -> str:
        """Return the name of a group, such as its color."""
        return self.groups[_index("group", group, len(self.groups))]

    def card_label(self, card: int) -> str:
        """Return the text of a card."""
        return self.cards[_index("card", card, len(self.cards))]

    def deck(self, pile: int) -> str:
        """Return the name of a deck: 0 Chance, 1 Community Chest."""
        return self.decks[_index("pile", pile, len(self.decks))]

    def token(self, seat: int) -> str:
        """Return the token of a seat; seats without a token are named by number."""
        seat = _index("seat", seat, PLAYERS)
        return self.tokens[seat] if seat < len(self.tokens) else f"player {seat + 1}"

    def money(self, amount: int) -> str:
        """Return an amount with its symbol: ``$1,500``."""
        if type(amount) is not int or not -MOST <= amount <= MOST:
            amount = InputError.at("amount").index(amount, -MOST, MOST)
        digits = f"{abs(amount):,}".replace(",", self.thousands)
        return f"{'-' if amount < 0 else ''}{self.symbol}{digits}"


def _index(parameter: str, number: object, count: int) -> int:
    """Return an index below ``count``. Raises: NoSuchItem that names the parameter."""
    return NoSuchItem.at(parameter).index(number, 0, count - 1)


def value_text(names: Names, unit: str, value: Value) -> str:
    """Return a value as text, in this edition's currency."""
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
    return f"{value}%" if unit == "%" else str(value)


# --- merging names ---


def names_of(chain: tuple[Document, ...], rules: Any) -> Names:
    """Return the names of the topmost document, completed by the documents that it extends."""
    location = chain[-1].location / "names"
    named: dict[str, Any] = {}
    for doc in chain:
        for key, value in doc.names.items():
            named[key] = {**named.get(key, {}), **value} if isinstance(value, dict) else value
    for key in NAMES:
        if key not in named:
            (location / key).fail(f"is missing; {EXTEND}")
    decks = _all_named(named["decks"], tuple(PILES), location / "decks")
    for squares, pile in ((CHANCE_SQUARES, CHANCE), (CHEST_SQUARES, CHEST)):
        for square in squares:
            named["spaces"].setdefault(SPACE_IDS[square], decks[pile])
    currency, _ = _all_named(named["currency"], ("name", "symbol"), location / "currency")
    names = Names(
        currency=currency,
        symbol=named["currency"]["symbol"],
        thousands=named["currency"].get("thousands", ","),
        house=named["house"][0],
        houses=named["house"][1],
        hotel=named["hotel"][0],
        hotels=named["hotel"][1],
        jail_card=named["jail_card"],
        decks=decks,
        groups=_all_named(named["groups"], GROUP_IDS, location / "groups"),
        spaces=_all_named(named["spaces"], SPACE_IDS, location / "spaces"),
        tokens=tuple(named["tokens"]),
        cards=(),
    )
    return replace(names, cards=_labels(chain, names, rules))


def _all_named(named: dict[str, str], keys: tuple[str, ...], location: Location) -> tuple[str, ...]:
    """Return the names of all ``keys``, in order."""
    missing = [key for key in keys if key not in named]
    if missing:
        location.fail(
            f"names {len(keys) - len(missing)} of {len(keys)}: {', '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} missing; {EXTEND}"
        )
    return tuple(named[key] for key in keys)


def _labels(chain: tuple[Document, ...], names: Names, rules: Any) -> tuple[str, ...]:
    """Return the card labels, with the edition's names and amounts filled in."""
    labels = {card: text for doc in chain for card, text in doc.labels.items()}
    location = chain[-1].location / "cards"
    return tuple(
        fill_label(labels.get(id_, id_), _words(card, names, rules), location / id_)
        for card, id_ in enumerate(CARD_IDS)
    )


def _words(card: int, names: Names, rules: Any) -> dict[str, str]:
    """Return the values of a card label's placeholders."""
    amount = int(rules["card_amount"][0, card])
    return {
        "amount": names.money(amount),
        "hotel_amount": names.money(int(rules["card_hotel"][0, card])),
        "number": str(amount),
        "space": names.spaces[int(rules["card_square"][0, card])],
        "go": names.spaces[0],
        "house": names.house,
        "hotel": names.hotel,
        "railroads": names.groups[RAILROAD],
        "utilities": names.groups[UTILITY],
        "jail_card": names.jail_card,
    }
