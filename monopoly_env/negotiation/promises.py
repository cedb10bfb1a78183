"""Promises as typed statements: parsing, formatting, and checking whether one is meaningful."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from monopoly_env.editions import Names
from monopoly_env.engine.board import COLORS, GROUP_IDS, NOBODY, SPACE_IDS
from monopoly_env.errors import InputError, Location, show, suggest
from monopoly_env.negotiation.terms import MOST_CASH, plain, read_item
from monopoly_env.notation import LETTERS

EVERYBODY = -1  # addressee of messages and promises to all
ALL = "all"
LONGEST = 60  # rounds, the longest duration of a promise
HERE = InputError.at("promise")


class Kind(StrEnum):
    """The kinds of promises; each holds until the end of a round.

    :class:`monopoly_env.negotiation.ledger.Ledger` defines when a promise is kept or broken.
    """

    SELL = "sell"  # to sell the deed to one player for at most `at_most`
    BUY = "buy"  # to buy the deed from one player for at least `at_least`
    KEEP = "keep"  # not to part with the deed
    NO_BUILD = "no_build"  # not to build on a group, or anywhere
    NO_BID = "no_bid"  # not to bid on the deed
    NO_DEAL = "no_deal"  # to make no deal with a player


# The keys of each kind in addition to `kind`, `to` and `until`
KEYS: Mapping[Kind, tuple[str, ...]] = {
    Kind.SELL: ("deed", "at_most"),
    Kind.BUY: ("deed", "at_least"),
    Kind.KEEP: ("deed",),
    Kind.NO_BUILD: ("group",),
    Kind.NO_BID: ("deed",),
    Kind.NO_DEAL: ("with",),
}
OPTIONAL = ("group",)  # omitted: anywhere


@dataclass(frozen=True)
class Promise:
    """One promise.

    ``to`` is a seat, or EVERYBODY. ``about`` is a square, a group or a seat, depending on the kind,
    or NOBODY for any group. ``price`` is in $. ``until`` is the last round in which it holds,
    counted from 1.

    >>> promise = read_promise({"kind": "no_build", "group": "orange", "until": 9}, 0, 4)
    >>> promise.as_dict()
    {'kind': 'no_build', 'to': 'all', 'group': 'orange', 'until': 9}
    """

    by: int
    to: int
    kind: Kind
    about: int
    until: int
    price: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the promise as plain data, without its maker."""
        row: dict[str, Any] = {"kind": str(self.kind), "to": letter_or_all(self.to)}
        for key in KEYS[self.kind]:
            if key in ("at_most", "at_least"):
                row[key] = self.price
            elif self.about != NOBODY:
                row[key] = _label(self.kind, self.about)
        return {**row, "until": self.until}

    def text(self, names: Names) -> str:
        """Return the promise in words: ``not to build on orange before round 9 is over``."""
        return f"{self._what(names)} before round {self.until} is over"

    def _what(self, names: Names) -> str:
        price = names.money(self.price)
        if self.kind is Kind.NO_DEAL:
            return f"to strike no deal with {LETTERS[self.about]}"
        if self.kind is Kind.NO_BUILD:
            return f"not to build{'' if self.about == NOBODY else f' on {names.group(self.about)}'}"
        deed = names.space(self.about)
        if self.kind is Kind.SELL:
            return f"to sell {deed} to {LETTERS[self.to]} for at most {price}"
        if self.kind is Kind.BUY:
            return f"to buy {deed} of {LETTERS[self.to]} for at least {price}"
        if self.kind is Kind.KEEP:
            return f"not to part with {deed}"
        return f"not to bid on {deed}"


def letter_or_all(seat: int) -> str:
    """Return the letter of a seat, or ``all``."""
    return ALL if seat == EVERYBODY else LETTERS[seat]


def _label(kind: Kind, about: int) -> str:
    if kind is Kind.NO_DEAL:
        return LETTERS[about]
    return GROUP_IDS[about] if kind is Kind.NO_BUILD else SPACE_IDS[about]


# Reading


