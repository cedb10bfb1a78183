"""The arrays into which a step writes observations and masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.editions import Edition
from monopoly_env.encoding.observation import OBSERVATION_SIZE
from monopoly_env.encoding.packed import PACKED_SIZE, as_packed
from monopoly_env.encoding.row_cache import new_shown
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.envs._aligned import aligned
from monopoly_env.envs._saved_state import fill


class Buffer:
    """The observations, final observations and masks of one step of all games."""

    def __init__(self, n: int, is_packed: bool = False) -> None:
        # Only one of the two is used. It holds the current observations, then the final ones.
        self.observations = aligned(0 if is_packed else 2 * n * OBSERVATION_SIZE, np.float32)
        self.bytes = aligned(2 * n * PACKED_SIZE if is_packed else 0, np.uint8)
        self.packed = as_packed(self.bytes) if is_packed else None
        self.shown = new_shown(n)
        self.masks = aligned(n * N_ACTIONS, np.int8)
        rows: npt.NDArray[Any] = self.bytes if is_packed else self.observations
        rows = rows.reshape(2 * n, -1)
        self.now, self.final = rows[:n], rows[n:]
        self.mask = self.masks.reshape(n, N_ACTIONS)
        self.legal = self.mask.view(np.bool_)
        self.arrays = (self.observations, self.masks, self.shown)
        self.edition: Edition | None = None  # the edition whose rules the rows show

    def __getstate__(self) -> tuple[Any, ...]:
        records = np.asarray(self.shown).tobytes()
        return (
            len(self.mask),
            self.observations.tobytes(),
            self.masks.tobytes(),
            records,
            self.edition,
            self.packed is not None,
            self.bytes.tobytes(),
        )

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        n, observations, masks, shown, edition, is_packed, packed = state
        Buffer.__init__(self, n, is_packed)
        self.bytes[:] = np.frombuffer(packed, np.uint8)
        self.observations[:] = np.frombuffer(observations, np.float32)
        self.masks[:] = np.frombuffer(masks, np.int8)
        fill(self.shown, shown)
        self.edition = edition

    @property
    def nbytes(self) -> int:
        """The size of all arrays in bytes."""
        return self.bytes.nbytes + sum(array.nbytes for array in self.arrays)
