"""Positions labeled with who won, from games between compiled bots at random tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.board import NOBODY, PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.state import GAME, Float64s, new_games
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.matches.workers import in_order
from monopoly_training.value.line_up import seat
from monopoly_training.value.sampling import ROWS, play_and_keep
from monopoly_training.value.tables import Table, draw_line_up, draw_table

CHUNK = 250  # games per task of a process
SWAPS = 0.35  # fraction of games with a swap
SWAP_ROUNDS = 25  # the swap falls within this many rounds


@dataclass(frozen=True)
class Positions:
    """Positions and their outcomes."""

    states: Any  # GAME[n]
    shares: Float64s  # [n, 8] each seat's share of the win: 1, or a fraction where standings tie
    games: npt.NDArray[np.int64]  # [n] game number
    tables: list[Table]  # of each game
    swapped: npt.NDArray[np.bool_]  # [n] whether right after a random swap

    def __len__(self) -> int:
        return len(self.states)


def joined(parts: Sequence[Positions]) -> Positions:
    """Concatenate several lots, with games renumbered."""
    first = np.cumsum([0, *(len(part.tables) for part in parts)])
    games = [part.games + start for part, start in zip(parts, first[:-1], strict=True)]
    return Positions(
        np.concatenate([part.states for part in parts]),
        np.concatenate([part.shares for part in parts]),
        np.concatenate(games),
        [table for part in parts for table in part.tables],
        np.concatenate([part.swapped for part in parts]),
    )


def play_chunk(
    seed: int, first: int, count: int, table: Table | None = None, boards: str = ""
) -> Positions:
    """Return the positions of ``count`` games from number ``first`` on.

    ``table``: play at this table only; ``boards``: on generated boards of this split only. Games
    depend only on the seed and their number.
    """
    games, views, journals = new_games(1), new_views(1), new_journals(1, on=False)
    rank = np.zeros(PLAYERS, np.int8)
    states: list[Any] = []
    shares, numbers, swapped = [], [], []
    tables: list[Table] = []
    kept = new_games(ROWS)
    for number in range(first, first + count):
        rng = np.random.default_rng([seed, number])
        drawn = table or draw_table(rng, boards)
        loop, held = seat(views[0], draw_line_up(rng, drawn.players), rng)
        swap_turn = NOBODY
        if rng.random() < SWAPS and drawn.deals != "off":
            swap_turn = int(rng.integers(1, SWAP_ROUNDS * drawn.players))
        random = rng.integers(1 << 62, size=1)
        rows = play_and_keep(
            games, drawn.load().rules, journals, views, loop, drawn.players,
            int(rng.integers(1 << 62)), swap_turn, random, kept, rank,
        )  # fmt: skip
        del held
        share = (rank == 1) / (rank == 1).sum()
        for row in range(ROWS):
            if rows >> row & 1:
                states.append(kept[row : row + 1].copy())
                shares.append(share)
                numbers.append(len(tables))
                swapped.append(row == ROWS - 1)
        tables.append(drawn)
    return Positions(
        np.concatenate(states).astype(GAME),
        np.array(shares),
        np.array(numbers),
        tables,
        np.array(swapped),
    )


def play_positions(
    games: int,
    seed: int,
    jobs: int = 1,
    table: Table | None = None,
    progress: Progress | None = None,
    boards: str = "",
) -> Iterator[Positions]:
    """Yield the positions of ``games`` games in lots, in the order of the games.

    They depend only on the seed, not on the number of processes.
    """
    shown = progress or NoProgress()
    shown.stage("playing")
    chunks = ((seed, at, min(CHUNK, games - at), table, boards) for at in range(0, games, CHUNK))
    done = 0
    for part in in_order(play_chunk, chunks, jobs):
        done += len(part.tables)
        shown.update(done / games, f"{done:,} of {games:,} games")
        yield part
