"""The protocol of bots that negotiate, and how any bot is asked about a counter-offer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from monopoly_env.agent import Agent
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int8s
from monopoly_env.errors import InputError
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.negotiation.ledger import Outcome
from monopoly_env.negotiation.statement import Statement
from monopoly_env.negotiation.talks import Occasion, Plays, Question, Talks
from monopoly_env.negotiation.terms import Terms, answered
from monopoly_env.playing import ask
from monopoly_env.view import View


@dataclass(frozen=True)
class Talk:
    """The input of a negotiating bot.

    Attributes:
        view: the position as its seat may know it. If it does not decide, no action is legal.
        occasion: why it is asked.
        entries: everything said and offered so far that it may know, in order.
        new: the entries that it has not seen before.
        promises: the promises that it made, and those made to it or to all.
        words: the word limits: per message, and remaining in the game.
        counter: the counter-offer that it must answer, from the side of the player who made it.
    """

    view: View
    occasion: Occasion
    entries: Sequence[dict[str, Any]]
    new: Sequence[dict[str, Any]]
    promises: Sequence[Outcome]
    words: tuple[int, int]
    may_counter: bool
    promises_left: int
    counter: Terms | None = None


@runtime_checkable
class Negotiator(Protocol):
    """An Agent that can also speak.

    ``negotiate`` is called before each of its decisions, repeatedly until it says nothing, and when
    others speak to it. Its statements must be valid (:meth:`Talks.check`). ``takes`` answers a
    counter-offer.
    """

    def negotiate(self, talk: Talk) -> Statement:
        """Return what to say now."""

    def takes(self, talk: Talk) -> bool:
        """Return whether to accept the counter-offer ``talk.counter``."""


def view_of(
    game: Game, seat: int, mask: Int8s | None = None, events: Sequence[Happening] = ()
) -> View:
    """Return a seat's view; if another seat is deciding, no action is legal in it."""
    if seat != game.actor_seat:
        mask = np.zeros(N_ACTIONS, np.int8)
    view = View(game.state.reshape(1), 0, game.edition, mask, events)
    view.seat = seat
    return view


def talk_of(talks: Talks, game: Game, question: Question, events: Sequence[Happening]) -> Talk:
    """Return the input for the seat that is asked, and mark all entries as seen by it."""
    seat = question.seat
    talk = Talk(
        view=view_of(game, seat, None, events),
        occasion=question.occasion,
        entries=talks.seen_by(seat),
        new=talks.unheard(seat),
        promises=talks.promises_seen_by(seat),
        words=(talks.options.words, talks.words_left(seat)),
        may_counter=talks.options.counters,
        promises_left=talks.options.promises - len(talks.ledger.open_by(seat)),
        counter=talks.counter if question.occasion is Occasion.COUNTER else None,
    )
    talks.hear(seat)
    return talk


class Table(Plays, Protocol):
    """The game at which a bot is asked; stores the events that each seat has not seen yet."""

    unheard: list[list[Happening]]


def let_bot_speak(talks: Talks, table: Table, agent: Agent, question: Question) -> bool:
    """Let a bot speak or answer a counter-offer; return False once it is ready to choose an action.

    A bot that does not negotiate says nothing, and answers counter-offers as it answers offers.
    Raises: InputError for an invalid statement.
    """
    events = table.unheard[question.seat]
    if question.occasion is Occasion.COUNTER:
        talks.answer_counter(table, _takes(talks, table, agent, question))
        return True
    said = None
    if isinstance(agent, Negotiator):
        said = agent.negotiate(talk_of(talks, table.game, question, events))
        if not isinstance(said, Statement):
            InputError.at("negotiate").fail(f"must return a Statement, not {type(said).__name__}")
        talks.check(table.game, question.seat, said, question.occasion)
        talks.say(table.game, question.seat, said, question.occasion)
        if said.offer is not None:
            talks.offer(table, said.offer, said.chance)
    if question.occasion is Occasion.REPLY:
        talks.replied()
        return True
    return bool(said)


def _takes(talks: Talks, table: Table, agent: Agent, question: Question) -> bool:
    """Return whether a bot accepts the open counter-offer."""
    if isinstance(agent, Negotiator):
        return agent.takes(talk_of(talks, table.game, question, table.unheard[question.seat]))
    assert talks.counter is not None
    asked = answered(table.game, talks.counter)
    action = ask(agent, View.of(asked, table.unheard[question.seat]), asked.play)
    return asked.text(action) == "accept"
