"""Plays games, each in the fastest way that its line-up allows: compiled, batched or sequential."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np

from monopoly_env.agent import Agent
from monopoly_env.engine.state import Int8s, Int64s
from monopoly_env.envs.options import TableOptions
from monopoly_training.common.compile_notice import LoopKind
from monopoly_training.matches.batched import GAMES_AT_ONCE, BatchedGames
from monopoly_training.matches.compiled import CompiledGames
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.schedule import Batch, Match, Seating, by_seating
from monopoly_training.matches.sequential import play_sequentially

GameCounter = Callable[[int], None]  # takes how many games have ended since the last call


class Players:
    """The bots of a line-up, each made once, when it is first needed."""

    def __init__(self, line_up: Sequence[Entrant]) -> None:
        self.line_up = tuple(line_up)
        self._agents: dict[int, Agent] = {}

    def seated(self, seating: Seating) -> list[Entrant]:
        """Who sits where."""
        return [self.line_up[number] for number in seating]

    def agents(self, seating: Seating) -> list[Agent]:
        """The objects that decide in Python, by seat."""
        for number in seating:
            if number not in self._agents:
                self._agents[number] = self.line_up[number].new_agent()
        return [self._agents[number] for number in seating]

    def close(self) -> None:
        """No more games follow."""
        for agent in self._agents.values():
            close = getattr(agent, "close", None)
            if callable(close):
                close()
        self._agents.clear()


def loop_kind(line_up: Sequence[Entrant]) -> LoopKind:
    """How games of these bots are played: ``compiled``, ``batched`` or ``sequential``."""
    if all(entrant.policy is not None for entrant in line_up):
        return "compiled"
    if all(entrant.policy is not None or entrant.model is not None for entrant in line_up):
        return "batched"
    return "sequential"


def play_seating(
    players: Players,
    seating: Seating,
    seeds: Int64s,
    options: TableOptions,
    keep: Callable[[int], bool] = lambda _: False,
) -> Iterator[tuple[int, Outcome]]:
    """Play one game a seed; its number among the seeds and how it went, as games end.

    The outcome of game k has its actions if ``keep(k)`` says so. The same arguments give the same
    games.
    """
    options = replace(options, num_players=len(seating))
    seated = players.seated(seating)
    kind = loop_kind(seated)
    if kind == "batched":
        yield from _play_batched(seated, seeds, options, keep)
    elif kind == "compiled":
        compiled = CompiledGames(seated, options)
        for number, seed in enumerate(seeds.tolist()):
            yield number, compiled.play(seed, keep(number))
    else:
        agents = players.agents(seating)
        for number, seed in enumerate(seeds.tolist()):
            yield number, play_sequentially(agents, options, seed, keep(number))


def _play_batched(
    seated: Sequence[Entrant], seeds: Int64s, options: TableOptions, keep: Callable[[int], bool]
) -> Iterator[tuple[int, Outcome]]:
    """Play games side by side; those to be kept are played once more, to have all actions."""
    compiled = CompiledGames(seated, options)
    batched = BatchedGames(seated, options, min(GAMES_AT_ONCE, len(seeds)))
    for game in batched.play(seeds):
        outcome = game.outcome
        if keep(game.number):
            again = compiled.play(game.seed, True, game.external)
            outcome = replace(outcome, actions=again.actions)
        yield game.number, outcome


def play_batch(players: Players, batch: Batch, options: TableOptions, keep: int) -> list[Outcome]:
    """Play all games of a batch, in its order; the first ``keep`` with their actions."""
    outcomes: dict[int, Outcome] = {}
    for seating, rows in by_seating(batch.matches).items():
        seeds = np.array([batch.matches[row].seed for row in rows], np.int64)
        kept = [row < keep for row in rows]
        for number, outcome in play_seating(players, seating, seeds, options, kept.__getitem__):
            outcomes[rows[number]] = outcome
    return [outcomes[row] for row in range(len(batch.matches))]


# A whole schedule at once, for evaluations


@dataclass(frozen=True)
class Results:
    """How each game of a schedule went; row ``g`` is match ``g``."""

    ranks: Int8s  # [games, seats]: 1 is best, ties share a rank
    turns: Int64s  # player turns
    decisions: Int64s  # actions of all players
    truncated: Int8s  # 1: a limit ended the game, standings decided it
    illegal: Int64s  # [entrants]: illegal answers, settled by a rule

    @classmethod
    def blank(cls, games: int, seats: int) -> Results:
        """Room for the results of so many games."""
        return cls(
            ranks=np.zeros((games, seats), np.int8),
            turns=np.zeros(games, np.int64),
            decisions=np.zeros(games, np.int64),
            truncated=np.zeros(games, np.int8),
            illegal=np.zeros(seats, np.int64),
        )

    def note(self, row: int, seating: Seating, outcome: Outcome) -> None:
        """Fill in a match that has been played."""
        self.ranks[row] = outcome.ranks
        self.turns[row] = outcome.turns
        self.decisions[row] = outcome.decisions
        self.truncated[row] = outcome.truncated
        for number, faults in zip(seating, outcome.faults, strict=True):
            self.illegal[number] += faults[0]

    def by_entrant(self, matches: Sequence[Match]) -> Int8s:
        """The ranks by number in the line-up instead of by seat: int8[games, entrants]."""
        seatings = np.array([match.seating for match in matches])
        ranks = np.zeros_like(self.ranks)
        np.put_along_axis(ranks, seatings, self.ranks, axis=1)
        return ranks


def play_matches(
    line_up: Sequence[Entrant],
    matches: Sequence[Match],
    options: TableOptions,
    progress: GameCounter = lambda _: None,
) -> Results:
    """Play every match, with as many players as there are entrants.

    The same arguments give the same games.
    """
    results = Results.blank(len(matches), len(line_up))
    with closing(Players(line_up)) as players:
        for seating, rows in by_seating(matches).items():
            seeds = np.array([matches[row].seed for row in rows], np.int64)
            for number, outcome in play_seating(players, seating, seeds, options):
                results.note(rows[number], seating, outcome)
                progress(1)
    return results
