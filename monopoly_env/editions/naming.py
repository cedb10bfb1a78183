"""The names of an edition: its own, else those of the editions that it builds on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from monopoly_env.editions.checks import EXTEND
from monopoly_env.editions.document import NAMES, Document
from monopoly_env.editions.names import Names
from monopoly_env.editions.sections import fill_label
from monopoly_env.editions.values import PILES
from monopoly_env.engine.board import (
    CHANCE_SQUARES,
    CHEST_SQUARES,
    GROUP_IDS,
    RAILROAD,
    SPACE_IDS,
    UTILITY,
)
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST
from monopoly_env.errors import Location


def names_of(chain: tuple[Document, ...], rules: Any) -> Names:
    """The names of the topmost document; what it does not name has the name further down."""
    place = chain[-1].place / "names"
    said: dict[str, Any] = {}
    for doc in chain:
        for key, value in doc.names.items():
            said[key] = {**said.get(key, {}), **value} if isinstance(value, dict) else value
    for key in NAMES:
        if key not in said:
            (place / key).fail(f"is missing; {EXTEND}")
    decks = _named(said["decks"], tuple(PILES), place / "decks")
    for squares, pile in ((CHANCE_SQUARES, CHANCE), (CHEST_SQUARES, CHEST)):
        for square in squares:
            said["spaces"].setdefault(SPACE_IDS[square], decks[pile])
    currency, _ = _named(said["currency"], ("name", "symbol"), place / "currency")
    names = Names(
        currency=currency,
        symbol=said["currency"]["symbol"],
        thousands=said["currency"].get("thousands", ","),
        house=said["house"][0],
        houses=said["house"][1],
        hotel=said["hotel"][0],
        hotels=said["hotel"][1],
        jail_card=said["jail_card"],
        decks=decks,
        groups=_named(said["groups"], GROUP_IDS, place / "groups"),
        spaces=_named(said["spaces"], SPACE_IDS, place / "spaces"),
        tokens=tuple(said["tokens"]),
        cards=(),
    )
    return replace(names, cards=_labels(chain, names, rules))


def _named(said: dict[str, str], keys: tuple[str, ...], place: Location) -> tuple[str, ...]:
    """The names of all ``keys``, in order."""
    missing = [key for key in keys if key not in said]
    if missing:
        place.fail(
            f"names {len(keys) - len(missing)} of {len(keys)}: {', '.join(missing)} "
            f"{'are' if len(missing) > 1 else 'is'} missing; {EXTEND}"
        )
    return tuple(said[key] for key in keys)


def _labels(chain: tuple[Document, ...], names: Names, rules: Any) -> tuple[str, ...]:
    """The card labels, with this edition's names and amounts in their placeholders."""
    labels = {card: text for doc in chain for card, text in doc.labels.items()}
    place = chain[-1].place / "cards"
    return tuple(
        fill_label(labels.get(id_, id_), _words(card, names, rules), place / id_)
        for card, id_ in enumerate(CARD_IDS)
    )


def _words(card: int, names: Names, rules: Any) -> dict[str, str]:
    """What the placeholders of a card's label stand for."""
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
