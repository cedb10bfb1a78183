"""The options of a negotiation: which forms of talk are allowed, and how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from monopoly_env.errors import InputError, Location, show

MOST = 10**6
HERE = InputError.at("negotiation")


@dataclass(frozen=True, kw_only=True)
class NegotiationOptions:
    """The limits of a negotiation; 0 turns a part off.

    Attributes:
        words: words per message.
        words_a_game: words per seat and game.
        rounds: how often per turn a seat's messages prompt the others for an immediate reply. They
            see later messages at their next decisions.
        counters: whether an offer may be answered by a counter-offer.
        promises: how many promises a seat may have open at a time.
        offers: how many offers a seat may make between two own throws, in place of the edition's
            ``trade_limit``; None keeps the rule. Only this option changes a rule.
        beliefs: whether each offer must state the probability that it is accepted.
    """

    words: int = 40
    words_a_game: int = 1500
    rounds: int = 2
    counters: bool = True
    promises: int = 3
    offers: int | None = 4
    beliefs: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the options as plain data, for records."""
        return asdict(self)


def read_options(raw: object, location: Location = HERE) -> NegotiationOptions | None:
    """Return options from True (defaults), None or False (no negotiation), a mapping, or options.

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
