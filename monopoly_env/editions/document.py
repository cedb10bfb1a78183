"""One edition file, read and checked by itself: all that it says, and where it says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from monopoly_env.editions.place import Place, show
from monopoly_env.editions.values import (
    BOARD_FIELDS,
    FIELDS,
    PILES,
    WORDS,
    Value,
    known_rule,
    parse,
    parse_row,
)
from monopoly_env.editions.yaml_text import read_yaml, reason_of
from monopoly_env.engine.board import (
    DEEDS,
    GROUP,
    GROUP_IDS,
    GROUP_SQUARES,
    SPACE_IDS,
    SPACES,
    STREETS,
    TAX_SQUARES,
)
from monopoly_env.engine.cards import CARD_IDS, CardKind

MAX_BYTES = 1_000_000
ABOUT = ("id", "title", "publisher", "language", "rulebook")
SECTIONS = (
    *ABOUT, "year", "extends", "players", "names", "rules", "modes", "optional_rules",
    "house_rules", "sources", "board", "decks", "cards",
)  # fmt: skip
NAMES = ("currency", "house", "hotel", "jail_card", "decks", "tokens", "groups", "spaces")
CARD_PLACEHOLDERS = (
    "amount", "hotel_amount", "number", "space", "go", "house", "hotel", "railroads", "utilities",
    "jail_card",
)  # fmt: skip


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
    place: Place
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
    place = Place(path.name if path.parent == Path(__file__).parent else str(path))
    try:
        status = path.stat()
    except (OSError, ValueError) as problem:
        place.fail(f"cannot be read: {reason_of(problem)}")
    return _read(path, place, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, place: Place, _time: int, _size: int) -> Document:
    return _document(path, _parsed(path, place), place)


def _parsed(path: Path, place: Place) -> dict[str, object]:
    """The YAML of a file as a mapping."""
    raw = read_yaml(path, place, MAX_BYTES)
    if not isinstance(raw, dict):
        place.fail(f"must be a mapping, 'key: value', not {show(raw)}")
    return place.mapping(raw, "section", SECTIONS)


def _document(path: Path, raw: dict[str, object], place: Place) -> Document:
    """All sections of a file, checked."""
    cards, labels = _cards(raw.get("cards"), place / "cards")
    values = [
        *_board(raw.get("board"), place / "board"),
        *_decks(raw.get("decks"), place / "decks"),
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
        rules=RuleValues([*values, *rules.values], {**sources, **rules.sources}),
        modes=_modes(raw.get("modes"), place / "modes"),
        optional_rules=_optional(raw.get("optional_rules"), place / "optional_rules"),
        house_rules=list(_house_rules(raw.get("house_rules"), place / "house_rules")),
    )


def _players(raw: object, place: Place, sources: dict[str, str]) -> dict[str, int]:
    """The least and the greatest number of players; the source goes to the others."""
    given = place.mapping(raw, "key", ("min", "max", "source"))
    if "source" in given:
        sources["players"] = (place / "source").text(given.pop("source"))
    counts = {key: (place / key).whole(value, 2, 8) for key, value in given.items()}
    if counts.get("min", 2) > counts.get("max", 8):
        place.fail("min is more than max")
    return counts


# --- names ---


def _all_names(raw: object, place: Place) -> dict[str, Any]:
    """The names section: texts, pairs of texts, and mappings of texts."""
    given = place.mapping(raw, "name", NAMES)
    readers: dict[str, Callable[[object, Place], Any]] = {
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


def _currency(raw: object, place: Place) -> dict[str, str]:
    """Name, symbol and thousands separator of the money."""
    return place.texts_by_key(raw, "key", ("name", "symbol", "thousands"))


def _space_names(raw: object, place: Place) -> dict[str, str]:
    """Names by space, or a list of all forty in order."""
    if isinstance(raw, list):
        if len(raw) != SPACES:
            place.fail(f"a list of spaces has {SPACES} names, this one {len(raw)}")
        return dict(zip(SPACE_IDS, place.texts(raw), strict=True))
    return place.texts_by_key(raw, "space", SPACE_IDS)


# --- rules and modes ---


def _rules(given: dict[str, object], place: Place) -> RuleValues:
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


def _sources(raw: object, place: Place) -> dict[str, str]:
    """Where a rule stands whose value is inherited."""
    given = place.mapping(raw)
    return {known_rule(key, place): (place / key).text(text) for key, text in given.items()}


def _modes(raw: object, place: Place) -> dict[str, RuleValues | None]:
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
        modes[name] = RuleValues(rules.values, {**sources, **rules.sources})
    return modes


def _optional(raw: object, place: Place) -> dict[str, str]:
    """The optional rules that the book offers: rule name and source."""
    given = place.mapping(raw)
    return {known_rule(key, place): (place / key).text(text) for key, text in given.items()}


def _house_rules(raw: object, place: Place) -> Iterator[HouseRule]:
    """The list of rules that people like to change."""
    for key, entry in place.mapping(raw).items():
        here = place / known_rule(key, place)
        parts = here.mapping(entry, "key", ("value", "say"))
        for part in ("value", "say"):
            if part not in parts:
                here.fail(f"says no {part}; write {{value: ..., say: what it does}}")
        yield HouseRule(key, parse(key, parts["value"], here), (here / "say").text(parts["say"]))


# --- board, decks, cards ---


def _board(raw: object, place: Place) -> list[tuple[str, Value]]:
    """The rows of the board, turned into rules by field."""
    return [
        (key, {space: value})
        for space, entry in place.mapping(raw, "space", SPACE_IDS).items()
        for key, value in _board_row(space, entry, place / space).items()
    ]


def _board_row(space: str, raw: object, place: Place) -> dict[str, Any]:
    """What a row says of one space, with the values that follow from others."""
    square = SPACE_IDS.index(space)
    known = [key for key, squares in BOARD_FIELDS.items() if square in squares]
    if not known:
        place.fail("has no numbers; the board lists " + _counts())
    given = place.mapping(raw, "key", [*known, *(["group"] if square in DEEDS else [])])
    _check_group(square, given.pop("group", None), place)
    row = {key: parse_row(key, value, place / key) for key, value in given.items()}
    if isinstance(price := row.get("price"), int):
        row.setdefault("mortgage", price // 2)
    if "house_price" in row:
        row.setdefault("hotel_price", row["house_price"])
    return row


def _counts() -> str:
    return f"{len(DEEDS)} deeds ({len(STREETS)} of them streets) and {len(TAX_SQUARES)} tax spaces"


def _check_group(square: int, raw: object, place: Place) -> None:
    """A group that is named must be the space's own."""
    if raw is None:
        return
    group = GROUP_IDS[GROUP[square]]
    if raw != group:
        members = ", ".join(SPACE_IDS[s] for s in GROUP_SQUARES[GROUP[square]])
        (place / "group").fail(
            f"must be {group}, not {show(raw)}: in every edition {group} is {members}"
        )


