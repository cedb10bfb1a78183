"""Tracks promises: which are open, kept or broken, judged by the events of the game."""

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
    """The state of a promise."""

    OPEN = "open"
    KEPT = "kept"
    BROKEN = "broken"
    VOID = "void"  # can no longer be kept or broken, through no fault of its maker


@dataclass
class Outcome:
    """A promise and its status.

    ``made`` and ``at`` are the numbers of actions played when it was made and when it was decided;
    ``round`` is the round of that decision, ``why`` the reason.
    """

    promise: Promise
    made: int
    status: Status = Status.OPEN
    at: int | None = None
    round: int | None = None
    why: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the outcome as plain data."""
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
    """The result of one action, by which promises are judged.

    ``struck`` is a deal that was made, ``refused`` an offer that was refused (a counter-offer also
    refuses the offer), ``lot`` the deed that was being auctioned before the action.
    """

    game: Game
    events: tuple[Happening, ...]
    at: int  # actions so far
    lot: int = NOBODY
    struck: Terms | None = None
    refused: Terms | None = None

    @property
    def round(self) -> int:
        """The current round, counted from 1."""
        return int(self.game.state["rounds"]) + 1


class Ledger:
    """The promises of a game.

    A promise to ``sell`` is kept if the deed goes to the player in a deal for at most the promised
    cash, or if that player refuses it at such a price. It is broken if an offer of that price for
    the deed alone is refused, if the deed goes elsewhere, or if the round ends first. ``buy`` is
    the mirror image. The other kinds are broken by doing what was ruled out (parting with the deed,
    building, bidding, dealing), and kept at the end of the round or game, or once they can no
    longer be broken.
    """

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def add(self, promise: Promise, at: int) -> int:
        """Add a promise; return its number, from 1."""
        self.outcomes.append(Outcome(promise, at))
        return len(self.outcomes)

    def observe(self, moment: Moment) -> list[int]:
        """Judge the open promises by a moment; return the numbers of those now decided."""
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
        """Return the open promises of a seat."""
        return [
            one.promise
            for one in self.outcomes
            if one.promise.by == seat and one.status is Status.OPEN
        ]


def kept_rate(outcomes: Iterable[Outcome], seat: int) -> float | None:
    """Return a seat's share of kept promises among those kept or broken; None without any."""
    decided = [
        one.status is Status.KEPT
        for one in outcomes
        if one.promise.by == seat and one.status in (Status.KEPT, Status.BROKEN)
    ]
    return sum(decided) / len(decided) if decided else None


# Judging


def judge(promise: Promise, moment: Moment) -> tuple[Status, str]:
    """Return the status of an open promise after an action, and the reason."""
    if promise.kind in RESTRAINTS:
        return _restraint(promise, moment)
    return _sale(promise, moment)


def _restraint(promise: Promise, moment: Moment) -> tuple[Status, str]:
    """Judge a promise not to do something."""
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
    """Return how a promise not to do something was broken; empty if it was not."""
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
    """Judge a promise to sell a deed to a player, or to buy one."""
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
    """Judge by a refused offer of the deed for cash alone; None if it decides nothing."""
    price = _price(refused, promise.about, seller, buyer, alone=True)
    if refused is None or price is None:
        return None
    if refused.proposer == promise.by:  # the other side declined
        return (Status.KEPT, f"refused for ${price}") if _keeps(promise, price) else None
    asked_enough = price >= promise.price if promise.kind is Kind.SELL else price <= promise.price
    return (Status.BROKEN, f"refused ${price}") if asked_enough else None


def _keeps(promise: Promise, price: int) -> bool:
    """Return whether a price is as promised, or better for the other side."""
    return price <= promise.price if promise.kind is Kind.SELL else price >= promise.price


def _price(
    terms: Terms | None, deed: int, seller: int, buyer: int, alone: bool = False
) -> int | None:
    """Return the cash for which a deed changes hands in an offer, or None if it does not.

    With ``alone``, the deed must be exchanged for nothing but cash.
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
    """Return the deed being auctioned in a GAME record; NOBODY if there is none."""
    return int(state["lot_square"]) if state["lot"] == AuctionLot.DEED else NOBODY
