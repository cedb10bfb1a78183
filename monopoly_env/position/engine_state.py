"""The engine state of a position: the agenda, the auction, the deal, the counters.

Each field is written according to its declared unit: seats as letters, squares as ids, sets of
squares as lists. Only what does not follow from the public state is written.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Any

import numpy as np

from monopoly_env.compiler.records import Field, fields
from monopoly_env.engine.actions import ITEM
from monopoly_env.engine.board import EVERYONE, NOBODY, PLAYERS, SPACE_IDS
from monopoly_env.engine.money import MOST_MONEY
from monopoly_env.engine.phases import AuctionLot, Phase, Task
from monopoly_env.engine.state import (
    AGENDA,
    MOST_COUNTED,
    RENT_CLAIMS,
    AgendaItem,
    GameState,
    RentClaim,
)
from monopoly_env.errors import Location, show
from monopoly_env.notation import LETTERS, letter_of
from monopoly_env.position.agenda_checks import check_agenda
from monopoly_env.position.public_state import MOST_TURNS, Record, flag, members, seat_in

FIELDS = fields(GameState)
PLAIN = (
    "starter",
    "turns",
    "decisions",
    "pot",
    "out",
    "laps",
    "unseen",
    "dice",
    "again",
    "doubles",
    "jail_tries",  # beyond what a player can have before a throw
    "bid",
    "opening",
    "bidders",
    "high_bidder",
    "bidder",
    "lot",
    "lot_square",
    "asker",
    "denied_houses",
    "denied_hotels",
    "deal_give",
    "deal_ask",
    "deal_give_cash",
    "deal_ask_cash",
    "proposer",
    "partner",
    "offers_left",
    "refused",
    "offers_made",
    "offers_accepted",
    "offers_rejected",
)
# The limits of the counters; amounts in dollars have their own
MOST: dict[str, int] = {
    "turns": MOST_TURNS,
    "decisions": 2 * MOST_TURNS,
    "out": PLAYERS,
    "laps": 100,
    "unseen": 16,
    "dice": 6,
    "again": 6,
    "doubles": 3,
    "jail_tries": 10,
    "offers_left": 20,
    "refused": MOST_COUNTED,
    "offers_made": MOST_COUNTED,
    "offers_accepted": MOST_COUNTED,
    "offers_rejected": MOST_COUNTED,
}
MOST_TIMES = 100  # limit of a utility's multiplier
ENGINE_KEYS = ("over", "truncated", *PLAIN, "agenda", "claims")
ITEM_FIELDS = fields(AgendaItem)
CLAIM_FIELDS = fields(RentClaim)
ENUMS: dict[str, type[IntEnum]] = {"Task": Task, "AuctionLot": AuctionLot}
ITEM_IDS: dict[str, int] = dict(zip(ITEM.labels, ITEM.values, strict=True))


# --- one value ---


def encode(unit: str, value: int) -> Any:
    """Return a stored number in readable form."""
    if unit == "creditor" and value == EVERYONE:
        return "everyone"
    if unit in ("seat", "creditor"):
        return letter_of(value)
    if unit == "square":
        return None if value == NOBODY else SPACE_IDS[value]
    if unit == "squares":
        return [id_ for id_, square in ITEM_IDS.items() if value >> square & 1]
    if unit == "seats":
        return [LETTERS[seat] for seat in members(value)]
    if unit in ENUMS:
        return ENUMS[unit](value).name
    return value


def decode(
    field: Field, unit: str, raw: object, players: int, location: Location, most: int | None = None
) -> int:
    """Return the number that :func:`encode` wrote as ``raw``; ``most`` limits a counter.

    Raises: the error of ``location``.
    """
    if unit == "creditor" and raw == "everyone":
        return EVERYONE
    if unit in ("seat", "creditor"):
        return NOBODY if raw is None else seat_in(raw, players, location)
    if unit == "square":
        return NOBODY if raw is None else _one_of(raw, _SQUARES, "space", location)
    if unit == "squares":
        return sum({1 << _one_of(id_, ITEM_IDS, "deed", location) for id_ in location.texts(raw)})
    if unit == "seats":
        return sum({1 << seat_in(letter, players, location) for letter in location.texts(raw)})
    if unit in ENUMS:
        known = {member.name: int(member) for member in ENUMS[unit]}
        return _one_of(raw, known, in_words(unit), location)
    if most is None:
        most = MOST_MONEY if "$" in unit else int(np.iinfo(np.dtype(field.storage)).max)
    return location.whole(raw, 0, most)


def in_words(name: str) -> str:
    """Return a class name as words: ``auction lot`` for ``AuctionLot``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


_SQUARES = {id_: square for square, id_ in enumerate(SPACE_IDS)}


def _one_of(raw: object, known: dict[str, int], what: str, location: Location) -> int:
    if not isinstance(raw, str) or raw not in known:
        location.fail_unknown(raw if isinstance(raw, str) else show(raw), what, known)
    return known[raw]


# --- the whole ---


def describe_engine(game: Record, base: Record) -> dict[str, Any]:
    """Return what does not follow from the public state, which ``base`` was made from."""
    document: dict[str, Any] = {}
    if game["phase"] == Phase.OVER:
        document["over"] = True
    if game["truncated"]:
        document["truncated"] = True
    for name in PLAIN:
        if not np.array_equal(game[name], base[name]):
            document[name] = _describe_field(game, name)
    agenda = _describe_agenda(game)
    if agenda != _describe_agenda(base) and "over" not in document:
        document["agenda"] = agenda
    claims = [_describe_claim(claim) for claim in game["claims"]]
    while claims and claims[-1] is None:
        claims.pop()
    if claims:
        document["claims"] = claims
    return document


