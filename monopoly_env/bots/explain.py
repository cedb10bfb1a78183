"""Explanations of the legal actions, for people and language models."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from monopoly_env.editions import Names
from monopoly_env.engine.actions import ACTIONS, ARGUMENTS, Action
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.view import Offer, View

MEANING: dict[tuple[str, Phase], Action] = {
    (row.name, phase): row for row in ACTIONS for phase in row.phases
}

# Actions that change the actor's cash at once, and the reason of that payment.
PAID_FOR: dict[str, Reason] = {
    "buy": Reason.PRICE,
    "build": Reason.BUILDING,
    "sell": Reason.BUILDING,
    "sell_group": Reason.BUILDING,
    "mortgage": Reason.MORTGAGE,
    "lift": Reason.LIFT,
    "keep": Reason.INTEREST,
    "jail_pay": Reason.FINE,
    "tax_flat": Reason.TAX,
    "tax_percent": Reason.TAX,
}


@dataclass(frozen=True)
class Choice:
    """One legal action, explained."""

    action: int
    text: str  # build:boardwalk
    kind: str  # build
    label: str  # boardwalk; empty without an argument
    shown: str  # Boardwalk
    meaning: str  # build on Boardwalk
    effect: str  # pay $200; empty if not known in advance


def choices(view: View) -> list[Choice]:
    """Return all legal actions in the order of their ids, explained in the edition's names."""
    offers = {offer.action: offer for offer in view.menu}
    legal: list[int] = view.mask.nonzero()[0].tolist()
    return [
        _choice(view, action, text, offers)
        for action, text in zip(legal, view.legal_actions, strict=True)
    ]


def by_kind(explained: Iterable[Choice]) -> list[tuple[str, list[Choice]]]:
    """Return choices grouped by kind of action, in the order of their ids."""
    return [(kind, list(rows)) for kind, rows in groupby(explained, lambda row: row.kind)]


def _choice(view: View, action: int, text: str, offers: dict[int, Offer]) -> Choice:
    kind, _, label = text.partition(":")
    names = view.edition.names
    if action in offers:
        shown = offer_text(offers[action], names)
        return Choice(action, text, kind, label, shown, f"offer {shown}", "")
    shown = _shown(kind, label, names)
    meaning = MEANING[kind, Phase(int(view.record["phase"]))].text.replace("{}", shown)
    return Choice(action, text, kind, label, shown, meaning, _effect(view, action, kind, label))


def _shown(kind: str, label: str, names: Names) -> str:
    """Return an argument in the edition's names."""
    argument = ARGUMENTS[kind]
    if not label:
        return ""
    if argument.name == "seat":
        return f"{label} ({names.token(LETTERS.index(label))})"
    value = argument.values[argument.labels.index(label)]
    if argument.name == "step":
        return names.money(value)
    return names.group(value) if argument.name == "group" else names.space(value)


def offer_text(offer: Offer, names: Names) -> str:
    """Return a complete offer: ``B Baltic Avenue and $50 for Oriental Avenue``."""
    give = [names.space(square) for square in offer.give]
    ask = [names.space(square) for square in offer.ask]
    if offer.cash:
        (ask if offer.cash > 0 else give).append(names.money(abs(offer.cash)))
    return f"{LETTERS[offer.partner]} {_listed(give)} for {_listed(ask)}"


def _listed(parts: list[str]) -> str:
    return " and ".join(parts) or "nothing"


def _effect(view: View, action: int, kind: str, label: str) -> str:
    """Return the immediate cost or gain of an action."""
    names, record = view.edition.names, view.record
    if kind == "raise":
        standing = int(record["bid"]) if record["high_bidder"] != NOBODY else 0
        return f"a bid of {names.money(standing + int(label))}"
    if kind == "open":
        return f"a bid of {names.money(record['opening'])}"
    if kind not in PAID_FOR:
        return ""
    gain = _trial_gain(view, action, PAID_FOR[kind])
    if gain == 0:
        return ""
    return f"{'receive' if gain > 0 else 'pay'} {names.money(abs(gain))}"


def _trial_gain(view: View, action: int, reason: Reason) -> int:
    """Return what the actor receives for a reason if the action is played on a copy."""
    twin = Game.from_record(view.games, view.edition, journal=True)
    twin.play(action)
    gain = 0
    for event in twin.journal():
        if event.kind == Event.PAY and event.square == reason:
            gain += event.amount * ((event.other == view.seat) - (event.player == view.seat))
    return gain
