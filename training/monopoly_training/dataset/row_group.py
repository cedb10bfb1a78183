"""Collect decisions in a row group's preallocated arrays, game by game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from monopoly_env.editions import EditionSet
from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.state import new_games
from monopoly_training.dataset.reader import MASK_BYTES
from monopoly_training.matches import compiled_loop
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.schedule import Match

ROWS = 8192  # per row group: 43 MB of observations before compression

# columns that compiled_loop.replay_rows() writes
KEPT = ("decision", "seat", "phase", "action", "throws")

# Values of the whole game, repeated for each of its decisions.
FACTS: dict[str, type] = {
    "game": np.int64,
    "seed": np.int64,
    "number": np.int64,  # the line-up number of the bot that decides
    "win": np.float32,
    "rank": np.int8,
    "worth_share": np.float32,
    "truncated": np.bool_,
    "turns": np.int32,
}


class RowGroup:
    """A buffer for the decisions of one row group, with the game being replayed."""

    def __init__(self, editions: EditionSet, observations: bool) -> None:
        self.editions = editions
        self._rules = editions.first.rules  # rules of the current game
        self.count = 0
        rows = ROWS if observations else 0
        self._kept = np.zeros((ROWS, len(KEPT)), np.int64)
        self._masks = np.zeros((ROWS, MASK_BYTES), np.uint8)
        self._observations = np.zeros((rows, OBSERVATION_SIZE), np.float32)
        self._facts: dict[str, Any] = {name: np.zeros(ROWS, kind) for name, kind in FACTS.items()}
        self._games, self._journals = new_games(1), new_journals(1, on=False)
        self._throws = np.zeros(PLAYERS, np.int64)

    def clear(self) -> None:
        """Empty the buffer; the current game continues where it was."""
        self.count = 0

    def begin(self, number: int, match: Match, outcome: Outcome) -> None:
        """Start taking decisions from a game."""
        self._number, self._match, self._outcome, self._at = number, match, outcome, 0
        self._throws[:] = 0
        self._rules = self.editions.for_seed(match.seed).rules
        compiled_loop.start_replay(
            self._games, self._rules, self._journals, len(match.seating), match.seed
        )

    def fill(self, seats: int, forced: bool) -> bool:
        """Take as many decisions as fit; return whether the game is finished."""
        actions, begin = self._outcome.actions, self.count
        assert actions is not None  # actions are kept for all games
        self._at, taken = compiled_loop.replay_rows(
            self._games, self._rules, self._journals, actions, self._at, seats, forced,
            self._throws, self._kept[begin:], self._masks[begin:], self._observations[begin:],
        )  # fmt: skip
        self.count += taken
        self._note(slice(begin, self.count))
        return self._at == len(actions)

    def _note(self, rows: slice) -> None:
        """Fill the game's values for these rows."""
        outcome, facts, seat = self._outcome, self._facts, self._kept[rows, 1]
        ranks, worth = np.array(outcome.ranks), np.maximum(outcome.worth, 0)
        facts["game"][rows] = self._number
        facts["seed"][rows] = self._match.seed
        facts["number"][rows] = np.array(self._match.seating)[seat]
        facts["win"][rows] = ((ranks == 1) / (ranks == 1).sum())[seat]
        facts["rank"][rows] = ranks[seat]
        facts["worth_share"][rows] = (worth / max(worth.sum(), 1))[seat]
        facts["truncated"][rows] = outcome.truncated
        facts["turns"][rows] = outcome.turns

    def as_table(self, schema: Any, agents: Sequence[str]) -> Any:
        """Return the rows as an Arrow table."""
        import pyarrow as pa

        n = self.count
        kept = dict(zip(KEPT, self._kept[:n].T, strict=True))
        names = np.array(agents)[self._facts["number"][:n]]
        values = {name: column[:n] for name, column in self._facts.items()} | kept | {"bot": names}
        arrays = []
        for one in schema:
            if pa.types.is_fixed_size_binary(one.type):
                data = self._masks[:n] if one.name == "mask" else self._observations[:n]
                buffers = [None, pa.py_buffer(np.ascontiguousarray(data))]
                arrays.append(pa.FixedSizeBinaryArray.from_buffers(one.type, n, buffers))
            else:
                arrays.append(pa.array(values[one.name]).cast(one.type))
        return pa.Table.from_arrays(arrays, schema=schema)
