"""Reads and checks one edition file: its values, and their sources in the rule book."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from monopoly_env.editions.layout import read_layout
from monopoly_env.editions.sections import read_board, read_cards, read_decks
from monopoly_env.editions.values import (
    PILES,
    Value,
    known_rule,
    parse_value,
)
from monopoly_env.engine.board import (
    GROUP_IDS,
    SPACE_IDS,
    SPACES,
)
from monopoly_env.errors import EditionError, Location, show
from monopoly_env.files import reason_of
from monopoly_env.yaml_text import read_yaml

MAX_BYTES = 1_000_000
ABOUT = ("id", "title", "publisher", "language", "rulebook")
SECTIONS = (
    *ABOUT,
    "year",
    "extends",
    "players",
    "names",
    "rules",
    "modes",
    "optional_rules",
    "house_rules",
    "sources",
    "layout",
    "board",
    "decks",
    "cards",
)
NAMES = ("currency", "house", "hotel", "jail_card", "decks", "tokens", "groups", "spaces")


@dataclass(frozen=True)
class RuleValues:
    """Values of rules, and where the rule book states them."""

    values: list[tuple[str, Value]] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HouseRule:
    """A common house rule: the override, and its effect."""

    name: str
    value: Value
    meaning: str


@dataclass(frozen=True, eq=False)
class Document:
    """A checked edition file. Missing values come from the edition that it extends."""

    path: Path
    location: Location
    extends: str | None
    about: dict[str, str]
    year: int | None
    players: dict[str, int]
    names: dict[str, Any]
    labels: dict[str, str]
    rules: RuleValues
    layout: dict[str, Any]
    modes: dict[str, RuleValues | None]
    optional_rules: dict[str, str]
    house_rules: list[HouseRule]


def read_document(path: Path) -> Document:
    """Return the document of a file; it is read again only if the file has changed."""
    location = EditionError.at(path.name if path.parent == Path(__file__).parent else str(path))
    try:
        status = path.stat()
    except (OSError, ValueError) as problem:
        location.fail(f"cannot be read: {reason_of(problem)}")
    return _read(path, location, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, location: Location, _time: int, _size: int) -> Document:
    return _document(path, _parsed(path, location), location)


def _parsed(path: Path, location: Location) -> dict[str, object]:
    """Return the YAML of a file as a mapping."""
    raw = read_yaml(path, location, MAX_BYTES)
    if not isinstance(raw, dict):
        location.fail(f"must be a mapping, 'key: value', not {show(raw)}")
    return location.mapping(raw, "section", SECTIONS)


def _document(path: Path, raw: dict[str, object], location: Location) -> Document:
    """Return all sections of a file, checked."""
    cards, labels = read_cards(raw.get("cards"), location / "cards")
    values = [
        *read_board(raw.get("board"), location / "board"),
        *read_decks(raw.get("decks"), location / "decks"),
        *cards,
    ]
    rules = _rules((location / "rules").mapping(raw.get("rules")), location / "rules")
    sources = _sources(raw.get("sources"), location / "sources")
    return Document(
        path=path,
        location=location,
        extends=(location / "extends").text(raw["extends"]) if raw.get("extends") else None,
        about={key: (location / key).text(raw[key]) for key in ABOUT if raw.get(key) is not None},
        year=None if raw.get("year") is None else (location / "year").whole(raw["year"], 1, 9999),
        players=_players(raw.get("players"), location / "players", sources),
        names=_all_names(raw.get("names"), location / "names"),
        labels=labels,
        rules=RuleValues([*values, *rules.values], _all_sources(rules, sources, location)),
        layout=read_layout(raw.get("layout"), location / "layout"),
        modes=_modes(raw.get("modes"), location / "modes"),
        optional_rules=_optional(raw.get("optional_rules"), location / "optional_rules"),
        house_rules=list(_house_rules(raw.get("house_rules"), location / "house_rules")),
    )


def _players(raw: object, location: Location, sources: dict[str, str]) -> dict[str, int]:
    """Return the minimum and maximum number of players; adds their source to ``sources``."""
    given = location.mapping(raw, "key", ("min", "max", "source"))
    if "source" in given:
        sources["players"] = (location / "source").text(given.pop("source"))
    counts = {key: (location / key).whole(value, 2, 8) for key, value in given.items()}
    if counts.get("min", 2) > counts.get("max", 8):
        location.fail("min is more than max")
    return counts


# --- names ---


def _all_names(raw: object, location: Location) -> dict[str, Any]:
    """Return the names section: texts, pairs of texts, and mappings of texts."""
    given = location.mapping(raw, "name", NAMES)
    readers: dict[str, Callable[[object, Location], Any]] = {
        "currency": _currency,
        "house": lambda raw, location: location.texts(raw, 2),
        "hotel": lambda raw, location: location.texts(raw, 2),
        "jail_card": lambda raw, location: location.text(raw),
        "decks": lambda raw, location: location.texts_by_key(raw, "deck", PILES),
        "tokens": lambda raw, location: location.texts(raw),
        "groups": lambda raw, location: location.texts_by_key(raw, "group", GROUP_IDS),
        "spaces": _space_names,
    }
    return {key: readers[key](value, location / key) for key, value in given.items()}


def _currency(raw: object, location: Location) -> dict[str, str]:
    """Return the name, symbol and thousands separator of the money."""
    return location.texts_by_key(raw, "key", ("name", "symbol", "thousands"))


def _space_names(raw: object, location: Location) -> dict[str, str]:
    """Return names by space, from a mapping or a list of all forty."""
    if isinstance(raw, list):
        if len(raw) != SPACES:
            location.fail(f"a list of spaces has {SPACES} names, this one {len(raw)}")
        return dict(zip(SPACE_IDS, location.texts(raw), strict=True))
    return location.texts_by_key(raw, "space", SPACE_IDS)


# --- rules and modes ---


def _rules(given: dict[str, object], location: Location) -> RuleValues:
    """Return rules by name; each is a value, or a value with its source."""
    rules = RuleValues()
    for key, raw in given.items():
        name = known_rule(key, location)
        here = location / name
        parts = {"value": raw}
        if isinstance(raw, dict) and "value" in raw:
            parts = here.mapping(raw, "key", ("value", "source"))
        if "source" in parts:
            rules.sources[name] = (here / "source").text(parts["source"])
        rules.values.append((name, parse_value(name, parts["value"], here)))
    return rules


def _sources(raw: object, location: Location) -> dict[str, str]:
    """Return the sources of rules whose values are inherited."""
    given = location.mapping(raw)
    return {known_rule(key, location): (location / key).text(text) for key, text in given.items()}


def _modes(raw: object, location: Location) -> dict[str, RuleValues | None]:
    """Return the changes of each mode; null removes a mode."""
    modes: dict[str, RuleValues | None] = {}
    for name, changes in location.mapping(raw).items():
        here = location / name
        here.text(name)
        if changes is None and name != "standard":
            modes[name] = None
            continue
        given = here.mapping(changes)
        sources = _sources(given.pop("sources", None), here / "sources")
        rules = _rules(given, here)
        modes[name] = RuleValues(rules.values, _all_sources(rules, sources, location))
    return modes


def _all_sources(rules: RuleValues, sources: dict[str, str], location: Location) -> dict[str, str]:
    """Return the sources of the rules; this file by default, where it sets a value."""
    file = Path(location.file).name
    return {**{name: file for name, _ in rules.values}, **sources, **rules.sources}


def _optional(raw: object, location: Location) -> dict[str, str]:
    """Return the optional rules that the book offers: name and source."""
    given = location.mapping(raw)
    return {known_rule(key, location): (location / key).text(text) for key, text in given.items()}


def _house_rules(raw: object, location: Location) -> Iterator[HouseRule]:
    """Yield the common house rules."""
    for key, entry in location.mapping(raw).items():
        here = location / known_rule(key, location)
        parts = here.mapping(entry, "key", ("value", "say"))
        for part in ("value", "say"):
            if part not in parts:
                here.fail(f"lacks {part}; write {{value: ..., say: what it does}}")
        yield HouseRule(
            key, parse_value(key, parts["value"], here), (here / "say").text(parts["say"])
        )
