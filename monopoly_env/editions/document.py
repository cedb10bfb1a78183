"""One edition file, read and checked by itself: all that it says, and where it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from monopoly_env.editions.sections import read_board, read_cards, read_decks
from monopoly_env.editions.values import (
    PILES,
    Value,
    known_rule,
    parse,
)
from monopoly_env.engine.board import (
    GROUP_IDS,
    SPACE_IDS,
    SPACES,
)
from monopoly_env.errors import Location, show
from monopoly_env.yaml_text import read_yaml, reason_of

MAX_BYTES = 1_000_000
ABOUT = ("id", "title", "publisher", "language", "rulebook")
SECTIONS = (
    *ABOUT, "year", "extends", "players", "names", "rules", "modes", "optional_rules",
    "house_rules", "sources", "board", "decks", "cards",
)  # fmt: skip
NAMES = ("currency", "house", "hotel", "jail_card", "decks", "tokens", "groups", "spaces")


@dataclass(frozen=True)
class RuleValues:
    """Values of rules and where the rule book says so."""

    values: list[tuple[str, Value]] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HouseRule:
    """A rule that people like to change: what to override it with, and what that does."""

    name: str
    value: Value
    meaning: str


@dataclass(frozen=True, eq=False)
class Document:
    """A checked edition file. What it does not say comes from the edition that it extends."""

    path: Path
    place: Location
    extends: str | None
    about: dict[str, str]
    year: int | None
    players: dict[str, int]
    names: dict[str, Any]
    labels: dict[str, str]
    rules: RuleValues
    modes: dict[str, RuleValues | None]
    optional_rules: dict[str, str]
    house_rules: list[HouseRule]


def read(path: Path) -> Document:
    """The document in a file; read again only if the file has changed."""
    place = Location(path.name if path.parent == Path(__file__).parent else str(path))
    try:
        status = path.stat()
    except (OSError, ValueError) as problem:
        place.fail(f"cannot be read: {reason_of(problem)}")
    return _read(path, place, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, place: Location, _time: int, _size: int) -> Document:
    return _document(path, _parsed(path, place), place)


def _parsed(path: Path, place: Location) -> dict[str, object]:
    """The YAML of a file as a mapping."""
    raw = read_yaml(path, place, MAX_BYTES)
    if not isinstance(raw, dict):
        place.fail(f"must be a mapping, 'key: value', not {show(raw)}")
    return place.mapping(raw, "section", SECTIONS)


def _document(path: Path, raw: dict[str, object], place: Location) -> Document:
    """All sections of a file, checked."""
    cards, labels = read_cards(raw.get("cards"), place / "cards")
    values = [
        *read_board(raw.get("board"), place / "board"),
        *read_decks(raw.get("decks"), place / "decks"),
        *cards,
    ]
    rules = _rules((place / "rules").mapping(raw.get("rules")), place / "rules")
    sources = _sources(raw.get("sources"), place / "sources")
    return Document(
        path=path,
        place=place,
        extends=(place / "extends").text(raw["extends"]) if raw.get("extends") else None,
        about={key: (place / key).text(raw[key]) for key in ABOUT if raw.get(key) is not None},
        year=None if raw.get("year") is None else (place / "year").whole(raw["year"], 1, 9999),
        players=_players(raw.get("players"), place / "players", sources),
        names=_all_names(raw.get("names"), place / "names"),
        labels=labels,
        rules=RuleValues([*values, *rules.values], _all_sources(rules, sources, place)),
        modes=_modes(raw.get("modes"), place / "modes"),
        optional_rules=_optional(raw.get("optional_rules"), place / "optional_rules"),
        house_rules=list(_house_rules(raw.get("house_rules"), place / "house_rules")),
    )


def _players(raw: object, place: Location, sources: dict[str, str]) -> dict[str, int]:
    """The least and the greatest number of players; the source goes to the others."""
    given = place.mapping(raw, "key", ("min", "max", "source"))
    if "source" in given:
        sources["players"] = (place / "source").text(given.pop("source"))
    counts = {key: (place / key).whole(value, 2, 8) for key, value in given.items()}
    if counts.get("min", 2) > counts.get("max", 8):
        place.fail("min is more than max")
    return counts


# --- names ---


def _all_names(raw: object, place: Location) -> dict[str, Any]:
    """The names section: texts, pairs of texts, and mappings of texts."""
    given = place.mapping(raw, "name", NAMES)
    readers: dict[str, Callable[[object, Location], Any]] = {
        "currency": _currency,
        "house": lambda raw, place: place.texts(raw, 2),
        "hotel": lambda raw, place: place.texts(raw, 2),
        "jail_card": lambda raw, place: place.text(raw),
        "decks": lambda raw, place: place.texts_by_key(raw, "deck", PILES),
        "tokens": lambda raw, place: place.texts(raw),
        "groups": lambda raw, place: place.texts_by_key(raw, "group", GROUP_IDS),
        "spaces": _space_names,
    }
    return {key: readers[key](value, place / key) for key, value in given.items()}


def _currency(raw: object, place: Location) -> dict[str, str]:
    """Name, symbol and thousands separator of the money."""
    return place.texts_by_key(raw, "key", ("name", "symbol", "thousands"))


def _space_names(raw: object, place: Location) -> dict[str, str]:
    """Names by space, or a list of all forty in order."""
    if isinstance(raw, list):
        if len(raw) != SPACES:
            place.fail(f"a list of spaces has {SPACES} names, this one {len(raw)}")
        return dict(zip(SPACE_IDS, place.texts(raw), strict=True))
    return place.texts_by_key(raw, "space", SPACE_IDS)


# --- rules and modes ---


def _rules(given: dict[str, object], place: Location) -> RuleValues:
    """Rules by name, each a value or a value with its source."""
    found = RuleValues()
    for key, raw in given.items():
        name = known_rule(key, place)
        here = place / name
        parts = {"value": raw}
        if isinstance(raw, dict) and "value" in raw:
            parts = here.mapping(raw, "key", ("value", "source"))
        if "source" in parts:
            found.sources[name] = (here / "source").text(parts["source"])
        found.values.append((name, parse(name, parts["value"], here)))
    return found


def _sources(raw: object, place: Location) -> dict[str, str]:
    """Where a rule stands whose value is inherited."""
    given = place.mapping(raw)
    return {known_rule(key, place): (place / key).text(text) for key, text in given.items()}


def _modes(raw: object, place: Location) -> dict[str, RuleValues | None]:
    """What each mode changes; null takes a mode away."""
    modes: dict[str, RuleValues | None] = {}
    for name, changes in place.mapping(raw).items():
        here = place / name
        here.text(name)
        if changes is None and name != "standard":
            modes[name] = None
            continue
        given = here.mapping(changes)
        sources = _sources(given.pop("sources", None), here / "sources")
        rules = _rules(given, here)
        modes[name] = RuleValues(rules.values, _all_sources(rules, sources, place))
    return modes


def _all_sources(rules: RuleValues, sources: dict[str, str], place: Location) -> dict[str, str]:
    """Where the rules stand: this file where nothing is said, never where another value stands."""
    file = Path(place.file).name
    return {**{name: file for name, _ in rules.values}, **sources, **rules.sources}


def _optional(raw: object, place: Location) -> dict[str, str]:
    """The optional rules that the book offers: rule name and source."""
    given = place.mapping(raw)
    return {known_rule(key, place): (place / key).text(text) for key, text in given.items()}


def _house_rules(raw: object, place: Location) -> Iterator[HouseRule]:
    """The list of rules that people like to change."""
    for key, entry in place.mapping(raw).items():
        here = place / known_rule(key, place)
        parts = here.mapping(entry, "key", ("value", "say"))
        for part in ("value", "say"):
            if part not in parts:
                here.fail(f"says no {part}; write {{value: ..., say: what it does}}")
        yield HouseRule(key, parse(key, parts["value"], here), (here / "say").text(parts["say"]))
