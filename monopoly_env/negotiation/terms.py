"""Whole offers: parsing, formatting, conversion to actions, and putting one to a player."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from monopoly_env.editions import Names
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import CASH_STEPS, ITEM
from monopoly_env.engine.board import CARD_CHANCE, DEEDS, NOBODY
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.why import Why
from monopoly_env.errors import InputError, Location, show, suggest
from monopoly_env.events import listed
from monopoly_env.game import Game
from monopoly_env.negotiation.kernel import put_offer
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import members

KEYS = ("from", "to", "give", "ask", "give_cash", "ask_cash")
MOST_CASH = 10**6
LABELS = dict(zip(ITEM.values, ITEM.labels, strict=True))
ITEMS = {label: item for item, label in LABELS.items()}
HERE = InputError.at("offer")
# The phases in which deals can be made; DEAL and ANSWER occur within one of them.
WINDOWS = (Phase.TURN, Phase.END, Phase.BETWEEN, Phase.DEBT)


@dataclass(frozen=True)
class Terms:
    """A whole offer, from the proposer's side.

    ``give`` and ``ask`` are squares in ascending order; 40 and 41 are the Jail cards. ``cash`` in $
    is what the proposer receives; negative if it pays.

    >>> terms = read_terms({"to": "B", "ask": ["baltic"], "give_cash": 80}, players=2, proposer=0)
    >>> terms.cash, terms.as_dict()
    (-80, {'from': 'A', 'to': 'B', 'give': [], 'ask': ['baltic'], 'give_cash': 80, 'ask_cash': 0})
    """

    proposer: int
    partner: int
    give: tuple[int, ...] = ()
    ask: tuple[int, ...] = ()
    cash: int = 0

    def mirrored(self) -> Terms:
        """Return the same exchange, proposed by the other side."""
        return Terms(self.partner, self.proposer, self.ask, self.give, -self.cash)

    def as_dict(self) -> dict[str, Any]:
        """Return the offer as plain data, with seats by letter and deeds by id."""
        return {
            "from": LETTERS[self.proposer],
            "to": LETTERS[self.partner],
            "give": [LABELS[item] for item in self.give],
            "ask": [LABELS[item] for item in self.ask],
            "give_cash": max(-self.cash, 0),
            "ask_cash": max(self.cash, 0),
        }

    def text(self, names: Names, seat: int | None = None) -> str:
        """Return the offer in words: ``Baltic Avenue and $50 for Oriental Avenue``.

        For the partner's ``seat``, the words say what that seat gets and gives.
        """
        give, ask = _things(names, self.give, -self.cash), _things(names, self.ask, self.cash)
        if seat == self.partner:
            return f"you get {give}, you give {ask}"
        return f"{give} for {ask}"

    def actions(self, begun: Terms | None = None) -> list[str]:
        """Return the actions that compose and make the offer, as text.

        ``begun`` are the contents of the offer that is already being composed to the same partner;
        the actions continue it.
        """
        first = [f"deal:{LETTERS[self.partner]}"] if begun is None else []
        there = begun or Terms(self.proposer, self.partner)
        cash = self.cash - there.cash
        kind = "give_cash" if cash < 0 else "ask_cash"
        return [
            *first,
            *(f"ask:{LABELS[item]}" for item in self.ask if item not in there.ask),
            *(f"give:{LABELS[item]}" for item in self.give if item not in there.give),
            *(f"{kind}:{step}" for step in _steps(abs(cash))),
            "offer",
        ]


def _things(names: Names, items: Iterable[int], cash: int) -> str:
    parts = [names.space(item) if item < CARD_CHANCE else names.jail_card for item in items]
    return listed([*parts, *([names.money(cash)] if cash > 0 else [])]) or "nothing"


def _steps(amount: int) -> list[int]:
    """Return an amount of cash as steps of the action table, largest first."""
    steps = []
    for step in reversed(CASH_STEPS):
        count, amount = divmod(amount, step)
        steps += [step] * count
    return steps


def waiting_terms(state: Any) -> Terms | None:
    """Return the open offer of a GAME record; None if there is none."""
    return terms_in(state) if Phase(int(state["phase"])) is Phase.ANSWER else None


def terms_in(state: Any) -> Terms:
    """Return the contents of the offer in a GAME record that is in DEAL or ANSWER."""
    return Terms(
        int(state["proposer"]),
        int(state["partner"]),
        members(int(state["deal_give"])),
        members(int(state["deal_ask"])),
        int(state["deal_ask_cash"]) - int(state["deal_give_cash"]),
    )


# Reading


def read_terms(
    raw: object,
    players: int,
    proposer: int | None = None,
    names: Names | None = None,
    location: Location = HERE,
) -> Terms:
    """Return terms from data: ``to``, ``give``, ``ask``, ``give_cash`` and ``ask_cash``.

    ``give`` and ``ask`` are lists of deeds: ids, or names in the edition. ``proposer`` replaces
    ``from``.

    Raises: InputError, one line with the key.
    """
    given = location.mapping(raw, "key", KEYS)
    seat = _seat(given.get("from"), players, location / "from") if proposer is None else proposer
    partner = _seat(given.get("to"), players, location / "to")
    if partner == seat:
        (location / "to").fail("must be another player")
    give = _items(given.get("give"), names, location / "give")
    ask = _items(given.get("ask"), names, location / "ask")
    paid = (location / "give_cash").index(given.get("give_cash") or 0, 0, MOST_CASH)
    received = (location / "ask_cash").index(given.get("ask_cash") or 0, 0, MOST_CASH)
    if paid and received:
        (location / "ask_cash").fail("cash goes one way; give one of give_cash and ask_cash")
    return Terms(seat, partner, give, ask, received - paid)


def _seat(raw: object, players: int, location: Location) -> int:
    seat = LETTERS.find(raw.strip().upper()) if isinstance(raw, str) and raw.strip() else -1
    if not 0 <= seat < players:
        location.fail(f"must be a player, one of {', '.join(LETTERS[:players])}, not {show(raw)}")
    return seat


def _items(raw: object, names: Names | None, location: Location) -> tuple[int, ...]:
    if raw is None:
        return ()
    words = [raw] if isinstance(raw, str) else raw
    if not isinstance(words, list | tuple):
        location.fail(f"must be a list of deeds, such as ['baltic'], not {show(raw)}")
    return tuple(sorted({read_item(word, names, location) for word in words}))


def read_item(raw: object, names: Names | None, location: Location) -> int:
    """Return the square of a deed, or the number of a Jail card, from an id or a name."""
    known = ITEMS if names is None else {**names_of(names), **ITEMS}
    word = raw.strip() if isinstance(raw, str) else ""
    for key in (word, plain(word)):
        if key in known:
            return known[key]
    return location.fail(f"there is no deed {show(raw)}; {suggest(word, ITEMS)}")


def names_of(names: Names) -> dict[str, int]:
    """Return the squares of the deeds by their normalized names in an edition."""
    return {plain(names.space(square)): square for square in DEEDS}


def plain(name: str) -> str:
    """Return a name in lower case, with its words joined by underscores."""
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


# Putting offers to players


def may_offer(game: Game, terms: Terms) -> str:
    """Return why the actor cannot make an offer now; empty if it can. Changes nothing."""
    if game.actor_seat != terms.proposer:
        return f"{LETTERS[terms.proposer]} does not decide now"
    trial = game.copy()
    for action in terms.actions():
        reason = trial.why(action)
        if reason is not Why.OK:
            return f"{action}: {reason}"
        trial.play(action)
    return ""


def may_counter(game: Game, terms: Terms) -> str:
    """Return why a counter-offer could not be accepted; empty if it could. Changes nothing.

    ``terms`` are those of the seat that answers now. If the other side accepts, it makes them as
    its own offer in the same window, which counts against the rules' limit.
    """
    waiting = waiting_terms(game.state)
    if waiting is None or waiting.partner != terms.proposer:
        return "no offer waits for an answer"
    if terms.partner != waiting.proposer:
        return f"the offer is {LETTERS[waiting.proposer]}'s; counter to that player"
    if terms.mirrored() == waiting:
        return "these are the terms that were offered; accept them"
    trial = game.copy()
    trial.play("reject")
    return may_offer(trial, terms.mirrored())


def at_window(game: Game) -> Game:
    """Return a copy of a game in which any offer in progress is cancelled or refused.

    Raises: InputError if no deal can be made in this phase.
    """
    copied = game.copy()
    if copied.phase is Phase.ANSWER:
        copied.play("reject")
    elif copied.phase is Phase.DEAL:
        copied.play("cancel")
    if copied.phase not in WINDOWS:
        HERE.fail(
            f"deals are struck in windows and in debt, not at {copied.phase.name}; give a position "
            "whose decision is TURN, END, BETWEEN or DEBT"
        )
    return copied


def answered(game: Game, terms: Terms) -> Game:
    """Return a copy of a game in which an offer awaits its answer, regardless of whose turn it is.

    It replaces an open offer. Raises: InputError with the reason if the offer is impossible.
    """
    waiting = waiting_terms(game.state)
    if waiting == terms:
        return game.copy()
    copied = at_window(game)
    if copied.phase is Phase.DEBT and terms.proposer != copied.actor_seat:
        HERE.fail(f"{copied.actor} is in debt, and makes the offers")
    give, ask = (sum(1 << item for item in items) for items in (terms.give, terms.ask))
    reason = Why(
        put_offer(
            copied.state.reshape(1),
            copied.edition.rules,
            entry_points.NO_JOURNALS,
            terms.proposer,
            terms.partner,
            give,
            ask,
            terms.cash,
        )
    )
    if reason is not Why.OK:
        HERE.fail(f"{terms.text(copied.edition.names)}: {reason}")
    return Game.from_record(copied.state.reshape(1), copied.edition)


def terms_of(game: Game, offer: Terms | Mapping[str, Any] | None) -> Terms:
    """Return an offer as Terms, from data or (None) the open offer. Raises: InputError."""
    if isinstance(offer, Terms):
        return offer
    if offer is not None:
        actor = None if "from" in offer else game.actor_seat
        return read_terms(offer, game.players, actor, game.edition.names)
    waiting = waiting_terms(game.state)
    if waiting is None or waiting.proposer == NOBODY:
        HERE.fail("none waits for an answer in this position; give one")
    return waiting
