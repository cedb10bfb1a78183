"""The games of a tournament as arrays, with export to CSV and Parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.state import Float64s, Int8s, Int64s
from monopoly_env.extras import is_installed
from monopoly_env.notation import LETTERS
from monopoly_training.common.files import whole_file, write_atomic
from monopoly_training.matches.outcome import FAULTS, Outcome
from monopoly_training.matches.schedule import Batch
from monopoly_training.stats.ratings import RankedGames
from monopoly_training.stats.win_rates import fractional_ranks, shares_of_wins


@dataclass(frozen=True)
class GameTable:
    """All games in the order of the schedule: G games of S seats."""

    agents: tuple[str, ...]  # the line-up; repeated names are made unique: name#2
    number: Int64s  # [G], position in the schedule, from 0
    round: Int64s  # [G]
    seed: Int64s  # [G]
    seating: Int64s  # [G, S], the line-up number of the bot in each seat
    ranks: Int8s  # [G, S]
    worth: Int64s  # [G, S], dollars
    turns: Int64s  # [G]
    decisions: Int64s  # [G]
    truncated: npt.NDArray[np.bool_]  # [G]
    faults: Int64s  # [G, S, 3], in the order of FAULTS
    timed_decisions: Int64s  # [G, S], only of bots in Python
    seconds: Float64s  # [G, S], time of those decisions
    wall: Float64s  # [G], seconds of the game; 0 if unknown
    behavior: Float64s | None = None  # [G, S, COLUMNS], if measured
    luck: Float64s | None = None  # [G, S], in win probability; None if not measured

    @classmethod
    def of(
        cls, agents: Sequence[str], batches: Sequence[Batch], outcomes: Sequence[Sequence[Outcome]]
    ) -> GameTable:
        """Build the table from batches and their outcomes."""
        played = [outcome for batch in outcomes for outcome in batch]
        matches = [match for batch in batches for match in batch.matches]
        return cls(
            agents=tuple(agents),
            number=np.concatenate([b.first + np.arange(len(b.matches)) for b in batches]),
            round=np.repeat([b.round for b in batches], [len(b.matches) for b in batches]),
            seed=np.array([match.seed for match in matches], np.int64),
            seating=np.array([match.seating for match in matches], np.int64),
            ranks=np.array([outcome.ranks for outcome in played], np.int8),
            worth=np.array([outcome.worth for outcome in played], np.int64),
            turns=np.array([outcome.turns for outcome in played], np.int64),
            decisions=np.array([outcome.decisions for outcome in played], np.int64),
            truncated=np.array([outcome.truncated for outcome in played], bool),
            faults=np.array([outcome.faults for outcome in played], np.int64),
            timed_decisions=np.array([outcome.timed_decisions for outcome in played], np.int64),
            seconds=np.array([outcome.seconds for outcome in played], np.float64),
            wall=np.array([outcome.wall for outcome in played], np.float64),
            behavior=np.array([outcome.behavior for outcome in played], np.float64)
            if played and played[0].behavior is not None
            else None,
            luck=luck_in(played),
        )

    def __len__(self) -> int:
        return len(self.seed)

    @property
    def seats(self) -> int:
        """Number of players in each game."""
        return int(self.seating.shape[1])

    @cached_property
    def wins(self) -> Float64s:
        """Each seat's share of the win, float64[G, S]."""
        return shares_of_wins(self.ranks)

    @cached_property
    def fractional_ranks(self) -> Float64s:
        """Each seat's rank, float64[G, S]; tied seats get the mean of their ranks."""
        return fractional_ranks(self.ranks)

    @cached_property
    def unit(self) -> Int64s:
        """Index of each game's seed, int64[G]: the resampling unit of intervals."""
        unit: Int64s = np.unique(self.seed, return_inverse=True)[1]
        return unit

    @property
    def ranked(self) -> RankedGames:
        """The input of rating computations."""
        return RankedGames(len(self.agents), self.seating, self.ranks, self.unit)

    def where(self, rows: npt.NDArray[np.bool_]) -> GameTable:
        """Return the selected games; ``rows`` is bool[G]."""
        fields = {
            name: value[rows] if name != "agents" and value is not None else value
            for name, value in self.__dict__.items()
            if name in self.__dataclass_fields__
        }
        return GameTable(**fields)


def luck_in(played: Sequence[Outcome]) -> Float64s | None:
    """Return the luck of each game and seat, or None unless every game has it."""
    found = [outcome.luck for outcome in played if outcome.luck is not None]
    return np.array(found) if found and len(found) == len(played) else None


def as_columns(games: GameTable) -> dict[str, Any]:
    """Return the table in long format, one row per game and seat, by column."""
    count, seats = games.seating.shape
    agents = np.array(games.agents)

    def each(values: Any) -> Any:
        return np.repeat(values, seats)

    return {
        "game": each(games.number),
        "round": each(games.round),
        "seed": each(games.seed),
        "seat": np.tile(np.array(list(LETTERS[:seats])), count),
        "agent": agents[games.seating].reshape(-1),
        "place_in_line_up": games.seating.reshape(-1) + 1,
        "rank": games.ranks.reshape(-1),
        "win": games.wins.reshape(-1),
        **({} if games.luck is None else {"luck": games.luck.reshape(-1)}),
        "worth": games.worth.reshape(-1),
        "turns": each(games.turns),
        "decisions": each(games.decisions),
        "truncated": each(games.truncated),
        **{name: games.faults[:, :, k].reshape(-1) for k, name in enumerate(FAULTS)},
    }


def write_games(games: GameTable, folder: Path) -> list[Path]:
    """Write games.csv, one row per game and seat, and games.parquet if pyarrow is installed.

    Returns the paths written.
    """
    columns = as_columns(games)
    paths = [folder / "games.csv"]
    write_atomic(paths[0], columns_as_csv(columns))
    if is_installed("pyarrow"):
        import pyarrow as pa
        from pyarrow import parquet

        paths.append(folder / "games.parquet")
        with whole_file(paths[1]) as file:  # a Python file object: Arrow accepts only UTF-8 paths
            parquet.write_table(pa.table(columns), file)
    return paths


def columns_as_csv(columns: Mapping[str, npt.NDArray[Any]]) -> str:
    """Format columns of equal length as CSV; text is quoted, numbers and booleans are not."""
    texts = [map(csv_cell, column.tolist()) for column in columns.values()]
    lines = [map(csv_cell, columns), *zip(*texts, strict=True)]
    return "".join(",".join(line) + "\n" for line in lines)


def csv_cell(value: str | bool | int | float) -> str:
    """Format one value as a CSV cell.

    >>> print(*(csv_cell(value) for value in ('a "b" c', True, 3, 0.5, 1.0)))
    "a ""b"" c" true 3 0.5 1
    """
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value).removesuffix(".0")
