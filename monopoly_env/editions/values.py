"""Values of rules: parses YAML or Python values into integers, and writes them into a record.

A value is an integer, a list in the shape of its field, or, for fields by space, card or deck, a
mapping with some of the numbers: ``{luxury_tax: 75}``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any, cast

import numpy as np

from monopoly_env.compiler.records import fields
from monopoly_env.engine.board import DEEDS, SPACE_IDS, STREETS, TAX_SQUARES
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST, CardKind
from monopoly_env.engine.rules import Deals, Rule, RuleSet
from monopoly_env.errors import Location, show, suggest

Value = int | list[Any] | dict[str, Any]

FIELDS: dict[str, Rule] = {n: f for n, f in fields(RuleSet).items() if isinstance(f, Rule)}
DECK_FIELDS = ("card_kind", "card_amount", "card_hotel", "card_square", "deck", "deck_size")
BOARD_FIELDS: dict[str, tuple[int, ...]] = {
    "price": DEEDS,
    "mortgage": DEEDS,
    "house_price": STREETS,
    "hotel_price": STREETS,
    "rent": STREETS,
    "tax": TAX_SQUARES,
    "tax_percent": TAX_SQUARES,
}
PILES: dict[str, int] = {"chance": CHANCE, "chest": CHEST}

# Fields whose rows have names: spaces, cards or decks.
ROWS: dict[str, dict[str, int]] = {
    **{name: {SPACE_IDS[s]: s for s in squares} for name, squares in BOARD_FIELDS.items()},
    **{name: {card: i for i, card in enumerate(CARD_IDS)} for name in DECK_FIELDS[:4]},
    "deck": PILES,
    "deck_size": PILES,
}


def _names(enum: type[IntEnum]) -> dict[str, int]:
    return {member.name.lower(): int(member) for member in enum}


# Named values, by unit.
WORDS: dict[str, dict[str, int]] = {
    "CardKind": _names(CardKind),
    "Deals": _names(Deals),
    "card": {card: i for i, card in enumerate(CARD_IDS)},
    "square": {space: s for s, space in enumerate(SPACE_IDS)},
}


def known_rule(name: str, location: Location, more: Iterable[str] = ()) -> str:
    """Return ``name`` if such a rule exists. Raises: the error of ``location``."""
    if name not in FIELDS:
        close = suggest(name, (*FIELDS, *more))
        remedy = close if close.startswith("did") else "`monopoly-env editions classic` lists them"
        (location / name).fail(f"there is no such rule; {remedy}")
    return name


def parse_value(name: str, raw: object, location: Location) -> Value:
    """Return the parsed value of rule ``name``; an error names ``location``."""
    rule = FIELDS[name]
    if isinstance(raw, np.ndarray):
        raw = raw.tolist()
    if not rule.shape:
        return _number(rule, raw, location)
    if isinstance(raw, Mapping) and name in ROWS:
        rows = location.mapping(raw, "card" if name.startswith("card_") else "key", ROWS[name])
        return {key: parse_row(name, item, location / key) for key, item in rows.items()}
    if name in ROWS and not isinstance(raw, list | tuple):
        location.fail(
            f"must be a mapping such as {{{next(iter(ROWS[name]))}: ...}}, or a list of "
            f"{rule.shape[0]} values ({rule.meaning}), not {show(raw)}"
        )
    value = cast("list[Any]", _array(rule, rule.shape, raw, location))
    _check_blanks(name, value, location)
    return value


def parse_row(name: str, raw: object, location: Location) -> int | list[Any]:
    """Return the parsed value of rule ``name`` for a single space or card."""
    rule = FIELDS[name]
    return _array(rule, rule.shape[1:], raw, location)


def _array(rule: Rule, shape: tuple[int, ...], raw: object, location: Location) -> int | list[Any]:
    """Return ``raw`` as nested lists of this shape."""
    if not shape:
        return _number(rule, raw, location)
    if not isinstance(raw, list | tuple):
        location.fail(f"must be a list of {shape[0]} values ({rule.meaning}), not {show(raw)}")
    if len(raw) != shape[0]:
        location.fail(f"must be a list of {shape[0]} values ({rule.meaning}), not {len(raw)}")
    return [_array(rule, shape[1:], item, location / str(i)) for i, item in enumerate(raw)]


def _number(rule: Rule, raw: object, location: Location) -> int:
    """Return ``raw`` as a single number of this rule."""
    if isinstance(raw, str):
        return _word(rule, raw, location)
    if isinstance(raw, bool | np.bool_):
        if rule.unit not in ("yes/no", "Deals"):  # YAML reads `off` as false
            location.fail(f"must be {_expected(rule)}, not {bool(raw)}")
        return int(raw)
    if not isinstance(raw, int | np.integer):
        location.fail(f"must be {_expected(rule)}, not {show(raw)}")
    if not rule.low <= raw <= rule.high:
        location.fail(f"must be {_expected(rule)}, not {show(raw)}")
    return int(raw)


def _word(rule: Rule, raw: str, location: Location) -> int:
    """Return a number given by name, such as the id of a card or space."""
    words = WORDS.get(rule.unit)
    if words is None:
        location.fail(f"must be {_expected(rule)}, not {show(raw)}")
    if raw not in words:
        location.fail(f"{show(raw)} is unknown; {suggest(raw, words)}")
    return words[raw]


def _expected(rule: Rule) -> str:
    """Return the allowed values of a rule, in words."""
    if rule.unit == "yes/no":
        return "true or false"
    if rule.unit in ("CardKind", "Deals"):
        return "one of " + ", ".join(WORDS[rule.unit])
    return f"a whole number from {rule.low} to {rule.high}"


def _check_blanks(name: str, value: list[Any], location: Location) -> None:
    """Check that a list of all 40 spaces has 0 where the rule does not apply."""
    if name not in BOARD_FIELDS:
        return
    for square, item in enumerate(value):
        if square not in BOARD_FIELDS[name] and np.any(item):
            (location / SPACE_IDS[square]).fail(f"must be 0: {name} does not apply to this space")


def write_value(rules: Any, name: str, value: Value) -> None:
    """Write a value into a RULES array of length 1."""
    column = rules[name]
    if isinstance(value, dict):
        for key, item in value.items():
            column[0, ROWS[name][key]] = item
    else:
        column[0] = value


def read_value(rules: Any, name: str) -> int | list[Any]:
    """Return the complete value of a rule as plain Python."""
    value: int | list[Any] = rules[name][0].tolist()
    return value


def parse_overrides(given: object, location: Location) -> dict[str, Value]:
    """Return rule overrides in canonical form: rule names and integers, in the order of the rules.

    Accepts ``windows: all | own`` and ``max_players: 2 to 8`` in addition to the rules' own names.
    """
    overrides: dict[str, Value] = {}
    for key, raw in location.mapping(given).items():
        if key == "max_players":
            overrides[key] = (location / key).whole(raw, 2, 8)
        elif key == "windows":
            if not isinstance(raw, str) or raw not in ("all", "own"):
                (location / key).fail(f"must be all or own, not {show(raw)}")
            if "between_windows" in location.mapping(given):
                (location / key).fail("is the same option as between_windows; give one of them")
            overrides["between_windows"] = int(raw == "all")
        else:
            name = known_rule(key, location, ("max_players", "windows"))
            overrides[name] = parse_value(name, raw, location / name)
    order = [*FIELDS, "max_players"]
    return {name: overrides[name] for name in sorted(overrides, key=order.index)}
