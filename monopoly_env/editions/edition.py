"""An edition: its RULES record, its names, and its contents as rows for display."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from monopoly_env.compiler.records import read_only
from monopoly_env.editions.document import HouseRule
from monopoly_env.editions.frozen import frozen, thawed
from monopoly_env.editions.layout import route_of
from monopoly_env.editions.names import Names, value_text
from monopoly_env.editions.values import BOARD_FIELDS, DECK_FIELDS, FIELDS, Value, read_value
from monopoly_env.engine.board import (
    DEEDS,
    GROUP,
    GROUP_IDS,
    PLAYERS,
    SPACE_IDS,
    STREETS,
)
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST, CardKind
from monopoly_env.engine.rules import Rule
from monopoly_env.errors import InputError, NoSuchItem, show, suggest

PARTS = ("rules", "board", "decks", "names")  # the parts in which editions differ


@dataclass(frozen=True)
class RuleRow:
    """One rule: its value as numbers and as text, and its source in the rule book."""

    name: str
    value: Value
    text: str
    unit: str
    meaning: str
    source: str


@dataclass(frozen=True)
class BoardRow:
    """One space of the board. Numbers that a space does not have are None."""

    square: int
    id: str
    name: str
    group: str | None
    group_name: str | None
    price: int | None
    mortgage: int | None
    house_price: int | None
    hotel_price: int | None
    rent: tuple[int, ...] | None
    tax: int | None
    tax_percent: int | None


@dataclass(frozen=True)
class CardRow:
    """One card of a deck."""

    id: str
    label: str
    kind: str
    amount: int
    hotel: int
    square: str | None


@dataclass(frozen=True)
class Difference:
    """A difference between two editions; ``part`` is one of PARTS."""

    part: str
    key: str
    meaning: str
    left: str
    right: str


@dataclass(frozen=True, eq=False)
class Edition:
    """A rule book in one of its modes, with rule overrides.

    ``rules`` is a RULES array of length 1. ``reference`` loads the same edition again: an id, the
    name of a generated edition, or the path of a file. Editions are read-only, because games and
    bots share them.

    >>> from monopoly_env import load_edition
    >>> edition = load_edition("classic", rules={"free_parking_jackpot": True})
    >>> edition.id, edition.mode, edition.modes, edition.min_players, edition.max_players
    ('classic', 'standard', ('standard', 'short'), 2, 8)
    >>> edition.value("houses"), dict(edition.overrides)
    (32, {'free_parking_jackpot': 1})
    """

    id: str
    title: str
    year: int | None
    publisher: str
    language: str
    rulebook: str
    reference: str
    mode: str
    modes: tuple[str, ...]
    overrides: dict[str, Value]
    names: Names
    min_players: int
    max_players: int
    rules: Any = field(repr=False)
    sources: dict[str, str] = field(repr=False)
    optional_rules: dict[str, str] = field(repr=False)
    house_rules: tuple[HouseRule, ...] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", read_only(self.rules))
        for name in ("overrides", "sources", "optional_rules"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        rules = [replace(rule, value=frozen(rule.value)) for rule in self.house_rules]
        object.__setattr__(self, "house_rules", tuple(rules))

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():  # copies and pickles are read-only, too
            object.__setattr__(self, name, value)
        object.__setattr__(self, "rules", read_only(self.rules))

    def __deepcopy__(self, _: dict[int, Any]) -> Edition:
        return self  # immutable, so copies of games share it

    def value(self, name: str) -> int | list[Any]:
        """Return the value of a rule as plain Python. Raises: InputError for an unknown rule."""
        if type(name) is not str or name not in FIELDS:
            known = suggest(name, FIELDS) if type(name) is str else "give its name"
            NoSuchItem.at("name").fail(f"there is no rule {show(name)}; {known}")
        return read_value(self.rules, name)

    def check_players(self, players: object, parameter: str = "players") -> int:
        """Check that the edition supports this number of players.

        Raises: InputError that names ``parameter`` and the remedy.
        """
        location = InputError.at(parameter)
        if isinstance(players, bool) or not isinstance(players, int | np.integer):
            location.fail(f"must be a whole number, not {show(players)}")
        count = int(players)
        if not self.min_players <= count <= self.max_players:
            possible = self.max_players < count <= PLAYERS
            remedy = f"; override the rule max_players with {count}" if possible else ""
            location.fail(
                f"{self.id} is for {self.player_range} players, not {show(count)}{remedy}"
            )
        return count

    @property
    def player_range(self) -> str:
        """The allowed numbers of players as text, such as ``2 to 8``, or ``2`` if there is only one."""
        low, high = self.min_players, self.max_players
        return str(low) if low == high else f"{low} to {high}"

    def rule_rows(self) -> list[RuleRow]:
        """Return all rules except those of the board and the cards, in the order of the record."""
        return [
            self._rule_row(name, rule)
            for name, rule in FIELDS.items()
            if name not in BOARD_FIELDS and name not in DECK_FIELDS
        ]

    def _rule_row(self, name: str, rule: Rule) -> RuleRow:
        value = self.value(name)
        text = value_text(self.names, rule.unit, value)
        return RuleRow(name, value, text, rule.unit, rule.meaning, self.sources.get(name, ""))

    def house_rule_rows(self) -> list[RuleRow]:
        """Return the common house rules: the override, its value and its effect."""
        return [
            RuleRow(
                name=rule.name,
                value=rule.value,
                text=value_text(self.names, FIELDS[rule.name].unit, rule.value),
                unit=FIELDS[rule.name].unit,
                meaning=rule.meaning,
                source="house rule",
            )
            for rule in self.house_rules
        ]

    def board_rows(self) -> list[BoardRow]:
        """Return the spaces of the board in order: forty, or fewer on a small board."""
        return [self._board_row(square) for square in self.route]

    @property
    def route(self) -> tuple[int, ...]:
        """The squares of the board in order: 0 to 39, or fewer on a small board."""
        return route_of(self.rules)

    def _board_row(self, square: int) -> BoardRow:
        group = int(GROUP[square]) if square in DEEDS else None
        rules = self.rules[0]

        def number(name: str) -> int | None:
            return int(rules[name][square]) if square in BOARD_FIELDS[name] else None

        return BoardRow(
            square=square,
            id=SPACE_IDS[square],
            name=self.names.space(square),
            group=None if group is None else GROUP_IDS[group],
            group_name=None if group is None else self.names.group(group),
            price=number("price"),
            mortgage=number("mortgage"),
            house_price=number("house_price"),
            hotel_price=number("hotel_price"),
            rent=tuple(rules["rent"][square].tolist()) if square in STREETS else None,
            tax=number("tax"),
            tax_percent=number("tax_percent"),
        )

    def deck_rows(self, pile: int) -> list[CardRow]:
        """Return the cards of a deck in the file's order: 0 is Chance, 1 Community Chest."""
        pile = NoSuchItem.at("pile").index(pile, 0, 1)
        rules = self.rules[0]
        return [self._card_row(int(c)) for c in rules["deck"][pile][: rules["deck_size"][pile]]]

    def _card_row(self, card: int) -> CardRow:
        rules = self.rules[0]
        kind = CardKind(int(rules["card_kind"][card]))
        return CardRow(
            id=CARD_IDS[card],
            label=self.names.card_label(card),
            kind=kind.name.lower(),
            amount=int(rules["card_amount"][card]),
            hotel=int(rules["card_hotel"][card]),
            square=SPACE_IDS[rules["card_square"][card]] if kind is CardKind.MOVE_TO else None,
        )

    def describe(self) -> dict[str, Any]:
        """Return the complete edition as plain Python for JSON."""
        about = (
            "id",
            "title",
            "year",
            "publisher",
            "language",
            "rulebook",
            "mode",
            "modes",
            "overrides",
            "min_players",
            "max_players",
            "optional_rules",
        )
        return {
            **{name: thawed(getattr(self, name)) for name in about},
            "names": asdict(self.names),
            "rules": [asdict(row) for row in self.rule_rows()],
            "house_rules": [asdict(row) for row in self.house_rule_rows()],
            "board": [asdict(row) for row in self.board_rows()],
            "decks": [[asdict(row) for row in self.deck_rows(p)] for p in (CHANCE, CHEST)],
        }

    def differences(self, other: Edition) -> list[Difference]:
        """Return the differences from ``other``: rules first, then board, decks and names."""
        if type(other) is not Edition:
            InputError.at("other").fail(f"must be an Edition that is loaded, not {show(other)}")
        mine, theirs = dict(_facts(self)), dict(_facts(other))
        rows = []
        for part, key in dict.fromkeys((*mine, *theirs)):
            meaning, left = mine.get((part, key), ("", ""))
            other_meaning, right = theirs.get((part, key), ("", ""))
            if left != right:
                rows.append(Difference(part, key, meaning or other_meaning, left, right))
        return sorted(rows, key=lambda difference: PARTS.index(difference.part))


