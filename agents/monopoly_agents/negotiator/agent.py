"""negotiator: plays like veteran, values deals by the learned value function, and negotiates."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from monopoly_agents.negotiator.offers import (
    LEAST,
    Plan,
    best_counter,
    best_offer,
    completes,
    goods,
    plans,
    with_cash,
)
from monopoly_env.agent import make_agent
from monopoly_env.engine.actions import IDS, KIND_OF, KINDS
from monopoly_env.engine.board import GROUP, NOBODY, SPACE_IDS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import Int8s
from monopoly_env.errors import AgentError
from monopoly_env.game import Game
from monopoly_env.negotiation.changes import changes
from monopoly_env.negotiation.negotiator import Talk
from monopoly_env.negotiation.promises import Kind, Promise
from monopoly_env.negotiation.statement import SILENT, Message, Statement
from monopoly_env.negotiation.talks import Occasion
from monopoly_env.negotiation.terms import Terms, may_offer, waiting_terms
from monopoly_env.notation import LETTERS
from monopoly_env.view import View

BASE = "veteran"
CONCESSION = 0.006  # extra gain that a partner is offered after each refusal
COUNTERS = 2  # counteroffers to a player per turn
AGAIN = 0.6  # factor on the acceptance probability for each refusal
HOLD = 2  # duration of a promise, in rounds
WINDOWS = (Phase.TURN, Phase.END, Phase.BETWEEN)


class NegotiatorAgent:
    """A bot that makes whole offers and counteroffers, gives reasons, and makes promises.

    An offer that completes a group comes with a promise not to build on it for some rounds, and a
    player who asks for a deed may be promised it at a price. ``honesty`` is the probability, drawn
    for each promise, that the bot intends to keep it; other promises are broken when that pays.

    Without negotiation, it plays like ``veteran`` and judges offers by the value function.
    """

    def __init__(self, honesty: float = 1.0) -> None:
        self.honesty = honesty
        self.name = "negotiator" if honesty == 1 else f"negotiator:{honesty:g}"
        self._base: Any = make_agent(BASE)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Start a new game."""
        self._base.reset(seed)
        self._rng = np.random.default_rng(seed)
        self._meant: list[Promise] = []  # promises that it intends to keep
        self._refused: Counter[int] = Counter()  # refusals by partner, since its last deal
        self._countered: Counter[int] = Counter()  # counteroffers by turn
        self._offered: set[tuple[int, Terms]] = set()  # offers made, with their turn
        # (deed, owner) pairs whose price it has asked for
        self._inquired: set[tuple[int, int]] = set()
        self._silent = -1  # the turn in which it found nothing to offer
        self._speaks = False

    # Deciding

    def decide(self, view: View) -> int:
        """Answer offers by their value; otherwise, play like veteran within its promises."""
        waiting = waiting_terms(view.record)
        if waiting is not None and view.game.phase is Phase.ANSWER:
            return IDS["accept" if self._accepts(view.game, waiting) else "reject"]
        mask = self._within_promises(view, view.mask)
        if self._speaks and view.game.phase in WINDOWS:
            mask = _without(mask, ("deal", "propose"))
        return int(self._base.decide(View(view.games, 0, view.edition, mask, view.events)))

    def _accepts(self, game: Game, waiting: Terms) -> bool:
        """Return whether to accept an offer, because of its value or a promise."""
        seat = waiting.partner
        for promise in self._meant:
            if promise.kind is Kind.SELL and promise.until > int(game.state["rounds"]):
                fits = waiting.ask == (promise.about,) and not waiting.give
                if fits and waiting.proposer == promise.to and -waiting.cash >= promise.price:
                    return True
        return bool(changes(game, [waiting])[0, seat] > LEAST)

    def _within_promises(self, view: View, mask: Int8s) -> Int8s:
        """Return the mask without actions that would break a promise it intends to keep."""
        now = int(view.record["rounds"]) + 1
        kept = mask.copy()
        for promise in self._meant:
            if promise.until < now:
                continue
            if promise.kind is Kind.NO_BUILD:
                for action in np.flatnonzero(kept).tolist():
                    text = view.game.text(action)
                    if text.startswith("build:") and _group_of(text) == promise.about:
                        kept[action] = 0
        return kept if kept.any() else mask

    # Speaking

    def negotiate(self, talk: Talk) -> Statement:
        """Make or counter an offer, or answer a message."""
        self._speaks = True
        self._hear(talk)
        game, seat = talk.view.game, talk.view.seat
        if talk.occasion is Occasion.REPLY:
            return self._reply(talk, game, seat)
        if game.phase is Phase.ANSWER:
            return self._counter(talk, game)
        if game.phase in WINDOWS and self._silent != game.state["turns"]:
            return self._offer(talk, game, seat)
        return SILENT

    def takes(self, talk: Talk) -> bool:
        """Return whether to accept a counteroffer."""
        self._hear(talk)
        assert talk.counter is not None
        return self._accepts(talk.view.game, talk.counter)

    def _hear(self, talk: Talk) -> None:
        """Count refusals."""
        for entry in talk.new:
            if entry["to"] == LETTERS[talk.view.seat] and entry["kind"] in ("refuse", "accept"):
                other = LETTERS.index(entry["by"])
                self._refused[other] = 0 if entry["kind"] == "accept" else self._refused[other] + 1

    def _least(self, players: int) -> dict[int, float]:
        return {other: CONCESSION * self._refused[other] for other in range(players)}

    def _offer(self, talk: Talk, game: Game, seat: int) -> Statement:
        turn = int(game.state["turns"])
        partners = [
            other
            for other in range(game.players)
            if other != seat and talk.view.mask[game.id(f"deal:{LETTERS[other]}")]
        ]
        plan = best_offer(game, seat, partners, self._least(game.players)) if partners else None
        if plan is not None and not plan.terms.give and len(plan.terms.ask) == 1:
            deed, other = plan.terms.ask[0], plan.terms.partner
            if (deed, other) not in self._inquired:
                self._inquired.add((deed, other))
                return self._spoken(talk, other, f"What do you want for {_deed(game, deed)}?")
            plan = self._at_promised_price(talk, game, plan)
        if plan is None or (turn, plan.terms) in self._offered:
            self._silent = turn
            return SILENT
        self._offered.add((turn, plan.terms))
        promises = self._sweetener(talk, game, seat, plan)
        return self._statement(talk, plan, _pitch(game, plan), promises)

    def _at_promised_price(self, talk: Talk, game: Game, plan: Plan) -> Plan:
        """Return the offer to buy a deed at its promised price, if that is worthwhile."""
        (deed,), other = plan.terms.ask, plan.terms.partner
        for promise in self._open(talk):
            if (promise.by, promise.to, promise.about) == (other, plan.terms.proposer, deed):
                (promised,) = plans(game, [replace(plan.terms, cash=-promise.price)])
                if promise.kind is Kind.SELL and promised.mine > LEAST:
                    return plan if may_offer(game, promised.terms) else promised
        return plan

    def _sweetener(self, talk: Talk, game: Game, seat: int, plan: Plan) -> tuple[Promise, ...]:
        """Return a promise that sweetens a deal: not to build on the completed group."""
        done = [square for square in plan.terms.ask if completes(game, seat, square)]
        if not done or talk.promises_left < 1 or int(GROUP[done[0]]) >= 8:
            return ()
        group = int(GROUP[done[0]])
        if any(one.kind is Kind.NO_BUILD and one.about == group for one in self._open(talk)):
            return ()
        until = int(game.state["rounds"]) + 1 + HOLD
        return self._given(Promise(seat, plan.terms.partner, Kind.NO_BUILD, group, until))

    def _open(self, talk: Talk) -> list[Promise]:
        return [one.promise for one in talk.promises if one.status == "open"]

    def _given(self, promise: Promise) -> tuple[Promise, ...]:
        """Return a promise, intended to be kept or not."""
        if self._rng.random() < self.honesty:
            self._meant.append(promise)
        return (promise,)

    def _counter(self, talk: Talk, game: Game) -> Statement:
        waiting, turn = waiting_terms(game.state), int(game.state["turns"])
        if waiting is None or not talk.may_counter or self._countered[turn] >= COUNTERS:
            return SILENT
        if self._accepts(game, waiting):
            return SILENT
        plan = best_counter(game, waiting, self._least(game.players)[waiting.proposer])
        if plan is None:
            return SILENT
        self._countered[turn] += 1
        return self._statement(talk, plan, f"Not for that. {_pitch(game, plan)}")

    def _reply(self, talk: Talk, game: Game, seat: int) -> Statement:
        """Offer the last speaker a deed at a price, with a promise to sell at it."""
        spoken = [entry for entry in talk.new if entry["kind"] == "say"]
        if not spoken:
            return SILENT
        other, text = LETTERS.index(spoken[-1]["by"]), spoken[-1]["text"]
        lacking = [
            terms
            for terms in goods(game, seat, other)
            if terms.give and not terms.ask and terms.give[0] < 40
        ]
        named = [terms for terms in lacking if _deed(game, terms.give[0]) in text]
        sales = [
            priced
            for terms in named or lacking
            for priced in with_cash(game, terms)
            if priced.cash > 0
        ]
        good = [plan for plan in plans(game, sales) if plan.mine > LEAST and plan.theirs > 0]
        best = max(good, key=lambda plan: plan.mine, default=None)
        if best is None or talk.promises_left < 1:
            return self._spoken(talk, other, "Nothing of mine is for sale to you now.")
        deed, price = best.terms.give[0], best.terms.cash
        if any(one.about == deed for one in self._open(talk)):
            return SILENT
        until = int(game.state["rounds"]) + 1 + HOLD
        text = f"You can have {_deed(game, deed)} for {_money(game, price)} until round {until}."
        promise = self._given(Promise(seat, other, Kind.SELL, deed, until, price))
        said = self._spoken(talk, other, text)
        return Statement(said.messages, promise)

    def _statement(
        self, talk: Talk, plan: Plan, text: str, promises: tuple[Promise, ...] = ()
    ) -> Statement:
        said = self._spoken(talk, plan.terms.partner, text)
        chance = plan.chance * AGAIN ** self._refused[plan.terms.partner]
        return Statement(said.messages, promises, plan.terms, round(chance, 3))

    def _spoken(self, talk: Talk, to: int, text: str) -> Statement:
        """Return a message, if the word limits allow it."""
        words = len(text.split())
        of_message, of_game = talk.words
        return Statement((Message(to, text),)) if words <= min(of_message, of_game) else SILENT


