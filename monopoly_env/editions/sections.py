"""Parses the sections board, decks and cards of an edition file into values of rules."""

from __future__ import annotations

from typing import Any

from monopoly_env.editions.values import BOARD_FIELDS, FIELDS, PILES, WORDS, Value, parse_row
from monopoly_env.engine.board import (
    DEEDS,
    GROUP,
    GROUP_IDS,
    GROUP_SQUARES,
    SPACE_IDS,
    STREETS,
    TAX_SQUARES,
)
from monopoly_env.engine.cards import CARD_IDS, CardKind
from monopoly_env.errors import Location, show

CARD_PLACEHOLDERS = (
    "amount",
    "hotel_amount",
    "number",
    "space",
    "go",
    "house",
    "hotel",
    "railroads",
    "utilities",
    "jail_card",
)


def read_board(raw: object, location: Location) -> list[tuple[str, Value]]:
    """Return the values of the board, as rules by field."""
    return [
        (key, {space: value})
        for space, entry in location.mapping(raw, "space", SPACE_IDS).items()
        for key, value in _board_row(space, entry, location / space).items()
    ]


def _board_row(space: str, raw: object, location: Location) -> dict[str, Any]:
    """Return the values of one space, including those derived from others."""
    square = SPACE_IDS.index(space)
    given = location.mapping(raw, "key", [*BOARD_FIELDS, "group"])
    _check_keys(square, given, location)
    _check_group(square, given.pop("group", None), location)
    row = {key: parse_row(key, value, location / key) for key, value in given.items()}
    if isinstance(price := row.get("price"), int):
        row.setdefault("mortgage", price // 2)
    if "house_price" in row:
        row.setdefault("hotel_price", row["house_price"])
    return row


def _check_keys(square: int, given: dict[str, object], location: Location) -> None:
    """Check that a space has only the values of its kind."""
    known = [key for key, squares in BOARD_FIELDS.items() if square in squares]
    if not known:
        location.fail("has no numbers; the board lists " + _counts())
    for key in given:
        if key not in known and (key != "group" or square not in DEEDS):
            (location / key).fail(f"does not apply to this space; it has {', '.join(known)}")


def _counts() -> str:
    return f"{len(DEEDS)} deeds ({len(STREETS)} of them streets) and {len(TAX_SQUARES)} tax spaces"


def _check_group(square: int, raw: object, location: Location) -> None:
    """Check that the group, if named, is the space's own."""
    if raw is None:
        return
    group = GROUP_IDS[GROUP[square]]
    if raw != group:
        members = ", ".join(SPACE_IDS[s] for s in GROUP_SQUARES[GROUP[square]])
        (location / "group").fail(
            f"must be {group}, not {show(raw)}: in every edition {group} is {members}"
        )


def read_decks(raw: object, location: Location) -> list[tuple[str, Value]]:
    """Return the card ids of each deck."""
    values: list[tuple[str, Value]] = []
    most = FIELDS["deck"].shape[1]
    for pile, entry in location.mapping(raw, "deck", PILES).items():
        here = location / pile
        ids = here.texts(entry)
        if not 1 <= len(ids) <= most:
            here.fail(f"must be a list of 1 to {most} card ids, not {len(ids)}")
        for card in ids:
            if card not in CARD_IDS:
                here.fail_unknown(card, "card", CARD_IDS)
            if ids.count(card) > 1:
                here.fail(f"has the card {card} more than once")
        numbers = [CARD_IDS.index(card) for card in ids]
        values.append(("deck", {pile: numbers + [-1] * (most - len(numbers))}))
        values.append(("deck_size", {pile: len(numbers)}))
    return values


# The keys that each kind of card requires.
_NEEDS: dict[int, tuple[str, ...]] = {
    CardKind.MOVE_TO: ("square",),
    CardKind.REPAIRS: ("amount", "hotel"),
    **dict.fromkeys(
        (CardKind.BACK, CardKind.COLLECT, CardKind.PAY, CardKind.COLLECT_EACH, CardKind.PAY_EACH),
        ("amount",),
    ),
}


def read_cards(raw: object, location: Location) -> tuple[list[tuple[str, Value]], dict[str, str]]:
    """Return the effects of the cards, as rules by field, and their labels."""
    labels: dict[str, str] = {}
    values: list[tuple[str, Value]] = []
    for card, entry in location.mapping(raw, "card", CARD_IDS).items():
        here = location / card
        row = here.mapping(entry, "key", ("kind", "amount", "hotel", "square", "label"))
        if "label" in row:
            labels[card] = _label(row.pop("label"), here / "label")
        for key, value in row.items():
            values.append((f"card_{key}", {card: parse_row(f"card_{key}", value, here / key)}))
        if "kind" in row:
            _check_needs(parse_row("card_kind", row["kind"], here / "kind"), row, here)
    return values, labels


def _check_needs(kind: int | list[Any], row: dict[str, object], location: Location) -> None:
    """Check that a card has all the keys that its kind requires."""
    if kind not in list(CardKind):
        (location / "kind").fail(f"must be one of {', '.join(WORDS['CardKind'])}, not {show(kind)}")
    kind = CardKind(kind)
    for key in _NEEDS.get(kind, ()):
        if key not in row:
            location.fail(f"is of kind {kind.name.lower()} and must say its {key}")


def _label(raw: object, location: Location) -> str:
    """Return a label after checking its placeholders."""
    text = location.text(raw)
    fill_label(text, dict.fromkeys(CARD_PLACEHOLDERS, ""), location)
    return text


def fill_label(text: str, words: dict[str, str], location: Location) -> str:
    """Replace ``{placeholders}`` by words."""
    parts = text.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        word, brace, rest = part.partition("}")
        if not brace:
            location.fail("has an opening brace without a closing one")
        if word not in words:
            location.fail_unknown(word, "placeholder", words)
        filled += [words[word], rest]
    return "".join(filled)