# --- comparing editions ---


Fact = tuple[tuple[str, str], tuple[str, str]]  # (part, key), (meaning, text)


def _facts(edition: Edition) -> Iterator[Fact]:
    """Yield everything in which editions can differ, one text each; money without symbols."""
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
    """Yield the numbers of the board."""
    for name, squares in BOARD_FIELDS.items():
        unit = "%" if name == "tax_percent" else ""
        for square in squares:
            text = value_text(edition.names, unit, edition.rules[name][0, square].tolist())
            yield ("board", f"{SPACE_IDS[square]}.{name}"), (FIELDS[name].meaning, text)


def _deck_facts(edition: Edition) -> Iterator[Fact]:
    """Yield what each card does, without labels and currency symbols."""
    for pile, id_ in ((CHANCE, "chance"), (CHEST, "chest")):
        for row in edition.deck_rows(pile):
            parts = [row.kind, *(str(n) for n in (row.amount, row.hotel) if n), row.square or ""]
            yield ("decks", f"{id_}.{row.id}"), ("a card", " ".join(parts).strip())


def _name_facts(names: Names) -> Iterator[Fact]:
    """Yield the names."""
    for key in ("currency", "symbol", "house", "hotel", "jail_card"):
        yield ("names", key), ("name", getattr(names, key))
    for key, name in zip(("chance", "chest"), names.decks, strict=True):
        yield ("names", f"decks.{key}"), ("name", name)
    for key, name in zip(GROUP_IDS, names.groups, strict=True):
        yield ("names", f"groups.{key}"), ("name", name)
    for key, name in zip(SPACE_IDS, names.spaces, strict=True):
        yield ("names", f"spaces.{key}"), ("name", name)
    yield ("names", "tokens"), ("names", ", ".join(names.tokens))
