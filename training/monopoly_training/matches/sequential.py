"""One game in which Python asks every seat: what bots of any kind and language can play in.

A bot can end no game but by the rules. An answer that is not legal, and one that does not come
because the bot raised an error, is counted, and settled by the rule of
:mod:`monopoly_agents.fallback`: nothing that costs or commits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from monopoly_agents.fallback import safe_action

from monopoly_env.agent import Agent
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int8s
from monopoly_env.envs.options import TableOptions
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.view import View
from monopoly_training.matches.outcome import FAULTS, Outcome


class Seat:
    """One bot at the table: its answers, what went wrong with them, the time they took."""

    def __init__(self, agent: Agent, watches: bool) -> None:
        self.agent = agent
        self.watches = watches  # wants to know what happened
        self.asked = 0
        self.seconds = 0.0
        self.events: list[Happening] = []
        self.illegal = self.crashed = 0
        self._before = self._own_faults()

    def _own_faults(self) -> dict[str, int]:
        """What the bot says of itself so far."""
        found = getattr(self.agent, "faults", None)
        return {name: int(found.get(name, 0)) if found else 0 for name in FAULTS}

    def faults(self) -> tuple[int, ...]:
        """In the order of FAULTS, of this game."""
        own = self._own_faults()
        here = {"illegal": self.illegal, "timed_out": 0, "crashed": self.crashed}
        return tuple(own[name] - self._before[name] + here[name] for name in FAULTS)

    def tell(self, what: Callable[[], object]) -> object:
        """Do something with the bot; an error of its own ends nothing."""
        try:
            return what()
        except (Exception, SystemExit):  # noqa: BLE001 - whatever a stranger's bot may raise
            self.crashed += 1
            return None

    def decide(self, game: Game, mask: Int8s) -> int:
        """A legal action."""
        view = View.of(game, self.events)
        view.mask = mask.copy()
        began, crashed = time.perf_counter(), self.crashed
        answer = self.tell(lambda: self.agent.decide(view))
        self.asked += 1
        self.seconds += time.perf_counter() - began
        self.events = []
        if isinstance(answer, int | np.integer) and 0 <= answer < N_ACTIONS and mask[answer]:
            return int(answer)
        self.illegal += self.crashed == crashed  # an answer came, and it was wrong
        return safe_action(mask)


def ask_game(
    agents: Sequence[Agent], watchers: Sequence[bool], options: TableOptions, seed: int, keep: bool
) -> Outcome:
    """Play the game of a seed. ``watchers``: which bots are told what happened meanwhile."""
    began = time.perf_counter()
    game = Game(options.load(), len(agents), seed, journal=any(watchers))
    seats = [Seat(*one) for one in zip(agents, watchers, strict=True)]
    for seat in seats:
        seat.tell(lambda agent=seat.agent: agent.reset(seed))  # type: ignore[misc]
    note(game, seats)
    while not game.over:
        mask = game.legal_mask()
        forced = options.skip_forced and np.count_nonzero(mask) == 1
        game.play(int(mask.argmax()) if forced else seats[game.actor_seat].decide(game, mask))
        note(game, seats)
    for seat in seats:
        finish = getattr(seat.agent, "finish", None)
        if callable(finish):
            seat.tell(lambda finish=finish: finish(game.copy()))  # type: ignore[misc]
    return outcome_of(game, seats, keep, time.perf_counter() - began)


def note(game: Game, seats: Sequence[Seat]) -> None:
    """Keep what has happened for those who want to know."""
    watchers = [seat for seat in seats if seat.watches]
    if watchers:
        happened = game.journal()
        for seat in watchers:
            seat.events += happened


def outcome_of(game: Game, seats: Sequence[Seat], keep: bool, wall: float) -> Outcome:
    """The game in plain numbers."""
    rows = sorted(game.standings(), key=lambda row: row.player)
    return Outcome(
        ranks=tuple(row.rank for row in rows),
        worth=tuple(row.worth for row in rows),
        turns=int(game.state["turns"]),
        decisions=len(game.history),
        truncated=game.truncated,
        faults=tuple(seat.faults() for seat in seats),
        asked=tuple(seat.asked for seat in seats),
        seconds=tuple(seat.seconds for seat in seats),
        wall=wall,
        actions=np.array([a for _, a in game.history], np.uint16) if keep else None,
    )
