"""One game in text: its questions, the answers, and their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from monopoly_env.bot_seeds import bot_seed
from monopoly_env.bots.fallback import safe_action
from monopoly_env.engine.journal import Event
from monopoly_env.engine.state import Int8s
from monopoly_env.envs.seating import agent_of
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.playing import is_legal
from monopoly_env.text.answers import Answer, explain, read_answer
from monopoly_env.text.decision_filter import Asks
from monopoly_env.text.numbered import Numbered
from monopoly_env.text.options import FALLBACKS, TextOptions
from monopoly_env.text.prompts import decision_text, result_text
from monopoly_env.text.rewards import Payments
from monopoly_env.text.table import Table

MODEL, FALLBACK = "model", "fallback"  # who chose an action
GO_ON = ("end_turn", "pass")
DICE = (Event.TURN, Event.THROW)
FAULTS = ("unreadable", "illegal", "questions")  # answers that were not played
COUNTED = (
    "decisions",  # questions to the seat; one answer may settle several
    "answers",
    "questions",  # why-questions among the answers
    "unreadable",  # answers that name no action
    "illegal",  # answers that name an action which is not legal
    "fallbacks",  # decisions made by the fallback
    "forced",  # single legal actions, played without asking
    "left",  # decisions made by the bot `rest`
)


class Episode:
    """A game between seats that are asked and bots, advanced from one question to the next.

    Attributes:
        table: the game, the bots, and the events that each seat has not seen yet.
        seat: the seat that is asked; at the end, the last one that was.
        numbered: the actions of the question; None when the episode is over.
        tries, questions: how many are left for this question.
        counts: the counts of COUNTED, by seat.
        rewards: the rewards since the last answer, by seat.
    """

    counted: tuple[str, ...] = COUNTED

    def __init__(
        self,
        table: Table,
        asked: Sequence[int],
        asks: Asks,
        payments: Payments,
        options: TextOptions,
    ) -> None:
        self.table = table
        self.asked = tuple(asked)
        self.options = options
        self.seat = self.asked[0]
        self.numbered: Numbered | None = None
        self.tries = self.questions = 0
        self.counts = {seat: Counter(dict.fromkeys(self.counted, 0)) for seat in asked}
        self.answers: list[dict[str, Any]] = []  # with their faults, for the record
        self.rewards = dict.fromkeys(asked, 0.0)
        self.gains = dict.fromkeys(asked, 0.0)
        self.notes = dict.fromkeys(asked, "")  # reply to the last answer: a fault or an explanation
        self.played: list[str] = []  # actions of the last answer
        self.by = ""
        self._asks = asks
        self._payments = payments
        self._passed_over: dict[int, frozenset[Any]] = {}  # offers that each seat passed over
        self._text = ""
        self._fallback = None if options.fallback in FALLBACKS else agent_of(options.fallback)
        if self._fallback is not None:
            self._fallback.reset(bot_seed(table.seed, self.seat))
        self._advance()

    @property
    def game(self) -> Game:
        """The game itself."""
        return self.table.game

    @property
    def is_done(self) -> bool:
        """Whether all seats that are asked are out."""
        out = self.game.state["out"]
        return all(out[seat] for seat in self.asked)

    @property
    def is_truncated(self) -> bool:
        """Whether a limit ended the game for the seats that are asked."""
        return self.game.truncated and not self.is_done

    def text(self) -> str:
        """Return the question, after the note about the last answer; at the end, the result."""
        note = self.notes[self.seat]
        shown = self._text if self.numbered else result_text(self.game, self.results())
        return f"{note}\n{shown}" if note else shown

    # Answers

    def take_answer(self, text: str) -> None:
        """Process an answer of the current seat, and record it with its outcome."""
        seat, counts, at = self.seat, dict(self.counts[self.seat]), len(self.game.history)
        self.answer(text)
        faults = [key for key in FAULTS if self.counts[seat][key] > counts[key]]
        row = {"at": at, "seat": LETTERS[seat], "answer": text, "by": self.by}
        if faults:
            row |= {"fault": faults[0], "note": self.notes[seat]}
        self.answers.append(row | {"played": list(self.played)})

    def answer(self, text: str) -> None:
        """Process an answer of the current seat, and play on to the next question.

        Several actions are played in order, as long as they are legal, the same seat is asked, and
        no dice have been thrown.
        """
        numbered = self.numbered
        if numbered is None:
            raise RuntimeError("the episode is over")
        seat = self.seat
        self.rewards = dict.fromkeys(self.asked, 0.0)
        self.played, self.by = [], ""
        self.counts[seat]["answers"] += 1
        self.notes[seat] = ""
        answer = read_answer(text, numbered, self.game)
        self.by = MODEL if answer.actions else ""
        actions = list(answer.actions) or self._handle_unusable(answer, numbered)
        while actions and self.seat == seat:
            action = actions.pop(0)
            if action not in numbered.by_text:
                self.notes[seat] = f"Not played: {explain(action, numbered, self.game)}."
                return
            self._play(numbered.by_text[action].action)
            numbered = self.numbered
            if numbered is None or any(e.kind in DICE for e in numbered.view.events):
                break
        if actions:
            self.notes[seat] = f"Not played: {', '.join(actions)}; the game went on before."

    def _play(self, action: int) -> None:
        """Play an action of the current seat."""
        text = self.game.text(action)
        self.played.append(text)
        if text in GO_ON and self.numbered is not None:
            self._passed_over[self.seat] = self.numbered.swaps
        self.table.mark_read(self.seat)
        self.table.take(action)
        self._settle()
        self._advance()

    def _handle_unusable(self, answer: Answer, numbered: Numbered) -> list[str]:
        """Return the actions to play for an answer without one; empty to ask the seat again."""
        seat = self.seat
        fault, note = answer.fault, answer.note
        if answer.why is not None:
            if self.questions > 0:
                self.questions -= 1
                self.counts[seat]["questions"] += 1
                self.notes[seat] = explain(answer.why, numbered, self.game)
                return []
            fault, note = "unreadable", "no question is left for this decision"
        self.counts[seat][fault] += 1
        self.tries -= 1
        if self.tries > 0:
            tries = f"{self.tries} tr{'ies' if self.tries > 1 else 'y'} left"
            self.notes[seat] = f"Not played: {note} ({tries})."
            return []
        self.counts[seat]["fallbacks"] += 1
        self.by = FALLBACK
        text = self._fallback_text(numbered)
        self.notes[seat] = f"Not played: {note}. {text} was chosen for you."
        return [text]

    def _fallback_text(self, numbered: Numbered) -> str:
        """Return the fallback action as text."""
        return self.game.text(self._chosen_by_fallback(numbered.view.mask))

    def _chosen_by_fallback(self, shown: Int8s) -> int:
        """Return the action that is played when no try is left."""
        if self._fallback is not None:
            answer = self._fallback.decide(self.table.view(shown))
            if is_legal(answer, shown):
                return int(answer)
        return int(shown.argmax()) if self.options.fallback == "first" else safe_action(shown)

    # Advancing

    def _advance(self) -> None:
        """Play forced actions and the bots' decisions, up to the next question or the end."""
        game = self.game
        self.numbered = None
        while not (game.over or self.is_done):
            seat, mask = game.actor_seat, game.legal_mask()
            forced = np.count_nonzero(mask) == 1
            if seat not in self.counts and not forced:
                self.table.let_bot_decide(mask)
            elif seat in self.counts and not forced and self._asks_seat(mask):
                return
            else:
                self.table.take(self._forced_or_rest(mask))
            self._settle()

    def _asks_seat(self, mask: Int8s) -> bool:
        """Ask the actor if the options say so; return whether it is asked."""
        shown = self._asks.offered(self.game.phase, mask)
        if shown is None:
            return False
        numbered = Numbered(self.table.view(shown))
        if self._is_stale(numbered.view.seat, numbered):
            return False
        self._ask(numbered, decision_text(numbered, self.options.detail))
        self._pay_decision(self.seat)
        return True

    def _ask(self, numbered: Numbered, text: str) -> None:
        """Ask a question to the seat of its view."""
        self.seat, self.numbered, self._text = numbered.view.seat, numbered, text
        self.tries, self.questions = self.options.tries, self.options.questions
        self.counts[self.seat]["decisions"] += 1

    def _is_stale(self, seat: int, numbered: Numbered) -> bool:
        """Return whether the only news are offers that the seat passed over last time."""
        if self.options.repeat_offers or not numbered.swaps:
            return False
        if any(choice.kind in ("build", "deal") for choice in numbered.choices):
            return False
        return self._passed_over.get(seat, frozenset()) >= numbered.swaps

    def _forced_or_rest(self, mask: Int8s) -> int:
        """Return a forced action, or the bot's decision for a seat that is not asked here."""
        left = self._asks.left(self.game.phase, mask)
        forced = np.count_nonzero(left) == 1
        if self.game.actor_seat in self.counts:
            self.counts[self.game.actor_seat]["forced" if forced else "left"] += 1
        return int(left.argmax()) if forced else self.table.choice_of_rest(left)

    # Rewards and results

    def _pay_decision(self, seat: int) -> None:
        """Pay a seat's reward since its last decision."""
        state, rules = self.game.state.reshape(1), self.game.edition.rules
        self._pay(seat, self._payments.at_decision(state, rules, seat))

    def _settle(self) -> None:
        """Pay the seats for which the game has ended."""
        game = self.game
        for seat in self.asked:
            if game.over or game.state["out"][seat]:
                due = self._payments.at_end(game.state.reshape(1), game.edition.rules, seat)
                self._pay(seat, due)

    def _pay(self, seat: int, amount: float) -> None:
        self.rewards[seat] += amount
        self.gains[seat] += amount

    def results(self) -> dict[str, dict[str, Any]]:
        """Return the result of each seat that is asked, by letter.

        ``rank``; ``win``: 1 for a win, a fraction for a tie, else 0; ``net_worth`` in $; ``gain``:
        the total reward; ``turns`` of the game; ``counts``.
        """
        winners = self.game.winners
        standings = {row.player: row for row in self.game.standings()}
        return {
            LETTERS[seat]: {
                "rank": standings[LETTERS[seat]].rank,
                "win": (LETTERS[seat] in winners) / max(1, len(winners)),
                "net_worth": standings[LETTERS[seat]].worth,
                "gain": self.gains[seat],
                "turns": int(self.game.state["turns"]),
                "counts": dict(self.counts[seat]),
            }
            for seat in self.asked
        }

    def info(self) -> dict[str, Any]:
        """Return the info dictionary; letters are seats."""
        numbered = self.numbered
        info: dict[str, Any] = {
            "seat": LETTERS[self.seat],
            "phase": self.game.phase.name,
            "legal_actions": [choice.text for choice in numbered.choices] if numbered else [],
            "tries_left": self.tries if numbered else 0,
            "questions_left": self.questions if numbered else 0,
            "played": list(self.played),
            "by": self.by,
            "note": self.notes[self.seat],
            "rewards": {LETTERS[seat]: reward for seat, reward in self.rewards.items()},
            "counts": dict(self.counts[self.seat]),
            "game_seed": self.table.seed,
        }
        return info if numbered else info | {"results": self.results()}
