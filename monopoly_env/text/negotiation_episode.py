"""Text games with negotiation: messages, whole offers, counter-offers and promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from monopoly_env.agent import Agent
from monopoly_env.bots.explain import Choice
from monopoly_env.engine.actions import KIND_OF, KINDS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import Int8s
from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_env.negotiation.negotiator import let_bot_speak, view_of
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.statement import Statement
from monopoly_env.negotiation.talks import Occasion, Question, Talks
from monopoly_env.negotiation.terms import WINDOWS
from monopoly_env.text.answers import Answer, read_answer
from monopoly_env.text.episode import COUNTED, MODEL, Episode
from monopoly_env.text.numbered import Numbered
from monopoly_env.text.prompts import decision_text, position_text
from monopoly_env.text.table import Table
from monopoly_env.text.talk_reading import entry_lines, promise_lines, read_said
from monopoly_env.view import View

SAID = ("messages", "promises", "offers", "counters")  # additional counts
OFFERS = ("deal", "propose")  # kinds of action that spoken offers replace
SILENT, TAKE, REFUSE = "silent", "take", "refuse"
CHOICES = {
    Occasion.REPLY: ((SILENT, "say nothing more"),),
    Occasion.COUNTER: ((TAKE, "accept the counter-offer"), (REFUSE, "refuse it")),
}
QUESTIONS = {
    Occasion.REPLY: "you may reply, or say nothing.",
    Occasion.COUNTER: "a counter-offer waits for your answer.",
}
NOT_AN_ACTION = -1  # the id of a choice that is not an action of the game


class NegotiatedTable(Table):
    """A table that records the effects of actions on the negotiation."""

    def __init__(
        self,
        game: Game,
        bots: Mapping[int, Agent],
        rest: Agent,
        seed: int,
        options: NegotiationOptions,
    ) -> None:
        super().__init__(game, bots, rest, seed)
        self.talks = Talks(options)

    def take(self, action: int) -> None:
        """Play an action, and record its effects."""
        before = self.talks.before(self.game, action)
        super().take(action)
        self.talks.after(before, self.game)


class SpokenChoices(Numbered):
    """The choices of a question outside the rules: to reply, or to answer a counter-offer."""

    def __init__(self, view: View, occasion: Occasion) -> None:
        super().__init__(view)
        self.choices = [
            Choice(NOT_AN_ACTION, text, text, "", "", meaning, "")
            for text, meaning in CHOICES[occasion]
        ]
        self.by_text = {choice.text: choice for choice in self.choices}


class NegotiatedEpisode(Episode):
    """An episode in which answers may speak. ``occasion`` says why the seat is asked."""

    table: NegotiatedTable
    counted = (*COUNTED, *SAID)
    occasion = Occasion.MOVE

    @property
    def talks(self) -> Talks:
        """The negotiation of the game."""
        return self.table.talks

    # Answers

    def answer(self, text: str) -> None:
        """Process an answer, its words and its action; either both count or neither."""
        numbered, seat = self.numbered, self.seat
        if numbered is None:
            raise RuntimeError("the episode is over")
        try:
            said, acting = read_said(text, seat, self.game.players, self.game.edition.names)
            self._check(said, acting, numbered)
        except InputError as problem:
            note = str(problem).removeprefix("answer: ")
            return self._take_unusable(Answer(fault="illegal", note=note), numbered)
        if not said and self.occasion is Occasion.MOVE:
            return super().answer(acting)
        answer = read_answer(acting, numbered, self.game)
        if not said and not answer.actions:
            return self._take_unusable(answer, numbered)
        self._begin_answer(seat)
        self.by = MODEL
        self._speak(seat, said)
        if said.offer is not None:
            return self._offer(seat, said)
        if self.occasion is not Occasion.MOVE:
            return self._settle_question(answer.actions)
        if acting:
            self.counts[seat]["answers"] -= 1  # super() counts it
            return super().answer(acting)
        return self._advance()

    def _check(self, said: Statement, acting: str, numbered: Numbered) -> None:
        """Raise InputError if any part of an answer is not allowed."""
        location = InputError.at("answer")
        if not said:
            return
        if said.offer is not None and acting:
            location.fail("give an offer or an action, one of them")
        self.talks.check(self.game, self.seat, said, self.occasion)
        if acting:
            answer = read_answer(acting, numbered, self.game)
            if not answer.actions:
                location.fail(answer.note or "ask why by itself, without saying anything")

    def _begin_answer(self, seat: int) -> None:
        self.rewards = dict.fromkeys(self.asked, 0.0)
        self.played, self.by, self.notes[seat] = [], "", ""
        self.counts[seat]["answers"] += 1

    def _take_unusable(self, answer: Answer, numbered: Numbered) -> None:
        """Handle an unusable answer: ask the seat again, or play the fallback's choice."""
        self._begin_answer(self.seat)
        for text in self._handle_unusable(answer, numbered):
            if self.occasion is Occasion.MOVE:
                self._play(numbered.by_text[text].action)
            else:
                self._settle_question((text,))

    def _fallback_text(self, numbered: Numbered) -> str:
        """Return the fallback action; for spoken questions, silence or refusal."""
        if self.occasion is Occasion.MOVE:
            return super()._fallback_text(numbered)
        return SILENT if self.occasion is Occasion.REPLY else REFUSE

    def _play(self, action: int) -> None:
        """Play an action; a spoken choice among several actions is refused."""
        if action == NOT_AN_ACTION:
            self.notes[self.seat] = "Not played: a counter-offer is answered by itself."
            self.numbered = None
            return self._advance()
        return super()._play(action)

    def _speak(self, seat: int, said: Statement) -> None:
        """Record messages and promises."""
        self.counts[seat]["messages"] += len(said.messages)
        self.counts[seat]["promises"] += len(said.promises)
        self.talks.say(self.game, seat, said, self.occasion)

    def _offer(self, seat: int, said: Statement) -> None:
        """Make an offer, or counter the open one."""
        assert said.offer is not None
        is_counter = self.game.phase is Phase.ANSWER
        self.counts[seat]["counters" if is_counter else "offers"] += 1
        self.table.mark_read(seat)
        self.played = ["reject"] if is_counter else said.offer.actions()
        self.talks.offer(self.table, said.offer, said.chance)
        self._settle()
        self._advance()

    def _settle_question(self, chosen: Sequence[str]) -> None:
        """End a reply, or answer a counter-offer; words alone leave a counter-offer open."""
        if self.occasion is Occasion.REPLY:
            self.talks.replied()
        elif chosen:
            self.played = [chosen[0]]
            self.talks.answer_counter(self.table, chosen[0] == TAKE)
            self._settle()
        self._advance()

    # Advancing

    def _advance(self) -> None:
        """Play and negotiate, up to the next question to a seat that is asked, or the end."""
        game = self.game
        self.numbered, self.occasion = None, Occasion.MOVE
        while not (game.over or self.is_done):
            question = self.talks.question(game)
            seat, mask = question.seat, game.legal_mask()
            if question.occasion is not Occasion.MOVE:
                if seat in self.counts:
                    return self._ask_in_words(question)
                let_bot_speak(self.talks, self.table, self.table.bots[seat], question)
            elif np.count_nonzero(mask) == 1:
                self.table.take(self._forced_or_rest(mask))
            elif seat not in self.counts:
                if not let_bot_speak(self.talks, self.table, self.table.bots[seat], question):
                    self.table.let_bot_decide(mask)
            elif self._asks_seat(mask):
                return None
            else:
                self.table.take(self._forced_or_rest(mask))
            self._settle()
        return None

    def _ask_in_words(self, question: Question) -> None:
        """Ask a question outside the rules."""
        seat, occasion = question.seat, question.occasion
        nothing = np.zeros_like(KIND_OF, np.int8)
        view = view_of(self.game, seat, nothing, self.table.unheard[seat])
        numbered = SpokenChoices(view, occasion)
        asked = f"You decide ({occasion.name}): {QUESTIONS[occasion]}"
        lines = [position_text(view, self.options.detail), *self._talk_lines(seat), asked]
        self.occasion = occasion
        self._ask(numbered, "\n".join([*lines, *numbered.full_lines()]))
        self.talks.hear(seat)

    def _asks_seat(self, mask: Int8s) -> bool:
        """Ask the actor, with the talk since its last decision, and without offer steps."""
        steps = np.isin(KIND_OF, [KINDS.index(kind) for kind in OFFERS])
        shown = self._asks.offered(self.game.phase, mask)
        if shown is None:
            return False
        numbered = Numbered(self.table.view(np.where(steps, 0, shown).astype(np.int8)))
        seat, offers = numbered.view.seat, bool(mask[steps].any())
        lines = [*self._talk_lines(seat), decision_text(numbered, self.options.detail)]
        self._ask(numbered, "\n".join([*lines, *self._offer_lines(seat, offers)]))
        self._pay_decision(seat)
        self.talks.hear(seat)
        return True

    def _talk_lines(self, seat: int) -> list[str]:
        names = self.game.edition.names
        new = list(entry_lines(self.talks.unheard(seat), seat, names))
        known = self.talks.promises_seen_by(seat)
        return [
            *(["Said and offered since then:", *new] if new else []),
            *promise_lines(known, names),
        ]

    def _offer_lines(self, seat: int, may_offer: bool) -> list[str]:
        words = f"{self.talks.words_left(seat)} words left."
        if self.game.phase is Phase.ANSWER and self.talks.options.counters:
            return [f"You may counter. {words}"]
        if may_offer and self.game.phase in WINDOWS:
            left = int(self.game.state["offers_left"][seat])
            return [f"You may make an offer ({left} left this turn). {words}"]
        return []

    # Results

    def info(self) -> dict[str, Any]:
        """Return the info, with the occasion and the remaining words and offers."""
        info = super().info()
        return info | {
            "occasion": str(self.occasion.value),
            "words_left": self.talks.words_left(self.seat),
            "offers_left": int(self.game.state["offers_left"][self.seat]),
        }
