"""What a seat says in addition to its action: messages, promises, an offer and its chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from monopoly_env.editions import Names
from monopoly_env.errors import InputError, Location, show
from monopoly_env.negotiation.promises import (
    ALL,
    EVERYBODY,
    Promise,
    letter_or_all,
    read_hearer,
    read_promise,
)
from monopoly_env.negotiation.terms import KEYS as TERMS_KEYS
from monopoly_env.negotiation.terms import Terms, read_terms

HERE = InputError.at("answer")
SPOKEN = ("say", "promise", "offer", "counter", "chance")
MOST_CHARACTERS = 5000  # per message, in addition to the word limit


@dataclass(frozen=True)
class Message:
    """A message to a seat, or to EVERYBODY."""

    to: int
    text: str

    @property
    def words(self) -> int:
        """The number of words, which counts against the limits."""
        return len(self.text.split())


@dataclass(frozen=True)
class Statement:
    """Everything that a seat says at once; may be empty.

    ``offer`` is made to its partner at once. If an open offer awaits the seat's answer, it is a
    counter-offer. ``chance`` is the probability of acceptance that the seat believes in.
    """

    messages: tuple[Message, ...] = ()
    promises: tuple[Promise, ...] = ()
    offer: Terms | None = None
    chance: float | None = None

    def __bool__(self) -> bool:
        return bool(self.messages or self.promises or self.offer is not None)


SILENT = Statement()


def read_statement(
    raw: Mapping[str, Any],
    by: int,
    players: int,
    names: Names | None = None,
    location: Location = HERE,
) -> Statement:
    """Return a statement from data; other keys are ignored.

    ``say``: a text to all, ``{"to": "B", "text": …}``, or a list of them. ``promise``: a promise,
    or a list. ``offer`` or ``counter``: terms, which may include ``chance``.

    >>> said = read_statement({"say": {"to": "B", "text": "Baltic for $90?"}}, by=0, players=2)
    >>> said.messages[0].to, said.messages[0].words
    (1, 3)

    Raises: InputError, one line with the key.
    """
    messages = [
        _message(one, by, players, location / "say") for one in _several(raw.get("say"), "text")
    ]
    promises = [
        read_promise(one, by, players, names, location / "promise")
        for one in _several(raw.get("promise"), "kind")
    ]
    given = {key: raw[key] for key in ("offer", "counter") if raw.get(key) is not None}
    if len(given) > 1:
        location.fail("give an offer or a counter, one of them")
    offer, chance = None, raw.get("chance")
    for key, raw_terms in given.items():
        here = location / key
        terms = here.mapping(raw_terms, "key", (*TERMS_KEYS, "chance"))
        inner = terms.pop("chance", None)
        chance = inner if inner is not None else chance
        terms.pop("from", None)
        offer = read_terms(terms, players, by, names, here)
    believed = None if chance is None else read_chance(chance, location / "chance")
    return Statement(tuple(messages), tuple(promises), offer, believed)


def _several(raw: object, key: str) -> list[Any]:
    """Return a list of one or several items, without empty ones."""
    items = raw if isinstance(raw, list | tuple) else [raw]
    return [
        one for one in items if one not in (None, "") and not _is_empty(one, key)
    ]  # models often send empty items


def _is_empty(one: object, key: str) -> bool:
    """Return whether a model sent an item without content."""
    return isinstance(one, Mapping) and key in one and one[key] in (None, "")


def _message(raw: object, by: int, players: int, location: Location) -> Message:
    if isinstance(raw, str):
        raw = {"to": ALL, "text": raw}
    given = location.mapping(raw, "key", ("to", "text"))
    text = given.get("text")
    if not isinstance(text, str) or not text.split():
        (location / "text").fail(f"must be what is said, not {show(text)}")
    if len(text) > MOST_CHARACTERS:
        (location / "text").fail(f"must be up to {MOST_CHARACTERS} characters, not {len(text)}")
    to = read_hearer(given.get("to", ALL), by, players, location / "to")
    return Message(to, " ".join(text.split()))


def read_chance(raw: object, location: Location) -> float:
    """Return a probability. Raises: InputError."""
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not 0 <= raw <= 1:
        location.fail(f"must be from 0 to 1, not {show(raw)}")
    return float(raw)


__all__ = ["EVERYBODY", "SILENT", "Message", "Statement", "letter_or_all", "read_statement"]
