"""Which promises are open, kept and broken, by what happens in the game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from monopoly_env.engine.board import GROUP, NOBODY
from monopoly_env.engine.journal import Event
from monopoly_env.engine.phases import AuctionLot
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.negotiation.promises import Kind, Promise
from monopoly_env.negotiation.terms import Terms
from monopoly_env.notation import LETTERS

RESTRAINTS = (Kind.KEEP, Kind.NO_BUILD, Kind.NO_BID, Kind.NO_DEAL)


class Status(StrEnum):
    """Where a promise stands."""

    OPEN = "open"
    KEPT = "kept"
    BROKEN = "broken"
    VOID = "void"  # it can be neither kept nor broken any more, by no doing of who made it


@dataclass
class Outcome:
    """A promise and where it stands.

    ``made`` and ``at`` are how many actions had been played when it was made and when it was
    decided; ``round`` is the round of the latter, ``why`` what decided it.
    """

    promise: Promise
    made: int
    status: Status = Status.OPEN
    at: int | None = None
    round: int | None = None
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        """As data."""
        return {
            "by": LETTERS[self.promise.by],
            **self.promise.as_dict(),
            "made": self.made,
            "status": str(self.status),
            "at": self.at,
            "round": self.round,
            "why": self.why,
        }


@dataclass(frozen=True)
class Moment:
    """What one action brought: what promises are judged by.

    ``struck`` is a deal that was struck, ``refused`` an offer that was refused (a counter-offer to
    it refuses it too), ``lot`` the deed that was under the hammer before.
    """

    game: Game
    events: tuple[Happening, ...]
    at: int  # actions so far
    lot: int = NOBODY
    struck: Terms | None = None
    refused: Terms | None = None

    @property
    def round(self) -> int:
        """The round that the game is in, counted from 1."""
        return int(self.game.state["rounds"]) + 1


class Ledger:
    """The promises of a game.

    A promise to ``sell`` is kept when the deed goes to the player in a deal for no more cash than was
    said, or that player refuses it at such a price; it is broken when an offer of the price for the
    deed alone is refused, when the deed goes elsewhere, and when the round is over. ``buy`` is the
    mirror image. The others are broken by the deed: parting with it, building, a bid, a deal; and kept
    when the round is over, or the game, or nothing is left to break them by.
    """

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def add(self, promise: Promise, at: int) -> int:
        """Note a promise; its number, from 1."""
        self.outcomes.append(Outcome(promise, at))
        return len(self.outcomes)

    def observe(self, moment: Moment) -> list[int]:
        """Judge the open promises by what happened; the numbers of those that were decided."""
        decided = []
        for number, outcome in enumerate(self.outcomes, 1):
            if outcome.status is Status.OPEN:
                status, why = judge(outcome.promise, moment)
                if status is not Status.OPEN:
                    outcome.status, outcome.why = status, why
                    outcome.at, outcome.round = moment.at, moment.round
                    decided.append(number)
        return decided

    def open_by(self, seat: int) -> list[Promise]:
        """The promises of a seat that are open."""
        return [
            one.promise
            for one in self.outcomes
            if one.promise.by == seat and one.status is Status.OPEN
        ]


def kept_rate(outcomes: Iterable[Outcome], seat: int) -> float | None:
    """The share of kept promises among a seat's kept and broken ones; None: there are none."""
    decided = [
        one.status is Status.KEPT
        for one in outcomes
        if one.promise.by == seat and one.status in (Status.KEPT, Status.BROKEN)
    ]
    return sum(decided) / len(decided) if decided else None


# Judging


def judge(promise: Promise, moment: Moment) -> tuple[Status, str]:
    """Return where an open promise stands after an action, and why."""
    if promise.kind in RESTRAINTS:
        return _restraint(promise, moment)
    return _sale(promise, moment)


