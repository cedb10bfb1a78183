"""What two editions don't share: rules, numbers of the board, cards, names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from monopoly_env.editions.names import Names, value_text
from monopoly_env.editions.values import BOARD_FIELDS, FIELDS
from monopoly_env.engine.board import GROUP_IDS, SPACE_IDS
from monopoly_env.engine.cards import CHANCE, CHEST

if TYPE_CHECKING:
    from monopoly_env.editions.edition import Edition

PARTS = ("rules", "board", "decks", "names")


@dataclass(frozen=True)
class Difference:
    """Something that two editions don't share; ``part`` is one of PARTS."""

    part: str
    key: str
    meaning: str
    left: str
    right: str


def differences(one: Edition, other: Edition) -> list[Difference]:
    """All that ``other`` has otherwise: rules first, then board, decks and names."""
    mine, theirs = dict(_facts(one)), dict(_facts(other))
    found = []
    for part, key in dict.fromkeys((*mine, *theirs)):
        meaning, left = mine.get((part, key), ("", ""))
        other_meaning, right = theirs.get((part, key), ("", ""))
        if left != right:
            found.append(Difference(part, key, meaning or other_meaning, left, right))
    return sorted(found, key=lambda difference: PARTS.index(difference.part))


Fact = tuple[tuple[str, str], tuple[str, str]]  # (part, key), (meaning, text)


def _facts(edition: Edition) -> Iterator[Fact]:
    """All that can differ between two editions, one text each; money without symbols."""
    yield ("rules", "mode"), ("the game that is played", edition.mode)
    players = f"{edition.min_players} to {edition.max_players}"
    yield ("rules", "players"), ("players", players)
    yield ("rules", "modes"), ("modes", ", ".join(edition.modes))
    optional = ", ".join(edition.optional_rules) or "none"
    yield ("rules", "optional_rules"), ("optional rules that the book offers", optional)
    for row in edition.rule_rows():
        unit = "" if row.unit == "$" else row.unit
        yield ("rules", row.name), (row.meaning, value_text(edition.names, unit, row.value))
    yield from _board_facts(edition)
    yield from _deck_facts(edition)
    yield from _name_facts(edition.names)


def _board_facts(edition: Edition) -> Iterator[Fact]:
    """The numbers of the board."""
    for name, squares in BOARD_FIELDS.items():
        unit = "%" if name == "tax_percent" else ""
        for square in squares:
            text = value_text(edition.names, unit, edition.rules[name][0, square].tolist())
            yield ("board", f"{SPACE_IDS[square]}.{name}"), (FIELDS[name].meaning, text)


def _deck_facts(edition: Edition) -> Iterator[Fact]:
    """The cards, by what they do: labels are names, and money would differ by its symbol."""
    for pile, id_ in ((CHANCE, "chance"), (CHEST, "chest")):
        for row in edition.deck_rows(pile):
            does = [row.kind, *(str(n) for n in (row.amount, row.hotel) if n), row.square or ""]
            yield ("decks", f"{id_}.{row.id}"), ("a card", " ".join(does).strip())


def _name_facts(names: Names) -> Iterator[Fact]:
    """The names."""
    for key in ("currency", "symbol", "house", "hotel", "jail_card"):
        yield ("names", key), ("name", getattr(names, key))
    for key, name in zip(("chance", "chest"), names.decks, strict=True):
        yield ("names", f"decks.{key}"), ("name", name)
    for key, name in zip(GROUP_IDS, names.groups, strict=True):
        yield ("names", f"groups.{key}"), ("name", name)
    for key, name in zip(SPACE_IDS, names.spaces, strict=True):
        yield ("names", f"spaces.{key}"), ("name", name)
    yield ("names", "tokens"), ("names", ", ".join(names.tokens))
