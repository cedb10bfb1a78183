"""Notable moments of a game: bankruptcies, groups, deals, auctions, doubles to Jail."""

from __future__ import annotations

from dataclasses import dataclass, field

from monopoly_env.editions import Names
from monopoly_env.engine.board import COLORS, GROUP_SQUARES, NOBODY
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import AuctionLot
from monopoly_env.events import Happening
from monopoly_env.notation import LETTERS
from monopoly_training.web.moments import Moments

KINDS = ("bankrupt", "group", "deal", "auction", "jail")


@dataclass(frozen=True)
class Mark:
    """A notable moment. ``seat`` is the player it is about, or -1."""

    moment: int
    kind: str
    seat: int
    text: str


@dataclass
class _Open:
    """The marks so far, and the context for later ones."""

    names: Names
    auction: tuple[int, str] | None = None  # the moment it began, and the lot
    offer: str = ""  # the terms of the latest one
    marks: list[Mark] = field(default_factory=list)


def find_marks(moments: Moments) -> list[Mark]:
    """Return all marks in game order; an auction is placed at its start."""
    found = _Open(moments.game.edition.names)
    for moment, events in enumerate(moments.events):
        for event, following in zip(events, [*events, None][1:], strict=True):
            _mark(found, moment, event, following)
    found.marks += _groups(moments)
    return sorted(found.marks, key=lambda mark: mark.moment)


def _mark(found: _Open, moment: int, event: Happening, following: Happening | None) -> None:
    if event.kind is Event.OUT:
        found.marks.append(Mark(moment, "bankrupt", event.player, event.text))
    elif event.kind is Event.OFFER:
        found.offer = event.text.partition(": ")[2]
    elif event.kind is Event.ACCEPT:
        text = f"{event.text}: {found.offer}" if found.offer else event.text
        found.marks.append(Mark(moment, "deal", event.other, text))
    elif event.kind is Event.AUCTION:
        found.auction = moment, lot_name(found.names, event)
    elif event.kind is Event.UNSOLD:
        _close(found, NOBODY, "nobody bids on {}")
    elif event.kind is Event.PAY and event.square == Reason.BID:
        who, money = LETTERS[event.player], found.names.money(event.amount)
        _close(found, event.player, f"{who} wins {{}} for {money}")
    elif event.kind is Event.THROW and following is not None and following.kind is Event.JAIL:
        if event.square == event.amount:  # any other way to Jail has an event in between
            who = LETTERS[event.player]
            text = f"{who} throws doubles for the third time and goes to Jail"
            found.marks.append(Mark(moment, "jail", event.player, text))


def _close(found: _Open, seat: int, text: str) -> None:
    """Close the open auction and mark it."""
    if found.auction is not None:
        moment, lot = found.auction
        found.marks.append(Mark(moment, "auction", seat, text.replace("{}", lot)))
        found.auction = None


def lot_name(names: Names, event: Happening) -> str:
    """Return the name of the auctioned lot."""
    if event.other == AuctionLot.DEED:
        return names.space(event.square)
    return f"one {names.house if event.other == AuctionLot.HOUSE else names.hotel}"


def _groups(moments: Moments) -> list[Mark]:
    """Return the marks where a player completes a color group."""
    owner, names = moments.part("owner"), moments.game.edition.names
    marks = []
    for group, squares in enumerate(GROUP_SQUARES[:COLORS]):
        held = owner[:, list(squares)]
        whole = (held == held[:, :1]).all(axis=1) & (held[:, 0] >= 0)
        holder = [
            int(seat) if full else NOBODY for seat, full in zip(held[:, 0], whole, strict=True)
        ]
        for moment in range(1, len(holder)):
            seat = holder[moment]
            if seat not in (NOBODY, holder[moment - 1]):
                text = f"{LETTERS[seat]} completes the {names.group(group)} group"
                marks.append(Mark(moment, "group", seat, text))
    return marks
