"""Training examples of the value model: features, seats still in the game, and who won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.state import Float64s, Int8s
from monopoly_env.value.features import FEATURES, TABLE_FEATURES
from monopoly_env.value.network import new_work, write_all_features
from monopoly_training.value.positions import Positions
from monopoly_training.value.tables import Table

Halves = npt.NDArray[np.float16]


@dataclass(frozen=True)
class Examples:
    """Features of positions and their outcomes; decided positions are left out."""

    seats: Halves  # [n, 8, FEATURES]
    table: Halves  # [n, TABLE_FEATURES]
    alive: Int8s  # [n, 8]
    shares: Float64s  # [n, 8]
    games: npt.NDArray[np.int64]  # [n] game number

    def __len__(self) -> int:
        return len(self.seats)


def rows_by_table(positions: Positions) -> Iterator[tuple[Table, npt.NDArray[np.int64]]]:
    """Yield the rows of each table, so that one compiled call serves all with the same rules."""
    rows: dict[Table, list[int]] = {}
    for row, game in enumerate(positions.games.tolist()):
        rows.setdefault(positions.tables[game], []).append(row)
    for table, numbers in rows.items():
        yield table, np.array(numbers)


def examples_of(parts: Iterable[Positions]) -> Examples:
    """Return the features of all positions, in their order."""
    work, first, done = new_work(), 0, []
    for part in parts:
        done.append(_examples(part, work, first))
        first += len(part.tables)
    columns = zip(*((e.seats, e.table, e.alive, e.shares, e.games) for e in done), strict=True)
    return Examples(*(np.concatenate(column) for column in columns))


def _examples(positions: Positions, work: Any, first: int) -> Examples:
    n = len(positions)
    seats = np.zeros((n, PLAYERS, FEATURES), np.float16)
    table, alive = np.zeros((n, TABLE_FEATURES), np.float16), np.zeros((n, PLAYERS), np.int8)
    for drawn, rows in rows_by_table(positions):
        some = np.zeros((len(rows), PLAYERS, FEATURES), np.float32)
        its, here = np.zeros((len(rows), TABLE_FEATURES), np.float32), alive[rows]
        write_all_features(positions.states[rows], drawn.load().rules, work, some, its, here)
        seats[rows], table[rows], alive[rows] = some, its, here
    open_ = alive.any(axis=1)
    return Examples(
        seats[open_],
        table[open_],
        alive[open_],
        positions.shares[open_],
        positions.games[open_] + first,
    )
