"""Plays the games of a schedule: compiled line-ups wholly compiled, others many games abreast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from monopoly_env.engine import table
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.state import Int8s, Int64s, new_games
from monopoly_env.envs.options import TableOptions
from monopoly_training.abreast import ABREAST, Abreast
from monopoly_training.lineup import Entrant
from monopoly_training.schedule import Match, Seating, by_seating

CHUNK = 64  # compiled games between two looks at the progress bar
Progress = Callable[[int], None]  # told how many games were finished since the last call


@dataclass(frozen=True)
class Results:
    """How each game of a schedule went; row ``g`` is match ``g``."""

    ranks: Int8s  # [games, seats]: the place of each seat, ties share it
    turns: Int64s  # player turns
    decisions: Int64s  # actions of all players
    truncated: Int8s  # 1: a limit ended the game, standings decided it
    illegal: Int64s  # [entrants]: illegal answers, replaced by random legal actions

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

    def by_entrant(self, matches: Sequence[Match]) -> Int8s:
        """The places by number in the line-up instead of by seat: int8[games, entrants]."""
        seatings = np.array([match.seating for match in matches])
        places = np.zeros_like(self.ranks)
        np.put_along_axis(places, seatings, self.ranks, axis=1)
        return places


def play_matches(
    line_up: Sequence[Entrant],
    matches: Sequence[Match],
    options: TableOptions,
    progress: Progress = lambda _: None,
) -> Results:
    """Play every match, with as many players as there are entrants.

    The same arguments give the same games.
    """
    options = replace(options, num_players=len(line_up))
    results = Results.blank(len(matches), len(line_up))
    for seating, indices in by_seating(matches).items():
        seated = [line_up[number] for number in seating]
        seeds = np.array([matches[index].seed for index in indices], np.int64)
        if all(entrant.policy is not None for entrant in seated):
            play_compiled(seated, seating, seeds, np.array(indices), options, results, progress)
        else:
            tables = Abreast(seated, options, min(ABREAST, len(seeds)))
            for done in tables.play(seeds):
                row = indices[done.number]
                results.ranks[row] = done.ranks
                results.turns[row] = done.turns
                results.decisions[row] = done.decisions
                results.truncated[row] = done.truncated
                progress(1)
            np.add.at(results.illegal, list(seating), tables.illegal)
    return results


def play_compiled(
    seated: Sequence[Entrant],
    seating: Seating,
    seeds: Int64s,
    rows: Int64s,
    options: TableOptions,
    results: Results,
    progress: Progress,
) -> None:
    """Play games of compiled policies, a chunk at a time."""
    players = len(seated)
    policies = [entrant.policy for entrant in seated]
    eight = tuple(policies + policies[-1:] * (PLAYERS - players))
    rules = options.load().rules
    illegal = np.zeros(PLAYERS, np.int64)
    for begin in range(0, len(seeds), CHUNK):
        part = slice(begin, begin + CHUNK)
        count = len(seeds[part])
        ranks, facts = np.zeros((count, PLAYERS), np.int8), np.zeros((count, 4), np.int64)
        table.play_games(
            new_games(1), rules, new_journals(1, on=False), new_views(1), eight, players,
            seeds[part], options.skip_forced, ranks, facts, illegal,
        )  # fmt: skip
        results.ranks[rows[part]] = ranks[:, :players]
        results.decisions[rows[part]] = facts[:, 0]
        results.turns[rows[part]] = facts[:, 1]
        results.truncated[rows[part]] = facts[:, 3]
        progress(count)
    np.add.at(results.illegal, list(seating), illegal[:players])