def _restraint(promise: Promise, moment: Moment) -> tuple[Status, str]:
    """Return a promise not to do something."""
    if broken := _breach(promise, moment):
        return Status.BROKEN, broken
    if moment.round > promise.until:
        return Status.KEPT, f"round {promise.until} is over"
    if moment.game.over:
        return Status.KEPT, "the game is over"
    if moment.game.state["out"][promise.by]:
        return Status.KEPT, "out of the game"
    if promise.kind is Kind.NO_BID and moment.game.state["owner"][promise.about] != NOBODY:
        return Status.KEPT, "the deed has an owner"
    if promise.kind is Kind.NO_DEAL and moment.game.state["out"][promise.about]:
        return Status.KEPT, f"{LETTERS[promise.about]} is out of the game"
    return Status.OPEN, ""


def _breach(promise: Promise, moment: Moment) -> str:
    """Return what breaks a promise not to do something; empty: nothing did."""
    own = [event for event in moment.events if event.player == promise.by]
    if promise.kind is Kind.NO_BUILD:
        for event in own:
            if event.kind is Event.BUILD and promise.about in (NOBODY, int(GROUP[event.square])):
                return "built"
    elif promise.kind is Kind.NO_BID:
        if moment.lot == promise.about and any(event.kind is Event.BID for event in own):
            return "bid"
    elif promise.kind is Kind.KEEP:
        if moment.game.state["owner"][promise.about] != promise.by:
            return "parted with it"
    elif moment.struck is not None:
        if {moment.struck.proposer, moment.struck.partner} == {promise.by, promise.about}:
            return "struck a deal"
    return ""


def _sale(promise: Promise, moment: Moment) -> tuple[Status, str]:
    """Return a promise to sell a deed to a player, or to buy it of one."""
    sells = promise.kind is Kind.SELL
    seller, buyer = (promise.by, promise.to) if sells else (promise.to, promise.by)
    owner = int(moment.game.state["owner"][promise.about])
    paid = _price(moment.struck, promise.about, seller, buyer)
    if paid is not None:
        fair = _keeps(promise, paid)
        return (Status.KEPT if fair else Status.BROKEN), f"for ${paid}"
    refused = _refusal(promise, moment.refused, seller, buyer)
    if refused is not None:
        return refused
    if owner != seller:
        status = Status.BROKEN if sells else Status.VOID
        return status, "the deed went elsewhere"
    if moment.game.state["out"][promise.to]:
        return Status.VOID, f"{LETTERS[promise.to]} is out of the game"
    if moment.game.over:
        return Status.VOID, "the game is over"
    if moment.round > promise.until:
        return Status.BROKEN, f"round {promise.until} is over"
    if moment.game.state["out"][promise.by]:
        return Status.BROKEN, "out of the game"
    return Status.OPEN, ""


def _refusal(
    promise: Promise, refused: Terms | None, seller: int, buyer: int
) -> tuple[Status, str] | None:
    """Return what a refused offer of the deed for cash alone decides; None: nothing."""
    price = _price(refused, promise.about, seller, buyer, alone=True)
    if refused is None or price is None:
        return None
    if refused.proposer == promise.by:  # the other one would not have it
        return (Status.KEPT, f"refused for ${price}") if _keeps(promise, price) else None
    asked_enough = price >= promise.price if promise.kind is Kind.SELL else price <= promise.price
    return (Status.BROKEN, f"refused ${price}") if asked_enough else None


def _keeps(promise: Promise, price: int) -> bool:
    """Return whether a price is what was promised, or better for the other side."""
    return price <= promise.price if promise.kind is Kind.SELL else price >= promise.price


def _price(
    terms: Terms | None, deed: int, seller: int, buyer: int, alone: bool = False
) -> int | None:
    """The cash for which a deed changes hands in an offer; None: it does not.

    ``alone``: only if nothing but cash is given for it.
    """
    if terms is None:
        return None
    if (terms.proposer, terms.partner) == (buyer, seller):
        terms = terms.mirrored()
    if (terms.proposer, terms.partner) != (seller, buyer) or deed not in terms.give:
        return None
    if alone and (terms.give != (deed,) or terms.ask):
        return None
    return terms.cash


def lot_before(state: Any) -> int:
    """The deed under the hammer in a GAME record; NOBODY if there is none."""
    return int(state["lot_square"]) if state["lot"] == AuctionLot.DEED else NOBODY