def read_promise(
    raw: object,
    by: int,
    players: int,
    names: Names | None = None,
    location: Location = HERE,
) -> Promise:
    """Return a promise from data in the form of :meth:`Promise.as_dict`.

    Raises: InputError, one line with the key.
    """
    given = location.mapping(raw)
    kinds = [str(kind) for kind in Kind]
    if given.get("kind") not in kinds:
        word = str(given.get("kind", ""))
        (location / "kind").fail(f"must be a kind of promise, not {show(word)}; {_known(word)}")
    kind = Kind(str(given["kind"]))
    location.mapping(given, "key", ("kind", "to", "until", *KEYS[kind]))
    for key in ("until", *KEYS[kind]):
        if given.get(key) is None and key not in OPTIONAL:
            (location / key).fail(f"is missing; a promise of the kind {kind} needs it")
    to = read_hearer(given.get("to", ALL), by, players, location / "to")
    if to == EVERYBODY and kind in (Kind.SELL, Kind.BUY):
        (location / "to").fail("must be one player, who can take it up")
    price_key = next((key for key in KEYS[kind] if key.startswith("at_")), "")
    price = (location / price_key).index(given[price_key], 0, MOST_CASH) if price_key else 0
    about = _about(given, kind, by, players, names, location)
    return Promise(by, to, kind, about, (location / "until").index(given["until"], 1, 10**6), price)


def _known(word: str) -> str:
    return suggest(word, [str(kind) for kind in Kind])


def read_hearer(raw: object, by: int, players: int, location: Location) -> int:
    """Return a seat by letter, or EVERYBODY for ``all``. Raises: InputError."""
    word = raw.strip() if isinstance(raw, str) else ""
    if word.lower() == ALL:
        return EVERYBODY
    seat = LETTERS.find(word.upper()) if word else -1
    if not 0 <= seat < players or seat == by:
        others = ", ".join(letter for letter in LETTERS[:players] if letter != LETTERS[by])
        location.fail(f"must be one of {others}, {ALL}, not {show(raw)}")
    return seat


def _about(
    given: Mapping[str, object],
    kind: Kind,
    by: int,
    players: int,
    names: Names | None,
    location: Location,
) -> int:
    """Return the square, group or seat that a promise is about. Raises: InputError."""
    if kind is Kind.NO_DEAL:
        seat = read_hearer(given["with"], by, players, location / "with")
        if seat == EVERYBODY:
            (location / "with").fail("must be one player")
        return seat
    if kind is not Kind.NO_BUILD:
        item = read_item(given["deed"], names, location / "deed")
        if item >= len(SPACE_IDS):
            (location / "deed").fail("must be a deed, not a card")
        return item
    if given.get("group") is None:
        return NOBODY
    colors = {name: group for group, name in enumerate(GROUP_IDS[:COLORS])}
    called = {} if names is None else {plain(names.group(g)): g for g in range(COLORS)}
    word = given["group"]
    group = {**called, **colors}.get(plain(word)) if isinstance(word, str) else None
    if group is None:
        (location / "group").fail(
            f"there is no color group {show(word)}; {suggest(str(word), colors)}"
        )
    return group


def why_not(promise: Promise, state: Any) -> str:
    """Return the reason why a promise would be meaningless now; empty if it is meaningful.

    ``state`` is the GAME record.
    """
    now, owner = int(state["rounds"]) + 1, state["owner"]
    if not now <= promise.until <= now + LONGEST:
        return f"until must be a round from {now}, this one, to {now + LONGEST}"
    if promise.to != EVERYBODY and state["out"][promise.to]:
        return f"{LETTERS[promise.to]} is out of the game"
    deed = "" if promise.about == NOBODY else SPACE_IDS[promise.about % len(SPACE_IDS)]
    if promise.kind in (Kind.SELL, Kind.KEEP) and owner[promise.about] != promise.by:
        return f"{deed} is not yours"
    if promise.kind is Kind.BUY and owner[promise.about] != promise.to:
        return f"{deed} does not belong to {LETTERS[promise.to]}"
    if promise.kind is Kind.NO_BID and owner[promise.about] != NOBODY:
        return f"{deed} is owned already"
    if promise.kind is Kind.NO_DEAL and state["out"][promise.about]:
        return f"{LETTERS[promise.about]} is out of the game"
    return ""
