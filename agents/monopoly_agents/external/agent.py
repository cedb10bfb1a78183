"""exec:CMD: a bot in any language, a program that speaks JSON lines. See docs/protocol.md.

Every decision gets an answer: a missing, late or illegal one is replaced by
:func:`monopoly_env.bots.fallback.safe_action` and counted.
"""

from __future__ import annotations

import dataclasses
import logging
import math
import os
import shlex
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monopoly_agents.external import protocol
from monopoly_agents.external.process import BotProcess, Crashed, Fault, OutOfStep, TimedOut
from monopoly_env import Game
from monopoly_env.bots.fallback import safe_action
from monopoly_env.errors import AgentError, Location, one_line, show
from monopoly_env.view import View

SCHEME = "exec:"
LONGEST = 86_400.0  # seconds
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Limits:
    """Limits on a program's time (seconds of wall-clock time) and restarts."""

    decision: float = 5.0  # per answer
    first: float = 10.0  # for the first answer of a process, including its startup
    game: float = 120.0  # for all answers of a game together
    restarts: int = 2  # new processes per game after the first
    log: str = ""  # file to which its standard error is appended


def parse_command(text: str) -> tuple[Limits, list[str]]:
    """Parse ``decision=5 log=bot.log python3 bot.py --fast`` into limits and the command's words.

    Words are split as in a shell. Raises: AgentError, one line.
    """
    location = AgentError.at(f"{SCHEME}{text}")
    if not text.isprintable():
        location.fail("must be one line of printable text")
    try:
        words = shlex.split(text)
    except ValueError as problem:
        location.fail(f"cannot be split into words: {problem}")
    given: dict[str, Any] = {}
    while words and "=" in words[0] and not words[0].startswith(("/", ".")):
        key, _, value = words.pop(0).partition("=")
        given[key] = _limit(key, value, location)
    if not words:
        location.fail("names no program, such as exec:python3 bot.py")
    if shutil.which(words[0]) is None:
        beside = not os.path.isabs(words[0]) and os.path.isfile(words[0])  # noqa: PTH113, PTH117
        remedy = f"; is it ./{words[0]}?" if beside else ""
        location.fail(f"there is no program {show(words[0])} that can be run{remedy}")
    return Limits(**given), words


def _limit(key: str, value: str, location: Location) -> float | int | str:
    """Parse the value of one limit."""
    known = [field.name for field in dataclasses.fields(Limits)]
    if key not in known:
        location.fail_unknown(key, "limit", known)
    if key == "log":
        return _log_file(value, location / key)
    try:
        number = int(value) if key == "restarts" else float(value)
    except ValueError:
        number = math.nan
    most = 1000 if key == "restarts" else LONGEST
    if not 0 <= number <= most or (key != "restarts" and number == 0):
        what = "a whole number" if key == "restarts" else "a number of seconds"
        (location / key).fail(f"must be {what} up to {most:g}, not {show(value)}")
    return number


def _log_file(path: str, location: Location) -> str:
    """Check that a log file can be written."""
    try:
        if Path(location.text(path)).is_fifo():
            location.fail("is a pipe, which may take nothing; name a file")
        Path(path).open("ab").close()
    except OSError as problem:
        location.fail(f"cannot be written: {problem.strerror}")
    return path