def _decks(raw: object, place: Place) -> list[tuple[str, Value]]:
    """The cards of each pile, as ids."""
    found: list[tuple[str, Value]] = []
    most = FIELDS["deck"].shape[1]
    for pile, entry in place.mapping(raw, "deck", PILES).items():
        here = place / pile
        ids = here.texts(entry)
        if not 1 <= len(ids) <= most:
            here.fail(f"must be a list of 1 to {most} card ids, not {len(ids)}")
        for card in ids:
            if card not in CARD_IDS:
                here.fail_unknown(card, "card", CARD_IDS)
            if ids.count(card) > 1:
                here.fail(f"has the card {card} more than once")
        numbers = [CARD_IDS.index(card) for card in ids]
        found.append(("deck", {pile: numbers + [-1] * (most - len(numbers))}))
        found.append(("deck_size", {pile: len(numbers)}))
    return found


# What a card of each kind must say besides its kind.
_NEEDS: dict[int, tuple[str, ...]] = {
    CardKind.MOVE_TO: ("square",),
    CardKind.REPAIRS: ("amount", "hotel"),
    **dict.fromkeys(
        (CardKind.BACK, CardKind.COLLECT, CardKind.PAY, CardKind.COLLECT_EACH, CardKind.PAY_EACH),
        ("amount",),
    ),
}


def _cards(raw: object, place: Place) -> tuple[list[tuple[str, Value]], dict[str, str]]:
    """What each card does, as rules by field, and the labels."""
    labels: dict[str, str] = {}
    found: list[tuple[str, Value]] = []
    for card, entry in place.mapping(raw, "card", CARD_IDS).items():
        here = place / card
        row = here.mapping(entry, "key", ("kind", "amount", "hotel", "square", "label"))
        if "label" in row:
            labels[card] = _label(row.pop("label"), here / "label")
        for key, value in row.items():
            found.append((f"card_{key}", {card: parse_row(f"card_{key}", value, here / key)}))
        if "kind" in row:
            _check_needs(parse_row("card_kind", row["kind"], here / "kind"), row, here)
    return found, labels


def _check_needs(kind: int | list[Any], row: dict[str, object], place: Place) -> None:
    """A card that states its kind states all that the kind needs."""
    if kind not in list(CardKind):
        (place / "kind").fail(f"must be one of {', '.join(WORDS['CardKind'])}, not {show(kind)}")
    kind = CardKind(kind)
    for key in _NEEDS.get(kind, ()):
        if key not in row:
            place.fail(f"is of kind {kind.name.lower()} and must say its {key}")


def _label(raw: object, place: Place) -> str:
    """A label whose placeholders exist."""
    text = place.text(raw)
    fill_label(text, dict.fromkeys(CARD_PLACEHOLDERS, ""), place)
    return text


def fill_label(text: str, words: dict[str, str], place: Place) -> str:
    """Put words in the place of ``{placeholders}``."""
    parts = text.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        word, brace, rest = part.partition("}")
        if not brace:
            place.fail("has an opening brace without a closing one")
        if word not in words:
            place.fail_unknown(word, "placeholder", words)
        filled += [words[word], rest]
    return "".join(filled)
