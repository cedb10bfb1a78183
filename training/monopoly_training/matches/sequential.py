"""Play one game by asking every seat from Python, for bots of any kind and language.

A faulty bot cannot end a game. An illegal answer, or an error raised instead of an answer, is
counted, and the fallback rule of :mod:`monopoly_env.bots.fallback` plays an action that costs and
commits to nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env import interrupts
from monopoly_env.agent import Agent
from monopoly_env.bots.fallback import safe_action
from monopoly_env.engine.state import Int8s
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import in_words, show
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.playing import GameLoop, id_in
from monopoly_env.view import View
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.outcome import FAULTS, Outcome
from monopoly_training.models.card import ModelError
from monopoly_training.models.model_agent import ModelAgent

SILENT = ErrorLog(shows=False)
STREAMS = ("stdin", "stdout", "stderr")
MOST_FAULTS = 2**31 - 1  # upper limit of a fault count reported by a bot


class GuardedAgent:
    """Wraps a bot so that its faults do not end the game; counts decisions, faults and time.

    Args:
        agent: the bot.
        name: its name in errors and tables.
        where: the game, as errors name it, such as ``seed 7, seat B``.
        errors: receives the bot's errors.
        shared: whether the bot plays several games at once; its own fault counts are then ignored,
            because they belong to no single game.
    """

    def __init__(
        self,
        agent: Agent,
        name: str = "",
        where: str = "",
        errors: ErrorLog = SILENT,
        shared: bool = False,
    ) -> None:
        self.agent = agent
        self.name = name
        self.decisions = 0
        self.seconds = 0.0
        self._where, self._errors = where, errors
        self._illegal = self.crashed = 0
        self.doing = "before the game"
        self._shared = shared
        if not shared:
            self.guarded(self._hear_of_faults)
        self._before = self._own_faults()

    def _hear_of_faults(self) -> None:
        """Register for the faults of a bot that handles its own."""
        if hasattr(self.agent, "on_fault"):
            self.agent.on_fault = self._note

    def _own_faults(self) -> dict[str, int]:
        """Return the faults that the bot itself has counted so far."""
        if self._shared:
            return dict.fromkeys(FAULTS, 0)

        def read() -> dict[str, int]:
            counts = getattr(self.agent, "faults", None)
            found = {name: int(counts.get(name, 0)) if counts else 0 for name in FAULTS}
            return {name: min(max(count, 0), MOST_FAULTS) for name, count in found.items()}

        counts = self.guarded(read)
        return counts if isinstance(counts, dict) else dict.fromkeys(FAULTS, 0)

    def faults(self) -> tuple[int, ...]:
        """Return the fault counts of this game, in the order of FAULTS."""
        own = self._own_faults()
        here = {"illegal": self._illegal, "timed_out": 0, "crashed": self.crashed}
        return tuple(max(own[name] - self._before[name], 0) + here[name] for name in FAULTS)

    def _note(self, kind: str, what: str, problem: BaseException | None = None) -> None:
        """Report an error to the log."""
        where = ", ".join(part for part in (self._where, self.doing) if part)
        self._errors.note(self.name, where, f"{kind.replace('_', ' ')}: {what}", problem)

    def guarded(self, call: Callable[[], object]) -> object:
        """Call the bot and return its result; if it raises, count a fault and return None.

        A real interrupt propagates, even if the bot has caught it.
        """
        try:
            result = call()
        except BaseException as problem:
            if interrupts.is_real(problem):
                raise
            if isinstance(self.agent, ModelAgent) and isinstance(problem, ModelError):
                raise  # an invalid trained policy ends the run, with an error that names it
            self.crashed += 1
            self._note("crashed", in_words(problem), problem)
            result = None
        interrupts.check()
        return result

    def reset(self, seed: int) -> None:
        """Start a new game."""
        self.doing = "reset"
        self.guarded(lambda: self.agent.reset(seed))

    def decide(self, view: View) -> int:
        """Return the bot's answer if it is legal, otherwise a safe action."""
        mask, crashed, began = view.mask.copy(), self.crashed, time.perf_counter()
        self.doing = f"decision {self.decisions + 1}"
        answer = self.guarded(lambda: self.agent.decide(view))
        self.decisions += 1
        self.seconds += time.perf_counter() - began
        return self.settle(answer, mask, self.crashed == crashed)

    def settle(self, answer: object, mask: Int8s, answered: bool) -> int:
        """Return ``answer`` if it is legal, otherwise a safe action.

        ``answered`` is False if the bot raised an error, which has already been counted.
        """
        number = id_in(answer)
        if number is not None and 0 <= number < len(mask) and mask[number]:
            return number
        if answered:
            self._illegal += 1
            self._note("illegal", f"{shown(answer)} is not the id of a legal action")
        return safe_action(mask)

    def finish(self, game: Game) -> None:
        """Tell the bot that the game is over."""
        self.doing = "finish"

        def tell() -> None:
            finish = getattr(self.agent, "finish", None)
            if callable(finish):
                finish(game)

        self.guarded(tell)


