"""Play many games in parallel for Python bots that decide in all of them at once.

Such a bot has ``decide_many(views)`` in addition to ``decide(view)``, so that a network in any
library makes one forward pass for all waiting games. The games are the same as those of
:mod:`.sequential`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from monopoly_env.agent import Agent
from monopoly_env.engine.state import Int64s
from monopoly_env.envs.options import TableOptions
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.playing import GameLoop
from monopoly_env.view import View
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.sequential import (
    GuardedAgent,
    ask_together,
    outcome_of,
    same_surroundings,
)

GAMES_TOGETHER = 64


def decides_many(entrant: Entrant, agent: Agent) -> bool:
    """Return whether a bot can decide in many games at once."""
    return entrant.model is None and callable(getattr(type(agent), "decide_many", None))


def can_play_together(seated: Sequence[Entrant], agents: Sequence[Agent]) -> bool:
    """Return whether these bots can play games in parallel, and one of them benefits.

    Python bots that decide one view at a time may keep state of their game, so they play one game
    at a time.
    """
    many = [decides_many(*pair) for pair in zip(seated, agents, strict=True)]
    ours = [entrant.policy is not None or entrant.model is not None for entrant in seated]
    return any(many) and all(map(max, many, ours))


class Table:
    """One of the games played in parallel. Its bots play one game after another."""

    def __init__(
        self, seated: Sequence[Entrant], agents: Sequence[Agent], names: Sequence[str]
    ) -> None:
        self.shared = [decides_many(*pair) for pair in zip(seated, agents, strict=True)]
        self.agents = [
            agent if shared else entrant.new_agent()
            for entrant, agent, shared in zip(seated, agents, self.shared, strict=True)
        ]
        self.names = names
        self.number = -1  # index of the current seed
        # the pending view of a shared bot; None when the game is over
        self.view: View | None = None

    def begin(self, number: int, seed: int, options: TableOptions, errors: ErrorLog) -> None:
        """Start the game of a seed and play to the first decision of a shared bot."""
        self.number = number
        self.guarded = [
            GuardedAgent(agent, name, f"seed {seed}, seat {LETTERS[seat]}", errors, shared)
            for seat, (agent, name, shared) in enumerate(
                zip(self.agents, self.names, self.shared, strict=True)
            )
        ]
        game = Game(options.editions().for_seed(seed), len(self.agents), seed)
        self.loop = GameLoop(game, self.guarded, seed, skip_forced=options.skip_forced)
        self._go_on()

    def take(self, action: int) -> None:
        """Play an action and continue to the next decision of a shared bot."""
        self.loop.answer(action)
        self._go_on()

    def _go_on(self) -> None:
        """Let the other bots decide until a shared bot is next or the game ends."""
        while (view := self.loop.question()) is not None and not self.shared[view.seat]:
            self.loop.answer(self.guarded[view.seat].decide(view))
        self.view = view

    def outcome(self, keep: bool) -> Outcome:
        """Return the outcome of the finished game."""
        self.loop.finish()
        return outcome_of(self.loop.game, self.guarded, keep, wall=0.0)


def play_together(
    seated: Sequence[Entrant],
    agents: Sequence[Agent],
    seeds: Int64s,
    options: TableOptions,
    keep: Callable[[int], bool],
    names: Sequence[str],
    errors: ErrorLog,
) -> Iterator[tuple[int, Outcome]]:
    """Play one game per seed; yield each seed's index and the game's outcome, as games end.

    ``agents`` and ``names`` are by seat, as in :func:`.sequential.play_sequentially`.
    """
    waiting = iter(enumerate(seeds.tolist()))
    tables = [Table(seated, agents, names) for _ in range(min(GAMES_TOGETHER, len(seeds)))]
    for table in tables:
        table.begin(*next(waiting), options, errors)
    while tables:
        for table in list(tables):
            while table.view is None:
                yield table.number, table.outcome(keep(table.number))
                following = next(waiting, None)
                if following is None:
                    tables.remove(table)
                    break
                table.begin(*following, options, errors)
        with same_surroundings():
            decide(tables)


def decide(tables: Sequence[Table]) -> None:
    """Let each shared bot decide at all tables that wait for it."""
    asked: dict[int, list[tuple[Table, GuardedAgent, View]]] = {}
    for table in tables:
        if table.view is not None:
            one = table.guarded[table.view.seat]
            asked.setdefault(id(one.agent), []).append((table, one, table.view))
    for questions in asked.values():
        those, guarded, views = zip(*questions, strict=True)
        for table, action in zip(those, ask_together(guarded, views), strict=True):
            table.take(action)
