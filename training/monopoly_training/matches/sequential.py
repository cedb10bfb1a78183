"""One game in which Python asks every seat: what bots of any kind and language can play in.

A bot can end no game but by the rules. An answer that is not legal, and one that does not come
because the bot raised an error, is counted, and settled by the rule of
:mod:`monopoly_env.bots.fallback`: nothing that costs or commits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from monopoly_env.agent import Agent
from monopoly_env.bots.fallback import safe_action
from monopoly_env.envs.options import TableOptions
from monopoly_env.game import Game
from monopoly_env.playing import GameLoop, is_legal
from monopoly_env.view import View
from monopoly_training.matches.outcome import FAULTS, Outcome


class GuardedAgent:
    """A bot whose faults end nothing; counts its decisions, its faults and the time it took."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.decisions = 0
        self.seconds = 0.0
        self._illegal = self._crashed = 0
        self._before = self._own_faults()

    def _own_faults(self) -> dict[str, int]:
        """What the bot itself has counted so far."""
        counts = getattr(self.agent, "faults", None)
        return {name: int(counts.get(name, 0)) if counts else 0 for name in FAULTS}

    def faults(self) -> tuple[int, ...]:
        """In the order of FAULTS, of this game."""
        own = self._own_faults()
        here = {"illegal": self._illegal, "timed_out": 0, "crashed": self._crashed}
        return tuple(own[name] - self._before[name] + here[name] for name in FAULTS)

    def _guarded(self, call: Callable[[], object]) -> object:
        """What a call of the bot returns; None, and a fault, if it raises an error."""
        try:
            return call()
        except (Exception, SystemExit):  # noqa: BLE001 - whatever a stranger's bot may raise
            self._crashed += 1
            return None

    def reset(self, seed: int) -> None:
        """A new game begins."""
        self._guarded(lambda: self.agent.reset(seed))

    def decide(self, view: View) -> int:
        """The bot's answer if it is legal, else a safe action."""
        mask, crashed, began = view.mask.copy(), self._crashed, time.perf_counter()
        answer = self._guarded(lambda: self.agent.decide(view))
        self.decisions += 1
        self.seconds += time.perf_counter() - began
        if is_legal(answer, mask):
            return int(answer)
        self._illegal += self._crashed == crashed  # an answer came, and it was wrong
        return safe_action(mask)

    def finish(self, game: Game) -> None:
        """The game is over."""
        finish = getattr(self.agent, "finish", None)
        if callable(finish):
            self._guarded(lambda: finish(game))


def play_sequentially(
    agents: Sequence[Agent], options: TableOptions, seed: int, keep: bool
) -> Outcome:
    """The game of a seed, one decision at a time; with its actions, if they are to be kept."""
    began = time.perf_counter()
    game = Game(options.load(), len(agents), seed)
    guarded = [GuardedAgent(agent) for agent in agents]
    GameLoop(game, guarded, seed, skip_forced=options.skip_forced).play()
    return outcome_of(game, guarded, keep, time.perf_counter() - began)


def outcome_of(game: Game, agents: Sequence[GuardedAgent], keep: bool, wall: float) -> Outcome:
    """The game in plain numbers."""
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
