"""Which decisions a language model makes, and which a bot makes in its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from monopoly_env.engine.actions import KIND_OF, KINDS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import Int8s
from monopoly_env.errors import InputError, show, suggest

PHASES = tuple(phase.name for phase in Phase if phase is not Phase.OVER)


@dataclass(frozen=True)
class Ask:
    """The part of a phase that a model decides, as kinds of action.

    Attributes:
        kinds: the kinds of action that the model is shown.
        when: the model is asked if one of these kinds is legal and it has a choice; empty: any of
            ``kinds``.
        rest: the kinds among which the bot chooses if the model is not asked; empty: all legal
            ones.
    """

    kinds: tuple[str, ...]
    when: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


# The model decides on buying, bidding, building, whole offers, Jail and debts. Mortgages are shown
# when cash is needed, and the bot lifts them. The only window is at the end of the turn: buildings
# placed there earn rent before the next own throw.
_WINDOW = ("build", "propose", "mortgage")
SHORT: Mapping[str, Ask] = MappingProxyType(
    {
        "BUY": Ask(
            ("buy", "auction", "pass", "mortgage"), ("buy", "mortgage"), ("auction", "pass")
        ),
        "AUCTION": Ask(("pass", "open", "raise"), ("open", "raise"), ("pass",)),
        "TURN": Ask(("roll", "jail_pay", "jail_card"), ("jail_pay", "jail_card"), ("roll", "lift")),
        "END": Ask(("end_turn", *_WINDOW), ("build", "propose"), ("end_turn", "lift")),
        "BETWEEN": Ask(("pass", *_WINDOW), ("build", "propose"), ("pass", "lift")),
        "ANSWER": Ask(KINDS),
        "DEBT": Ask(KINDS),
    }
)

# The same, but whole offers are made in words instead of chosen from a list.
BARGAIN: Mapping[str, Ask] = MappingProxyType(
    {
        **SHORT,
        "END": Ask(
            ("end_turn", "build", "deal", "mortgage"), ("build", "deal"), ("end_turn", "lift")
        ),
        "BETWEEN": Ask(("pass", "build", "deal", "mortgage"), ("build", "deal"), ("pass", "lift")),
    }
)


class Asks:
    """The decisions that a model makes, by phase; None: all of them.

    Raises: InputError for an unknown phase or kind of action.
    """

    def __init__(self, asks: Mapping[str, Ask] | None) -> None:
        self._bits = None if asks is None else _checked(asks)

    def offered(self, phase: Phase, mask: Int8s) -> Int8s | None:
        """Return the actions that the model is shown, int8[N_ACTIONS], or None if it is not asked.

        ``mask`` marks the legal actions, of which there are at least two.
        """
        if self._bits is None:
            return mask
        if phase not in self._bits:
            return None
        kinds, when, _ = self._bits[phase]
        shown = mask & kinds
        asked = (mask & when).any() and np.count_nonzero(shown) > 1
        return shown if asked else None

    def left(self, phase: Phase, mask: Int8s) -> Int8s:
        """Return the actions among which the bot chooses, if the model is not asked."""
        if self._bits is None or phase not in self._bits:
            return mask
        left = mask & self._bits[phase][2]
        return left if left.any() else mask


def _checked(asks: object) -> dict[Phase, tuple[Int8s, Int8s, Int8s]]:
    """Return the three action masks of each phase. Raises: InputError."""
    location = InputError.at("asks")
    bits = {}
    for name, ask in location.mapping(asks).items():
        if name not in PHASES:
            location.fail_unknown(name, "phase", PHASES)
        if not isinstance(ask, Ask):
            (location / name).fail(
                f"must be an Ask, such as Ask(('buy', 'auction')), not {show(ask)}"
            )
        for kind in (*ask.kinds, *ask.when, *ask.rest):
            if kind not in KINDS:
                problem = f"there is no kind of action {show(kind)}; {suggest(str(kind), KINDS)}"
                (location / name).fail(problem)
        bits[Phase[name]] = (_of(ask.kinds), _of(ask.when or ask.kinds), _of(ask.rest or KINDS))
    return bits


def _of(kinds: Iterable[str]) -> Int8s:
    """Return the mask of the actions of some kinds, int8[N_ACTIONS]."""
    return np.isin(KIND_OF, [KINDS.index(kind) for kind in kinds]).astype(np.int8)
