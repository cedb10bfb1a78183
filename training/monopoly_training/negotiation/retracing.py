"""Reconstruct a negotiation from a record: exchanges with their positions, and judged promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from monopoly_env.errors import Location
from monopoly_env.game import Game
from monopoly_env.negotiation.ledger import Ledger, Moment, Outcome, lot_before
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.promises import read_promise
from monopoly_env.negotiation.talks import FORMAT, Talks
from monopoly_env.negotiation.terms import Terms, read_terms, waiting_terms
from monopoly_env.notation import LETTERS
from monopoly_env.records.record import RECORD
from monopoly_env.replay import replay_steps

TERMS = ("to", "give", "ask", "give_cash", "ask_cash")
ANSWERS = ("accept", "refuse")


@dataclass
class Offer:
    """One offer or counteroffer.

    ``game`` is the position in which it was made and awaits an answer; ``chance`` is the proposer's
    stated probability of acceptance.
    """

    terms: Terms
    step: int
    at: int
    game: Game
    chance: float | None = None
    accepted: bool | None = None


@dataclass
class Exchange:
    """The offers of one chain, in order."""

    number: int
    offers: list[Offer] = field(default_factory=list)

    @property
    def is_struck(self) -> bool:
        """Whether it ended in a deal."""
        return bool(self.offers) and self.offers[-1].accepted is True


@dataclass
class Retraced:
    """The negotiation in a record.

    ``entries`` are those of the record; for a record without any, they are the offers and answers
    among its actions.
    """

    record: Mapping[str, Any]
    entries: list[dict[str, Any]] = field(default_factory=list)
    exchanges: dict[int, Exchange] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)

    def player(self, seat: int) -> str:
        """Return the name of a seat's player, or its letter if the record has no names."""
        bots = self.record.get("bots") or ()
        return str(bots[seat]) if seat < len(bots) else LETTERS[seat]


def retrace(record: Mapping[str, Any], location: Location = RECORD) -> Retraced:
    """Replay a record, and judge its offers and promises from the game alone.

    Raises: RecordError for a record that cannot be replayed, or entries that do not fit it.
    """
    negotiation = record.get("negotiation")
    entries = (
        _entries(negotiation, location / "negotiation")
        if negotiation
        else _from_actions(record, location)
    )
    tracer = _Tracer(Retraced(record, entries), location / "negotiation")
    steps = replay_steps(record, location)
    game, _ = next(steps)
    tracer.read_entries(0, game)
    before = (lot_before(game.state), waiting_terms(game.state))
    for count, (game, text) in enumerate(steps, 1):
        tracer.judge(count, game, str(text), *before)
        tracer.read_entries(count, game)
        before = (lot_before(game.state), waiting_terms(game.state))
    tracer.read_entries(None, game)
    return tracer.retraced


def _entries(negotiation: Mapping[str, Any], location: Location) -> list[dict[str, Any]]:
    if negotiation.get("format") != FORMAT:
        location.fail(
            f"has format {negotiation.get('format')!r}; this version reads format {FORMAT}"
        )
    entries = negotiation.get("entries")
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        (location / "entries").fail("must be a list of what was said and offered")
    return [dict(entry) for entry in entries]


def _from_actions(record: Mapping[str, Any], location: Location) -> list[dict[str, Any]]:
    """Extract offers and answers from the actions of a record without negotiation entries."""
    talks = Talks(NegotiationOptions())
    steps = replay_steps(record, location)
    game, _ = next(steps)
    actions = list(record["actions"])
    for text in actions:
        before = talks.before(game, game.id(text.partition(" ")[2]))
        game, _ = next(steps)
        talks.after(before, game)
    return talks.entries


class _Tracer:
    """Processes entries as the replay reaches them."""

    def __init__(self, retraced: Retraced, location: Location) -> None:
        self.retraced = retraced
        self._location = location
        self._ledger = Ledger()
        self._next = 0
        retraced.outcomes = self._ledger.outcomes

    def read_entries(self, count: int | None, game: Game) -> None:
        """Process the entries made after ``count`` actions; None: all remaining ones."""
        entries = self.retraced.entries
        while self._next < len(entries):
            entry = entries[self._next]
            if count is not None and entry.get("at", 0) > count:
                return
            here = self._location / f"entry {self._next + 1}"
            try:
                self._read(entry, count, game)
            except (KeyError, TypeError, ValueError) as problem:
                here.fail(f"cannot be read: {problem}")
            self._next += 1

    def _read(self, entry: dict[str, Any], count: int | None, game: Game) -> None:
        kind, by = entry["kind"], LETTERS.index(entry["by"])
        if kind == "promise":
            promise = read_promise(entry["promise"], by, game.players)
            self._ledger.add(promise, int(entry["at"]))
        elif kind in ("offer", "counter"):
            terms = read_terms({key: entry[key] for key in TERMS}, game.players, by)
            exchange = self.retraced.exchanges.setdefault(
                int(entry["chain"]), Exchange(int(entry["chain"]))
            )
            exchange.offers.append(
                Offer(terms, int(entry["step"]), int(entry["at"]), game.copy(), entry.get("chance"))
            )
        elif kind in ANSWERS and int(entry["chain"]) in self.retraced.exchanges:
            last = self.retraced.exchanges[int(entry["chain"])].offers[-1]
            last.accepted = kind == "accept"
            countered = waiting_terms(last.game.state) != last.terms
            if kind == "refuse" and countered and count is not None:
                self._ledger.observe(Moment(game, (), count, refused=last.terms))

    def judge(self, count: int, game: Game, text: str, lot: int, waiting: Terms | None) -> None:
        """Judge the promises by an action."""
        action = text.partition(" ")[2]
        struck = waiting if action == "accept" else None
        refused = waiting if action == "reject" else None
        events = tuple(game.journal())
        self._ledger.observe(Moment(game, events, count, lot, struck, refused))
