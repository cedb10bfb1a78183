"""The negotiation of one game: what is said, offered and promised, and who must answer.

It accompanies the game and is not part of it. Code that plays the game calls :meth:`Talks.before`
and :meth:`Talks.after` around each action. Offers are played through the ``take`` method of the
object that plays the game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_env.negotiation.chains import Chain, Chains
from monopoly_env.negotiation.ledger import Ledger, Moment, Outcome, lot_before
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.promises import EVERYBODY, letter_or_all, why_not
from monopoly_env.negotiation.statement import Statement
from monopoly_env.negotiation.terms import WINDOWS, Terms, may_counter, may_offer, waiting_terms
from monopoly_env.notation import LETTERS

FORMAT = 1
PRIVATE = ("chance",)  # keys that only the speaker may see
SAID = InputError.at("answer")


class Occasion(Enum):
    """The reason why a seat is asked."""

    MOVE = "move"  # it decides in the game, and may also speak
    REPLY = "reply"  # another seat has spoken to it
    COUNTER = "counter"  # it must answer a counter-offer


@dataclass(frozen=True)
class Question:
    """The seat that is asked next, and the reason."""

    seat: int
    occasion: Occasion


class Plays(Protocol):
    """An object that plays actions, such as a game loop."""

    game: Game

    def take(self, action: int) -> None:
        """Play the actor's action."""


@dataclass(frozen=True)
class Before:
    """Facts about a game before an action."""

    action: str
    actor: int
    lot: int
    waiting: Terms | None


