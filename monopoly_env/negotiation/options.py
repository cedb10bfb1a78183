"""How much may be said, and what of it there is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from monopoly_env.errors import InputError, Location, show

MOST = 10**6
HERE = InputError.at("negotiation")


@dataclass(frozen=True, kw_only=True)
class NegotiationOptions:
    """The budgets of a negotiation; 0 turns a part off.

    Attributes:
        words: of one message.
        words_a_game: of all messages of a seat.
        rounds: how often in a turn of the game the others are asked at once for a reply to what a seat
            says. Later messages are heard at their next decisions.
        counters: whether an offer may be answered by a counter-offer.
        promises: how many promises of a seat may be open at a time.
        offers: how many offers a seat may make between two own throws, instead of the edition's
            ``trade_limit``; None: as the rules say. It is the one number here that is a rule.
        beliefs: whether each offer must come with the chance that it is accepted.
    """

    words: int = 40
    words_a_game: int = 1500
    rounds: int = 2
    counters: bool = True
    promises: int = 3
    offers: int | None = 4
    beliefs: bool = False

    def as_dict(self) -> dict[str, Any]:
        """As data, for records."""
        return asdict(self)


def read_options(raw: object, location: Location = HERE) -> NegotiationOptions | None:
    """Options from True (the usual ones), None or False (no negotiation), a mapping, or themselves.

    >>> read_options({"words": 20}).words
    20

    Raises: InputError, one line with the key.
    """
    if raw is None or raw is False:
        return None
    if raw is True:
        return NegotiationOptions()
    if isinstance(raw, NegotiationOptions):
        raw = raw.as_dict()
    if not isinstance(raw, Mapping):
        location.fail(f"must be True, a mapping such as {{'words': 40}}, or None, not {show(raw)}")
    given = location.mapping(raw, "key", [field.name for field in fields(NegotiationOptions)])
    checked: dict[str, Any] = {}
    for key, value in given.items():
        here = location / key
        if key in ("counters", "beliefs"):
            checked[key] = here.flag(value)
        elif not (key == "offers" and value is None):
            checked[key] = here.index(value, 0, 100 if key == "offers" else MOST)
        else:
            checked[key] = None
    return NegotiationOptions(**checked)