@contextmanager
def same_surroundings() -> Iterator[None]:
    """Restore the working folder and the standard streams after a game.

    A bot may change them, but the paths of other bots and the program's output depend on them.
    """
    folder, streams = None, {name: getattr(sys, name) for name in STREAMS}
    with suppress(OSError):  # the folder may have been removed
        folder = Path.cwd()
    try:
        yield
    finally:
        for name, stream in streams.items():
            setattr(sys, name, stream)
        if folder is not None:
            with suppress(OSError):
                os.chdir(folder)


def ask_together(guarded: Sequence[GuardedAgent], views: Sequence[View]) -> list[int]:
    """Return the legal answers of one bot that decides in many games at once, by ``decide_many``.

    ``guarded`` wraps that bot in each of the games. If it raises, or returns the wrong number of
    answers, the fault counts in all of them.
    """
    first = guarded[0]
    masks = [view.mask.copy() for view in views]
    for one in guarded:
        one.doing = f"decision {one.decisions + 1}"
    crashed, began = first.crashed, time.perf_counter()
    answers = first.guarded(lambda: as_list(first.agent.decide_many(views)))  # type: ignore[attr-defined]
    seconds = (time.perf_counter() - began) / len(views)
    answered = first.crashed == crashed
    if not isinstance(answers, list) or len(answers) != len(views):
        # such an answer is legal nowhere, and is the one that the error shows
        answers = [answers] * len(views)
    settled = []
    for one, answer, mask in zip(guarded, answers, masks, strict=True):
        one.decisions += 1
        one.seconds += seconds
        one.crashed += not answered and one is not first
        settled.append(one.settle(answer, mask, answered))
    return settled


def as_list(answers: Any) -> list[Any]:
    """Convert a bot's answers (a list, an array or a tensor) to a list. Raises: TypeError."""
    return list(answers.tolist() if hasattr(answers, "tolist") else answers)


def shown(answer: object) -> str:
    """Format an answer as a short text, even if its own methods raise."""
    try:
        return show(answer)
    except BaseException as problem:
        if interrupts.is_real(problem):
            raise
        return f"an object of the class {type(answer).__name__}"


def play_sequentially(
    agents: Sequence[Agent],
    options: TableOptions,
    seed: int,
    keep: bool,
    names: Sequence[str] = (),
    errors: ErrorLog = SILENT,
) -> Outcome:
    """Play the game of a seed, one decision at a time; include its actions if ``keep``.

    ``names`` are the agents' names in ``errors``, by seat.
    """
    began = time.perf_counter()
    game = Game(options.editions().for_seed(seed), len(agents), seed)
    guarded = [
        GuardedAgent(agent, name, f"seed {seed}, seat {LETTERS[seat]}", errors)
        for seat, (agent, name) in enumerate(zip(agents, names or [""] * len(agents), strict=True))
    ]
    with same_surroundings():
        GameLoop(game, guarded, seed, skip_forced=options.skip_forced).play()
    return outcome_of(game, guarded, keep, time.perf_counter() - began)


def outcome_of(game: Game, agents: Sequence[GuardedAgent], keep: bool, wall: float) -> Outcome:
    """Return the outcome of a finished game."""
    rows = sorted(game.standings(), key=lambda row: row.player)
    return Outcome(
        ranks=tuple(row.rank for row in rows),
        worth=tuple(row.worth for row in rows),
        turns=int(game.state["turns"]),
        decisions=len(game.history),
        truncated=game.truncated,
        faults=tuple(agent.faults() for agent in agents),
        timed_decisions=tuple(agent.decisions for agent in agents),
        seconds=tuple(agent.seconds for agent in agents),
        wall=wall,
        actions=np.array([a for _, a in game.history], np.uint16) if keep else None,
    )