def _without(mask: Int8s, kinds: tuple[str, ...]) -> Int8s:
    """Return the mask without some kinds of action, unless nothing is left."""
    kept = mask * ~np.isin(KIND_OF, [KINDS.index(kind) for kind in kinds])
    return kept.astype(np.int8) if kept.any() else mask


def _group_of(text: str) -> int:
    return int(GROUP[SPACE_IDS.index(text.partition(":")[2])])


def _pitch(game: Game, plan: Plan) -> str:
    """Return the message that accompanies an offer."""
    terms, names = plan.terms, game.edition.names
    you = [s for s in terms.give if s < 40 and completes(game, terms.partner, s)]
    me = [s for s in terms.ask if s < 40 and completes(game, terms.proposer, s)]
    reason = "It helps us both."
    if you and me:
        reason = f"You get all {names.group(int(GROUP[you[0]]))}, I get all {names.group(int(GROUP[me[0]]))}."
    elif you:
        reason = f"It completes {names.group(int(GROUP[you[0]]))} for you."
    elif me:
        reason = "The price is good."
    return f"{terms.text(names)}? {reason}"


def _deed(game: Game, square: int) -> str:
    return game.edition.names.space(square)


def _money(game: Game, amount: int) -> str:
    return game.edition.names.money(amount)


def by_honesty(text: str) -> NegotiatorAgent:
    """Create the bot ``negotiator:HONESTY``. Raises: AgentError."""
    try:
        honesty = float(text)
    except ValueError:
        honesty = float(NOBODY)
    if not 0 <= honesty <= 1:
        AgentError.at(f"negotiator:{text}").fail(
            "must have a chance from 0 to 1, as negotiator:0.5"
        )
    return NegotiatorAgent(honesty)