class ExternalAgent:
    """A program as a bot, for one game at a time and any number of games in sequence.

    ``faults`` counts the decisions made by the fallback rule: ``illegal`` answers (not a legal
    action, not JSON, too long), ``timed_out`` and ``crashed``. After a malformed answer, a timeout
    or a crash, the process is killed with its children. The next decision starts a new one, up to
    ``restarts`` times per game and only if the last one answered at all. Otherwise the fallback
    rule plays the rest of the game, counted as the last kind of fault.
    """

    def __init__(self, command: str) -> None:
        if os.name != "posix":
            raise AgentError(f"{SCHEME}{command}: bots in other programs need Linux or macOS")
        self.name = SCHEME + command
        self.limits, self._words = parse_command(command)
        self.faults: dict[str, int] = {"illegal": 0, "timed_out": 0, "crashed": 0}
        self._process: BotProcess | None = None
        self._number = 0
        self._logged: set[str] = set()  # kinds of fault that have been logged
        # called with the kind and a description
        self.on_fault: Callable[[str, str], object] | None = None
        self.reset(0)

    # --- a game ---

    def reset(self, seed: int) -> None:
        """Start a new game. A process that exited between games is not a fault."""
        self._seed = int(seed)
        self._spent = 0.0
        self._greeted = False
        self._final_fault: Fault | None = None  # why the fallback rule plays the rest of the game
        self._fault: str | None = None  # the fault of the last answer, reported to the program
        if self._process is not None and not self._process.discard_output():
            self._process = None
        self._reused = self._answered = self._process is not None
        self._starts = int(self._reused)

    def decide(self, view: View) -> int:
        """Return the program's answer, or the fallback action."""
        if self._final_fault is not None:
            return self._settle(view, self._final_fault)
        try:
            return self._ask(view)
        except Fault as fault:
            if self._reused and isinstance(
                fault, Crashed
            ):  # it was already exiting after the last game
                self._reused = False
                self._stop()
                return self.decide(view)
            return self._settle(view, fault)

    def finish(self, game: Game) -> None:
        """Send the result of the game to the program."""
        if self._process is not None and self._greeted:
            self._post(protocol.result(game))

    def close(self) -> None:
        """Send a goodbye, and end the process with its children."""
        if self._process is not None:
            self._process.say_goodbye(protocol.encode(protocol.BYE))
            self._process = None

    # --- one decision ---

    def _ask(self, view: View) -> int:
        """Ask the program for an action. Raises: Fault."""
        process = self._greet(view)
        allowed = self.limits.decision if self._answered else self.limits.first
        allowed = min(allowed, self.limits.game - self._spent)
        if allowed <= 0:
            raise TimedOut("its time for the game is used up")
        self._number += 1
        left = {"decision": round(allowed, 3), "game": round(self.limits.game - self._spent, 3)}
        question = protocol.decide(view, self._number, left, self._fault)
        self._fault = None
        began = time.monotonic()
        try:
            line = process.ask(protocol.encode(question), allowed)
        finally:
            self._spent += time.monotonic() - began
        self._reused = False
        try:
            action = protocol.read_answer(line, self._number)
        except protocol.NotAnAnswer as problem:
            raise OutOfStep(str(problem)) from None
        self._answered = True
        number = protocol.legal_id(action, view)
        if number is None:
            raise Fault(f"{show(action)}: {view.game.why(action)}")
        return number

    def _greet(self, view: View) -> BotProcess:
        """Return the process, started and greeted for this game if necessary."""
        if self._process is None:
            self._starts += 1
            self._greeted = self._answered = False
            try:
                self._process = BotProcess(self._words, self.limits.log or None)
            except OSError as problem:
                raise Crashed(f"it cannot be started: {problem.strerror or problem}") from None
        if not self._greeted:
            limits = {key: getattr(self.limits, key) for key in ("decision", "first", "game")}
            self._process.post(protocol.encode(protocol.hello(view, self._seed, limits)))
            self._greeted = True
        return self._process

    def _post(self, message: protocol.Message) -> None:
        """Send a message without an answer; a dead process is noticed at the next question."""
        if self._process is not None:
            try:
                self._process.post(protocol.encode(message))
            except Crashed:
                self._process = None

    # --- faults ---

    def _settle(self, view: View, fault: Fault) -> int:
        """Count a fault, stop the process if necessary, and return the fallback action."""
        action = safe_action(view.mask)
        self.faults[fault.kind] += 1
        self._fault = one_line(f"{fault}; {view.game.text(action)} was played")
        (self.on_fault or self._log)(fault.kind, self._fault)
        if self._final_fault is None and isinstance(fault, Crashed | TimedOut | OutOfStep):
            self._stop()
            out_of_time = self._spent >= self.limits.game
            if not self._answered or self._starts > self.limits.restarts or out_of_time:
                self._final_fault = fault
        return action

    def _log(self, kind: str, what: str) -> None:
        """Log the first fault of each kind, if there is no other handler."""
        if kind not in self._logged:
            self._logged.add(kind)
            log.warning("%s: %s %s (said once)", self.name, kind, what)

    def _stop(self) -> None:
        if self._process is not None:
            self._process.stop()
            self._process = None

    def __repr__(self) -> str:
        return f"ExternalAgent({self.name.removeprefix(SCHEME)!r})"