def _describe_field(game: Record, name: str) -> Any:
    """Return one field: a number, a pair, or a mapping by player."""
    field, value = FIELDS[name], game[name]
    if not field.shape:
        return encode(field.unit, int(value))
    if field.shape == (PLAYERS,):
        return {LETTERS[seat]: int(value[seat]) for seat in range(game["players"])}
    return value.tolist()


def _unit(task: int, name: str) -> str:
    """Return the unit of an agenda item's field; it depends on the task."""
    if task == Task.DEBT and name == "other":
        return "creditor"
    if task == Task.CLAIM and name in ("squares", "amount"):
        return "seats"
    return ITEM_FIELDS[name].unit


def _item_default(task: int, name: str) -> int:
    """Return the default of an agenda item's field."""
    if name == "player" or (name in ("other", "square") and task > Task.BETWEEN):
        return NOBODY
    return 0


def _describe_agenda(game: Record) -> list[dict[str, Any]]:
    """Return the agenda items, the next one last."""
    return [_describe_item(item) for item in game["agenda"][: game["depth"]]]


def _describe_item(item: Record) -> dict[str, Any]:
    task = int(item["kind"])
    row: dict[str, Any] = {"task": Task(task).name}
    for name in ("player", "other", "square", "squares", "amount", "step", "flag"):
        value = int(item[name])
        if value != _item_default(task, name):
            row[name] = encode(_unit(task, name), value)
    return row


def _describe_claim(claim: Record) -> dict[str, Any] | None:
    """Return a rent claim, or None for an unused slot."""
    if claim["owner"] == NOBODY:
        return None
    return {name: encode(field.unit, int(claim[name])) for name, field in CLAIM_FIELDS.items()}


def set_engine(game: Record, raw: object, location: Location) -> None:
    """Write an ``engine`` section into a record whose public state is set."""
    given = location.mapping(raw, "key", ENGINE_KEYS)
    players = int(game["players"])
    for name in PLAIN:
        if name in given:
            _set_field(game, name, given[name], players, location / name)
    if "claims" in given:
        _set_claims(game, given["claims"], players, location / "claims")
    if "agenda" in given:
        _set_agenda(game, given["agenda"], players, location / "agenda")
    game["truncated"] = flag(given.get("truncated", False), location / "truncated")
    if flag(given.get("over", False), location / "over"):
        game["agenda"][0]["kind"] = game["agenda"][0]["player"] = game["agenda"][0]["step"] = 0
        game["depth"] = 0
        game["phase"] = Phase.OVER
        game["actor"] = NOBODY


def _set_field(game: Record, name: str, raw: object, players: int, location: Location) -> None:
    field, most = FIELDS[name], MOST.get(name)
    if not field.shape:
        game[name] = decode(field, field.unit, raw, players, location, most)
    elif field.shape == (PLAYERS,):
        for letter, value in location.mapping(raw, "player", LETTERS[:players]).items():
            number = decode(field, "", value, players, location / letter, most)
            game[name][LETTERS.index(letter)] = number
    else:
        if not isinstance(raw, list) or len(raw) != field.shape[0]:
            location.fail(f"must be a list of {field.shape[0]} numbers, not {show(raw)}")
        game[name] = [decode(field, "", value, players, location, most) for value in raw]


def _rows(raw: object, most: int, location: Location) -> list[object]:
    if not isinstance(raw, list) or len(raw) > most:
        location.fail(f"must be a list of up to {most} items")
    return raw


def _set_claims(game: Record, raw: object, players: int, location: Location) -> None:
    for index, entry in enumerate(_rows(raw, RENT_CLAIMS, location)):
        if entry is None:
            continue
        here = location / str(index + 1)
        given = here.mapping(entry, "key", CLAIM_FIELDS)
        for name, field in CLAIM_FIELDS.items():
            if name not in given:
                here.fail(f"lacks {name}")
            most = MOST_TIMES if name == "multiplier" else None
            value = decode(field, field.unit, given[name], players, here / name, most)
            game["claims"][index][name] = value
            if field.unit == "seat" and (value < 0 or game["out"][value]):
                (here / name).fail("must be a player who is in the game")


def _set_agenda(game: Record, raw: object, players: int, location: Location) -> None:
    rows = _rows(raw, AGENDA, location)
    if not rows:
        location.fail("must have one item at least, the frame of the turn")
    for index, entry in enumerate(rows):
        here = location / str(index + 1)
        given = here.mapping(entry, "key", ("task", *ITEM_FIELDS.keys() - {"kind"}))
        task = decode(ITEM_FIELDS["kind"], "Task", given.get("task"), players, here / "task")
        if (task <= Task.BETWEEN) != (index == 0):
            here.fail("the first item, and no other, must be TURN, THROWN, END or BETWEEN")
        item = game["agenda"][index]
        for name in ITEM_FIELDS.keys() - {"kind"}:
            item[name] = _item_default(task, name)
            if name in given:
                field = ITEM_FIELDS[name]
                item[name] = decode(field, _unit(task, name), given[name], players, here / name)
        item["kind"] = task
    game["depth"] = len(rows)
    check_agenda(game, location)
