"""An edition: its RULES record, its names, and its contents as rows for people to read."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from monopoly_env.editions.differences import Difference, differences
from monopoly_env.editions.document import HouseRule
from monopoly_env.editions.names import Names, value_text
from monopoly_env.editions.values import BOARD_FIELDS, DECK_FIELDS, FIELDS, Value, read
from monopoly_env.engine.board import (
    DEEDS,
    GROUP,
    GROUP_IDS,
    PLAYERS,
    SPACE_IDS,
    SPACES,
    STREETS,
)
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST, CardKind
from monopoly_env.engine.rules import Rule
from monopoly_env.errors import Location


@dataclass(frozen=True)
class RuleRow:
    """One rule: its value as numbers and as text, and where the rule book says so."""

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


@dataclass(frozen=True, eq=False)
class Edition:
    """A rule book in one of its modes, with the overrides in force.

    ``rules`` is a RULES array of length 1, made for this object alone. ``reference`` loads the
    same edition again: an id, or the path of a file.
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

    def value(self, name: str) -> int | list[Any]:
        """The value of a rule as plain Python."""
        return read(self.rules, name)

    def check_players(self, players: int) -> None:
        """Raise an error that says what to do if this edition is not for so many players."""
        if not self.min_players <= players <= self.max_players:
            possible = self.max_players < players <= PLAYERS
            remedy = f"; override the rule max_players with {players}" if possible else ""
            Location(self.id).fail(
                f"is for {self.min_players} to {self.max_players} players, not {players}{remedy}"
            )

    def rule_rows(self) -> list[RuleRow]:
        """All rules but the numbers of the board and the cards, in the order of the record."""
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
        """The house rules people ask for: what to override, with what value, to what effect."""
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
        """The forty spaces in order."""
        return [self._board_row(square) for square in range(SPACES)]

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
        """The cards of a pile, in the order of the file."""
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
        """Everything as plain Python that JSON can hold."""
        about = (
            "id", "title", "year", "publisher", "language", "rulebook", "mode", "modes",
            "overrides", "min_players", "max_players", "optional_rules",
        )  # fmt: skip
        return {
            **{name: getattr(self, name) for name in about},
            "names": asdict(self.names),
            "rules": [asdict(row) for row in self.rule_rows()],
            "house_rules": [asdict(row) for row in self.house_rule_rows()],
            "board": [asdict(row) for row in self.board_rows()],
            "decks": [[asdict(row) for row in self.deck_rows(p)] for p in (CHANCE, CHEST)],
        }

    def differences(self, other: Edition) -> list[Difference]:
        """All that ``other`` has otherwise: rules first, then board, decks and names."""
        return differences(self, other)
