"""A game that people play: its rules, its record on disk, and what each seat is told.

One lock guards all of it. Bots decide outside the lock, in a thread of the table, so that a slow
bot blocks nobody; its decision is played only if nothing has happened meanwhile.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from monopoly_env.agent import Agent, make_agent
from monopoly_env.engine.actions import IDS
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import FileError, InputError, in_words, one_line
from monopoly_env.game import Game, IllegalAction
from monopoly_env.notation import LETTERS, format_action
from monopoly_env.playing import GameLoop
from monopoly_env.records.files import encode_record
from monopoly_env.replay import replay_steps
from monopoly_env.view import View
from monopoly_training.common.files import write_atomic
from monopoly_training.matches.entrants import HUMAN
from monopoly_training.play.live_game import Course, asked
from monopoly_training.play.offers import Terms, steps_of, try_offer
from monopoly_training.play.store import RECORD, Line, Store
from monopoly_training.web.page_data import result_data

PASS = IDS["pass"]
ASK, PASSES = "ask", "pass"  # settings of set_windows


class Stale(InputError):  # noqa: N818 - what it says
    """A request from a page that shows an outdated state."""

    status = 409  # HTTP status of the response


class Person:
    """Placeholder agent for a person at a page, which is never asked."""

    def reset(self, seed: int) -> None:
        """Do nothing."""

    def decide(self, view: View) -> NoReturn:
        """Fail: people decide at their page."""
        raise AssertionError(f"{LETTERS[view.seat]} is a person")


class Table:
    """A game with its lock. Raises: FileError, RecordError for a folder that cannot be resumed."""

    def __init__(self, store: Store, make: Callable[[str], Agent] = make_agent) -> None:
        self.store, self.header = store, store.header
        self.changed = threading.Condition(threading.RLock())
        self.trouble = ""  # why a bot failed
        self.closed = False
        self._boot, self._version = secrets.token_hex(4), 0
        self._bells: set[Callable[[], object]] = set()
        self.agents = [Person() if name == HUMAN else make(name) for name in self.header.seats]
        self.asks: set[int] = set()  # people who want to be asked between the turns of others
        self.undos = 0
        self._replay(self._read())

    # --- loading ---

    def _read(self) -> list[str]:
        """Return the moves in the file, without those taken back."""
        moves: list[str] = []
        for line in self.store.lines():
            if line.kind == "move":
                moves.append(line.text)
            elif line.kind == "undo":
                del moves[line.number :]
                self.undos += 1
            else:
                self._set_windows(line.number, line.text == ASK)
        return moves

    def _replay(self, moves: Sequence[str]) -> None:
        """Replay the game from its start."""
        location = FileError.at(self.store.path)
        game, _ = next(replay_steps(self.header.start, location, check=False))
        self.loop = GameLoop(game, self.agents, game.seed or 0)
        self.course = Course(game)
        self.loop.begin()
        for number, text in enumerate(moves):
            letter, _, action = text.partition(" ")
            if letter != self.game.actor:
                location.fail(f"move {number + 1}: {text}, but {self.game.actor} decides")
            try:
                self._apply(action)
            except IllegalAction as problem:
                location.fail(f"move {number + 1}: {problem}")

    @property
    def game(self) -> Game:
        """The game itself; use it only under the lock."""
        return self.loop.game

    @property
    def stamp(self) -> str:
        """Where the game stands: the number of undos and of moves."""
        return f"{self.undos}.{len(self.course) - 1}"

    # --- actions ---

    def check_current(self, stamp: str, seats: Iterable[int]) -> None:
        """Raise Stale if the page shows an earlier moment, InputError for a wrong seat."""
        if stamp != self.stamp:
            Stale.at("move").fail("the game has gone on since; look at the board again")
        if self.game.over:
            InputError.at("move").fail("the game is over")
        if self.game.actor_seat not in set(seats):
            InputError.at("move").fail(f"{self.game.actor} decides now, not you")

    def play(self, seats: Iterable[int], stamp: str, actions: Sequence[str]) -> None:
        """Play one or more actions of a person; all of them, or none.

        Raises: Stale, InputError; then nothing has changed.
        """
        with self.changed:
            self.check_current(stamp, seats)
            self._try(actions)
            self.do(actions)

    def offer(self, seats: Iterable[int], stamp: str, terms: Terms) -> None:
        """Make a whole offer. Raises: Stale, InputError; then nothing has changed."""
        with self.changed:
            self.check_current(stamp, seats)
            problem = try_offer(terms, self.game)["problem"]
            if problem:
                InputError.at("deal").fail(problem)
            self.do(steps_of(terms, self.game))

    def _try(self, actions: Sequence[str]) -> None:
        """Try actions on a copy. Raises: InputError if one is not legal."""
        trial, seat = self.game.copy(), self.game.actor_seat
        if not actions:
            InputError.at("move").fail("name an action")
        for text in actions:
            if trial.actor_seat != seat:
                InputError.at(text).fail(f"{trial.actor or 'nobody'} decides by then")
            try:
                trial.play(text)
            except IllegalAction as problem:
                InputError.at(text).fail(str(problem.reason))

    def do(self, actions: Sequence[str]) -> None:
        """Save the actor's actions, then apply them."""
        first = len(self.course) - 1
        letter = self.game.actor
        lines = [Line("move", first + k, f"{letter} {text}") for k, text in enumerate(actions)]
        self.store.append(*lines)
        for text in actions:
            self._apply(text)
        if self.game.over:
            self._end()
        self.ring()

    def _apply(self, text: str) -> None:
        number = self.game.id(text)
        self.loop.answer(number)
        self.course.note(self.game, number)

    def _end(self) -> None:
        """Save the record where monopoly-env replay can read it."""
        write_atomic(self.store.folder / RECORD, encode_record(self.record()))
        try:
            self.loop.finish()
        except Exception as problem:  # noqa: BLE001 - whatever a stranger's bot may raise
            self.trouble = one_line(in_words(problem))

    def record(self) -> dict[str, Any]:
        """Return the record. Raises: InputError during the game: it would reveal future dice."""
        with self.changed:
            if not self.game.over:
                InputError.at("record").fail("is given out when the game is over")
            return self.game.record(self.header.seats)

    def take_back(self, seats: Iterable[int], stamp: str) -> None:
        """Go back to these seats' last decision. Raises: Stale, InputError."""
        with self.changed:
            location = InputError.at("undo")
            if not self.header.practice:
                location.fail("this is not a practice game: moves cannot be taken back")
            if stamp != self.stamp:
                Stale.at("undo").fail("the game has gone on since; look at the board again")
            last = self._last_own(set(seats))
            if last is None:
                location.fail("there is nothing to take back")
            history = [self._move_text(one) for one in self.game.history[:last]]
            self.store.append(Line("undo", last))
            (self.store.folder / RECORD).unlink(missing_ok=True)
            self.undos += 1
            self.trouble = ""
            self._replay(history)
            self.ring()

    def _last_own(self, seats: set[int]) -> int | None:
        """Return the last move that one of these seats decided; None if there is none."""
        moves = reversed(range(len(self.course) - 1))
        return next((number for number in moves if self._is_own(number, seats)), None)

    def _is_own(self, number: int, seats: set[int]) -> bool:
        """Return whether one of these seats decided a move at its page."""
        seat, action = self.game.history[number]
        phase = self.course.phases[number]
        passed = phase is Phase.BETWEEN and action == PASS and seat not in self.asks
        return seat in seats and phase is not Phase.DEAL and not passed

    def _move_text(self, move: tuple[int, int]) -> str:
        """Return a move of the history as text, as in the file."""
        seat, action = move
        return f"{LETTERS[seat]} {format_action(action, seat, self.game.players)}"

    def set_windows(self, seat: int, ask: bool) -> None:
        """Set whether a person is asked between the turns of others."""
        with self.changed:
            self.store.append(Line("windows", seat, ASK if ask else PASSES))
            self._set_windows(seat, ask)
            self.ring()

    def _set_windows(self, seat: int, ask: bool) -> None:
        (self.asks.add if ask else self.asks.discard)(seat)

    # --- news ---

    def news(self, seats: Sequence[int], epoch: int, have: int) -> dict[str, Any]:
        """Return the news for a page that has the first ``have`` moments.

        ``epoch`` is the number of undos that the page knows; if there were more, it gets everything
        again.
        """
        with self.changed:
            first = have if epoch == self.undos and 0 <= have <= len(self.course) else 0
            game = self.game
            mine = game.actor_seat in seats and not self.passes_now()
            return {
                "version": self.version,
                "stamp": self.stamp,
                "epoch": self.undos,
                "from": first,
                "moments": self.course.moments[first:],
                "asked": asked(game) if mine else None,
                "cards": game.state["card_holder"].tolist(),
                "asks": sorted(self.asks & set(seats)),
                "undo": self.header.practice and self._last_own(set(seats)) is not None,
                "trouble": self.trouble,
                "result": result_data(game) if game.over else None,
            }

    @property
    def version(self) -> str:
        """Changes with everything that pages must hear."""
        return f"{self._boot}.{self._version}"

    def listen(self, bell: Callable[[], object]) -> Callable[[], None]:
        """Call ``bell``, from any thread, on every change; return a function that stops this."""
        with self.changed:
            self._bells.add(bell)
        return lambda: self._bells.discard(bell)

    def ring(self) -> None:
        """Announce a change."""
        with self.changed:
            self._version += 1
            self.changed.notify_all()
            for bell in tuple(self._bells):
                bell()

    # --- who is next ---

    def passes_now(self) -> bool:
        """Return whether the current decision is a pass for a person who wants no windows."""
        game = self.game
        seat = game.actor_seat
        return (
            game.phase is Phase.BETWEEN
            and self.header.seats[seat] == HUMAN
            and seat not in self.asks
            and bool(game.legal_mask()[PASS])
        )

    def is_bots(self) -> bool:
        """Return whether a bot decides next."""
        return not self.game.over and self.header.seats[self.game.actor_seat] != HUMAN

    def view(self) -> View:
        """Return the actor's view, with the events since its last decision."""
        found = self.loop.question()
        assert found is not None  # the game is not over
        return found

    def close(self) -> None:
        """Close the file and the bots."""
        with self.changed:
            self.closed = True
            self.ring()
            self.store.close()
        self.loop.close()
