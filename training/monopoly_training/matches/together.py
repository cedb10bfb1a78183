"""Many games side by side for bots in Python that decide in all of them at once.

Such a bot has ``decide_many(views)`` beside ``decide(view)``: a network in any library then costs
one forward pass for all games that wait for it. The games are those that :mod:`.sequential` plays.
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
    """Whether a bot can decide in many games at once."""
    return entrant.model is None and callable(getattr(type(agent), "decide_many", None))


def can_play_together(seated: Sequence[Entrant], agents: Sequence[Agent]) -> bool:
    """Whether games of these bots can be played side by side, and one of them gains by it.

    Bots in Python that decide one view at a time may remember a game: they play one game at a time.
    """
    many = [decides_many(*pair) for pair in zip(seated, agents, strict=True)]
    ours = [entrant.policy is not None or entrant.model is not None for entrant in seated]
    return any(many) and all(map(max, many, ours))


class Table:
    """One of the games that are played side by side; its bots play one game after the other."""

    def __init__(
        self, seated: Sequence[Entrant], agents: Sequence[Agent], names: Sequence[str]
    ) -> None:
        self.shared = [decides_many(*pair) for pair in zip(seated, agents, strict=True)]
        self.agents = [
            agent if shared else entrant.new_agent()
            for entrant, agent, shared in zip(seated, agents, self.shared, strict=True)
        ]
        self.names = names
        self.number = -1  # of the seed that is played
        self.view: View | None = None  # of the bot that decides next with others; None: it is over

    def begin(self, number: int, seed: int, options: TableOptions, errors: ErrorLog) -> None:
        """Begin the game of a seed, up to the first decision of a bot that decides in many."""
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
        """Play an action, up to the next decision of such a bot."""
        self.loop.answer(action)
        self._go_on()

    def _go_on(self) -> None:
        """Let the other bots decide, so that many games wait for the same one."""
        while (view := self.loop.question()) is not None and not self.shared[view.seat]:
            self.loop.answer(self.guarded[view.seat].decide(view))
        self.view = view

    def outcome(self, keep: bool) -> Outcome:
        """The game, which is over, in plain numbers."""
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
    """Play one game a seed; its number among the seeds and how it went, as games end.

    ``agents`` and ``names`` by seat, as in :func:`.sequential.play_sequentially`.
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
    """Let each bot decide at all tables that wait for it."""
    asked: dict[int, list[tuple[Table, GuardedAgent, View]]] = {}
    for table in tables:
        if table.view is not None:
            one = table.guarded[table.view.seat]
            asked.setdefault(id(one.agent), []).append((table, one, table.view))
    for questions in asked.values():
        those, guarded, views = zip(*questions, strict=True)
        for table, action in zip(those, ask_together(guarded, views), strict=True):
            table.take(action)
