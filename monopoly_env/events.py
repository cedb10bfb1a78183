"""Turns the events of a game's journal into sentences, with the names of its edition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from monopoly_env.editions import Names
from monopoly_env.engine.board import HOTEL, NOBODY
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import AuctionLot
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import members


@dataclass(frozen=True, slots=True)
class Happening:
    """One event of the journal, with its sentence.

    Seats and squares are numbers; -1 is nobody or the Bank. The meaning of ``other``, ``square``
    and ``amount`` depends on the kind; see :class:`monopoly_env.engine.journal.Event`. ``str()``
    returns the sentence.
    """

    kind: Event
    player: int
    other: int
    square: int
    amount: int
    text: str

    def __str__(self) -> str:
        return self.text


REASONS: dict[Reason, str] = {
    Reason.SALARY: "salary",
    Reason.PRICE: "its price",
    Reason.BID: "the bid",
    Reason.RENT: "rent",
    Reason.TAX: "tax",
    Reason.CARD: "card",
    Reason.FINE: "fine",
    Reason.BUILDING: "building",
    Reason.MORTGAGE: "mortgage",
    Reason.LIFT: "mortgage and interest",
    Reason.INTEREST: "interest",
    Reason.DEAL: "deal",
    Reason.ESTATE: "estate",
    Reason.POWER: "power",
    Reason.JACKPOT: "what lay there",
}


def happening(
    names: Names, kind: Event, player: int, other: int, square: int, amount: int, about: str = ""
) -> Happening:
    """Return an event with its sentence; ``about`` is the content of an offer or bid, if known."""
    text = SENTENCES[kind](_Words(names, player, other, square, amount))
    if about:
        text = f"{text}{_BEFORE[kind]}{about}"
    return Happening(kind, player, other, square, amount, text)


def happenings(
    names: Names, state: Any, events: Iterable[tuple[Event, list[int]]]
) -> list[Happening]:
    """Return the events of a journal with their sentences. ``state`` is the GAME record after them.

    An open offer is still in the record, so its terms are known. So is the lot of a bid, unless
    another auction has begun since.
    """
    happenings: list[Happening] = []
    lot: str | None = lot_text(state, names)
    for kind, numbers in reversed(list(events)):
        about = ""
        if kind is Event.OFFER:
            about = terms_text(state, names)
        elif kind is Event.BID:
            about = lot or ""
        elif kind is Event.AUCTION:
            lot = None
        player, other, square, amount = numbers
        happenings.append(happening(names, kind, player, other, square, amount, about))
    return happenings[::-1]


def lot_text(state: Any, names: Names) -> str:
    """Return what the auction of a GAME record sells."""
    lot = AuctionLot(int(state["lot"]))
    if lot is AuctionLot.DEED:
        square = int(state["lot_square"])
        return names.space(square) if square >= 0 else ""
    return f"one {names.house if lot is AuctionLot.HOUSE else names.hotel}"


def offer_text(state: Any, names: Names) -> str:
    """Return the offer of a GAME record: ``A offers D: Virginia Avenue for Oriental Avenue``."""
    proposer, partner = LETTERS[state["proposer"]], LETTERS[state["partner"]]
    return f"{proposer} offers {partner}: {terms_text(state, names)}"


def terms_text(state: Any, names: Names) -> str:
    """Return the terms of the offer in a GAME record: ``Virginia Avenue and $40 for nothing``."""
    sides = []
    for key in ("give", "ask"):
        parts = [names.space(square) for square in members(int(state[f"deal_{key}"]))]
        cash = int(state[f"deal_{key}_cash"])
        sides.append(listed([*parts, *([names.money(cash)] if cash else [])]) or "nothing")
    return " for ".join(sides)


def listed(things: list[str]) -> str:
    """Join items as in a sentence: ``a, b and c``."""
    return " and ".join([*([", ".join(things[:-1])] if things[1:] else []), *things[-1:]])


@dataclass(frozen=True, slots=True)
class _Words:
    """The parts of which sentences are made."""

    names: Names
    player: int
    other: int
    square: int
    amount: int

    @property
    def who(self) -> str:
        return _party(self.player)

    @property
    def whom(self) -> str:
        return _party(self.other)

    @property
    def where(self) -> str:
        return self.names.space(self.square)

    @property
    def money(self) -> str:
        return self.names.money(self.amount)

    @property
    def standing(self) -> str:
        """The buildings on a street after the event."""
        if self.amount == 0:
            return "nothing"
        return buildings_text(self.names, self.amount)

    @property
    def lot(self) -> str:
        """The lot of an auction; ``other`` is the AuctionLot."""
        if self.other == AuctionLot.DEED:
            return self.where
        return f"one {self.names.house if self.other == AuctionLot.HOUSE else self.names.hotel}"


def _party(seat: int) -> str:
    return "the Bank" if seat < 0 else LETTERS[seat]


def buildings_text(names: Names, level: int) -> str:
    """Return a building level in words: 1 house, 3 houses, 1 hotel."""
    if level == HOTEL:
        return f"1 {names.hotel}"
    return f"{level} {names.house if level == 1 else names.houses}"


def _payment(w: _Words) -> str:
    reason = REASONS[Reason(w.square)]
    if w.player < 0:
        return f"{w.whom} collects {w.money} from the Bank ({reason})"
    return f"{w.who} pays {w.whom} {w.money} ({reason})"


SENTENCES: dict[Event, Callable[[_Words], str]] = {
    Event.TURN: lambda w: f"turn {w.amount}: {w.who} ({w.names.token(w.player)})",
    Event.THROW: lambda w: f"{w.who} throws {w.square} and {w.amount}",
    Event.MOVE: lambda w: f"{w.who} lands on {w.where}",
    Event.PAY: _payment,
    Event.CARD: lambda w: (
        f"{w.who} draws from {w.names.deck(w.other)}: {w.names.card_label(w.square)}"
    ),
    Event.KEEP_CARD: lambda w: (
        f"{w.who} receives {w.names.jail_card} ({w.names.deck(w.square)})"
        + ("" if w.other == NOBODY else f" from {w.whom}")
    ),
    Event.RETURN_CARD: lambda w: (
        f"{w.who}'s {w.names.jail_card} goes under {w.names.deck(w.square)}"
    ),
    Event.DEED: lambda w: f"{w.who} receives {w.where} from {w.whom}",
    Event.BANK_DEED: lambda w: f"the Bank takes {w.where} from {w.who}",
    Event.BUILD: lambda w: f"{w.who} builds on {w.where}: {w.standing}",
    Event.SELL: lambda w: f"{w.who} sells buildings on {w.where}: {w.standing} left",
    Event.MORTGAGE: lambda w: f"{w.who} mortgages {w.where}",
    Event.LIFT: lambda w: f"{w.who} lifts the mortgage on {w.where}",
    Event.JAIL: lambda w: f"{w.who} goes to Jail",
    Event.FREE: lambda w: f"{w.who} leaves Jail",
    Event.AUCTION: lambda w: f"{w.lot} is auctioned; {w.who} may bid first",
    Event.BID: lambda w: f"{w.who} bids {w.money}",
    Event.PASS: lambda w: f"{w.who} leaves the auction",
    Event.UNSOLD: lambda w: f"nobody bids: {w.lot} stays with the Bank",
    Event.OFFER: lambda w: f"{w.who} offers {w.whom}",
    Event.ACCEPT: lambda w: f"{w.who} accepts {w.whom}'s offer",
    Event.REJECT: lambda w: f"{w.who} rejects {w.whom}'s offer",
    Event.CLAIM: lambda w: f"{w.who} wants the {_lot_name(w)} too",
    Event.OUT: lambda w: f"{w.who} is bankrupt to {'all others' if w.other < NOBODY else w.whom}",
    Event.OVER: lambda w: "the game is over" + (": a limit was reached" if w.amount else ""),
}


_BEFORE = {Event.OFFER: ": ", Event.BID: " for "}  # joins a sentence and its content


def _lot_name(w: _Words) -> str:
    return w.names.hotel if w.amount == AuctionLot.HOTEL else w.names.house