class Talks:
    """The negotiation of one game.

    Attributes:
        options: the limits.
        entries: everything said, offered, answered and promised, in order, as in the record.
        ledger: the promises.
        counter: the open counter-offer, from the side of the player who made it.
    """

    def __init__(self, options: NegotiationOptions) -> None:
        self.options = options
        self.entries: list[dict[str, Any]] = []
        self.ledger = Ledger()
        self.counter: Terms | None = None
        self.heard: Counter[int] = Counter()  # number of entries shown, by seat
        self._chains = Chains()
        self._words: Counter[int] = Counter()
        self._rounds: Counter[tuple[int, int]] = Counter()  # by turn and seat
        self._replies: list[int] = []  # seats that may reply, in order
        self._actions = 0
        self._chance: float | None = None  # stated with the offer being made
        self._agreed = False  # an accepted counter-offer is being played

    # Questions

    def question(self, game: Game) -> Question:
        """Return who is asked next. The game must not be over."""
        if self._replies:
            return Question(self._replies[0], Occasion.REPLY)
        if self.counter is not None:
            return Question(self.counter.partner, Occasion.COUNTER)
        return Question(game.actor_seat, Occasion.MOVE)

    def words_left(self, seat: int) -> int:
        """Return how many words a seat may still say in this game."""
        return max(0, self.options.words_a_game - self._words[seat])

    # Speaking

    def check(self, game: Game, seat: int, said: Statement, occasion: Occasion) -> None:
        """Raise InputError, one line, for a statement that is not allowed now; changes nothing."""
        self._check_messages(game, seat, said)
        room = self.options.promises - len(self.ledger.open_by(seat))
        if len(said.promises) > room:
            (SAID / "promise").fail(f"at most {self.options.promises} may be open, {room} are left")
        for promise in said.promises:
            if reason := why_not(promise, game.state):
                (SAID / "promise").fail(f"{promise.kind}: {reason}")
        if said.offer is not None:
            if occasion is not Occasion.MOVE:
                (SAID / "offer").fail("offers are made where you decide in the game")
            self._check_offer(game, seat, said)

    def _check_messages(self, game: Game, seat: int, said: Statement) -> None:
        words = 0
        for message in said.messages:
            if message.words > self.options.words:
                limit = self.options.words
                (SAID / "say").fail(f"has {message.words} words; a message may have {limit}")
            if message.to != EVERYBODY and game.state["out"][message.to]:
                (SAID / "say").fail(f"{LETTERS[message.to]} is out of the game")
            words += message.words
        if words > self.words_left(seat):
            (SAID / "say").fail(f"has {words} words; you have {self.words_left(seat)} left")

    def _check_offer(self, game: Game, seat: int, said: Statement) -> None:
        terms = said.offer
        assert terms is not None
        here = SAID / "offer"
        if self.options.beliefs and said.chance is None:
            here.fail('needs the chance that it is accepted, such as "chance": 0.5')
        if game.phase is Phase.ANSWER:
            if not self.options.counters:
                here.fail("there are no counter-offers here; accept or reject")
            if seat != game.actor_seat:
                here.fail("another player answers now")
            if reason := may_counter(game, terms):
                here.fail(reason)
        elif reason := may_offer(game, terms):
            here.fail(reason)

    def say(self, game: Game, seat: int, said: Statement, occasion: Occasion) -> None:
        """Record messages and promises, and ask the addressees for replies if rounds are left."""
        for message in said.messages:
            self._words[seat] += message.words
            self._note(seat, "say", message.to, text=message.text)
        for promise in said.promises:
            number = self.ledger.add(promise, self._actions)
            self._note(seat, "promise", promise.to, number=number, promise=promise.as_dict())
        alone = said.offer is None  # with an offer, its answer is the reply
        if occasion is Occasion.MOVE and said.messages and alone and game.phase in WINDOWS:
            self._ask_for_replies(game, seat, said)

    def _ask_for_replies(self, game: Game, seat: int, said: Statement) -> None:
        turn = (int(game.state["turns"]), seat)
        if self._rounds[turn] >= self.options.rounds:
            return
        self._rounds[turn] += 1
        spoken_to = {message.to for message in said.messages}
        for left in range(1, game.players):
            other = (seat + left) % game.players
            if not game.state["out"][other] and spoken_to & {other, EVERYBODY}:
                self._replies.append(other)

    def replied(self) -> None:
        """Move on to the next seat that may reply."""
        self._replies.pop(0)

    # Offers

    def offer(self, plays: Plays, terms: Terms, chance: float | None) -> None:
        """Make a whole offer, or counter the open one.

        Call :meth:`check` first. A counter-offer refuses the offer, and the other side must answer
        it at once; if it accepts, the deal is played as an offer of that side.
        """
        if plays.game.phase is Phase.ANSWER:
            plays.take(plays.game.id("reject"))
            turn, players = int(plays.game.state["turns"]), plays.game.players
            chain = self._chains.offer(terms, turn, players)
            self._note_offer("counter", chain, terms, chance)
            self.counter = terms
            return
        self._chance = chance
        for action in terms.actions():
            plays.take(plays.game.id(action))

    def answer_counter(self, plays: Plays, accepted: bool) -> None:
        """Accept or refuse the open counter-offer."""
        terms, self.counter = self.counter, None
        assert terms is not None
        chain = self._chains.answer(accepted)
        self._note_answer(terms.partner, terms.proposer, chain, accepted)
        if not accepted:
            self._judge(Moment(plays.game, (), self._actions, refused=terms))
            return
        self._agreed = True
        for action in (*terms.mirrored().actions(), "accept"):
            plays.take(plays.game.id(action))
        self._agreed = False

    # Around each action

    def before(self, game: Game, action: int) -> Before:
        """Return the facts about a game that :meth:`after` needs, before an action."""
        state = game.state
        return Before(game.text(action), game.actor_seat, lot_before(state), waiting_terms(state))

    def after(self, before: Before, game: Game) -> None:
        """Record the effects of an action: offers, answers, and promises kept or broken."""
        self._actions += 1
        kind = before.action.partition(":")[0]
        terms = before.waiting
        struck = terms if kind == "accept" else None
        refused = terms if kind == "reject" else None
        if not self._agreed:
            if kind in ("offer", "propose"):
                made = waiting_terms(game.state)
                if made is not None:
                    turn = int(game.state["turns"])
                    chain = self._chains.offer(made, turn, game.players)
                    self._note_offer("offer", chain, made, self._chance)
                self._chance = None
            elif terms is not None and kind in ("accept", "reject"):
                chain_answered = self._chains.answer(kind == "accept")
                self._note_answer(before.actor, terms.proposer, chain_answered, kind == "accept")
        events = tuple(game.journal())
        self._judge(Moment(game, events, self._actions, before.lot, struck, refused))
        self._replies = [seat for seat in self._replies if not game.state["out"][seat]]

    def _judge(self, moment: Moment) -> None:
        for number in self.ledger.observe(moment):
            outcome = self.ledger.outcomes[number - 1]
            self._note(
                outcome.promise.by,
                str(outcome.status),
                outcome.promise.to,
                number=number,
                why=outcome.why,
            )

    # The log

    def _note(self, by: int, kind: str, to: int, **more: Any) -> None:
        row = {"at": self._actions, "by": LETTERS[by], "kind": kind, "to": letter_or_all(to)}
        self.entries.append({**row, **more})

    def _note_offer(self, kind: str, chain: Chain, terms: Terms, chance: float | None) -> None:
        more = {key: value for key, value in terms.as_dict().items() if key not in ("from", "to")}
        if chance is not None:
            more["chance"] = chance
        self._note(
            terms.proposer, kind, terms.partner, chain=chain.number, step=chain.steps, **more
        )

    def _note_answer(self, by: int, to: int, chain: Chain | None, accepted: bool) -> None:
        number, step = (chain.number, chain.steps) if chain is not None else (NOBODY, NOBODY)
        self._note(by, "accept" if accepted else "refuse", to, chain=number, step=step)

    def seen_by(self, seat: int, first: int = 0) -> list[dict[str, Any]]:
        """Return the entries that a seat may see, from number ``first`` on.

        Offers and answers are public. Messages and promises to one seat are visible to the two
        seats only, and beliefs only to their owner.
        """
        return [seen for entry in self.entries[first:] if (seen := _seen(entry, LETTERS[seat]))]

    def unheard(self, seat: int) -> list[dict[str, Any]]:
        """Return the entries that a seat has not been shown yet, except its own words."""
        return [
            entry
            for entry in self.seen_by(seat, self.heard[seat])
            if entry["by"] != LETTERS[seat] or entry["kind"] not in ("say", "promise")
        ]

    def hear(self, seat: int) -> None:
        """Mark all entries as shown to a seat."""
        self.heard[seat] = len(self.entries)

    def promises_seen_by(self, seat: int) -> list[Outcome]:
        """Return the promises that a seat made, or that were made to it or to all."""
        return [
            one
            for one in self.ledger.outcomes
            if seat in (one.promise.by, one.promise.to) or one.promise.to == EVERYBODY
        ]

    def as_record(self) -> dict[str, Any]:
        """Return the content of the key ``negotiation`` of a record."""
        return {
            "format": FORMAT,
            "options": self.options.as_dict(),
            "entries": [dict(entry) for entry in self.entries],
        }


def _seen(entry: dict[str, Any], letter: str) -> dict[str, Any] | None:
    """Return an entry as a seat may see it; None if it may not."""
    public = entry["kind"] in ("offer", "counter", "accept", "refuse")
    if not (public or entry["by"] == letter or entry["to"] in (letter, "all")):
        return None
    hidden = () if entry["by"] == letter else PRIVATE
    return {key: value for key, value in entry.items() if key not in hidden}
