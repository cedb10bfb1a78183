"""Export a dataset to d3rlpy: a replay buffer whose observations include the action mask.

d3rlpy does not support action masks. They are appended to each observation so that a network can
split them off; docs/clients/d3rlpy.md does this for behavior cloning and discrete CQL.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.errors import MissingExtra
from monopoly_env.extras import is_installed, require
from monopoly_training.common.files import whole_file
from monopoly_training.common.memory import check_memory
from monopoly_training.dataset.episodes import episode_space, episodes
from monopoly_training.dataset.reader import info

# d3rlpy 2.8 pins gymnasium 1.0.0 but works with the versions that monopoly-env needs.
INSTALL = (
    "pip install --no-deps d3rlpy==2.8.1 && "
    "pip install torch tqdm h5py gym click structlog colorama dataclasses-json scikit-learn"
)


def to_d3rlpy(
    folder: str | Path,
    bots: Collection[str] | None = None,
    seats: Collection[int] | None = None,
    reward: str = "win",
    narrow: bool = True,
) -> Any:
    """Load a dataset into d3rlpy's ``ReplayBuffer``, entirely in memory.

    An observation is float32[columns + actions]: the seat's observation, then the mask, 1 for
    legal. Every episode counts as terminated, even if a limit ended the game, because standings are
    rewarded.

    Args: as for :func:`monopoly_training.dataset.episodes.episodes`.

    Raises: MissingExtra without d3rlpy; FileError and InputError, one line, as ``episodes`` does;
    MemoryError, one line, if it does not fit in memory.
    """
    require("convert", "pyarrow")
    if not is_installed("d3rlpy"):
        raise MissingExtra(f"convert: needs d3rlpy, which is not installed; install it: {INSTALL}")
    from d3rlpy.constants import ActionSpace
    from d3rlpy.dataset import Episode, InfiniteBuffer, ReplayBuffer

    about, space = info(folder), episode_space(folder, narrow)
    check_memory("decisions", {"for the decisions": about["rows"] * space.width * 4})
    whole = [
        Episode(
            observations=np.concatenate([one.observations, one.masks], axis=1, dtype=np.float32),
            actions=one.actions[:, None].astype(np.int32),
            rewards=one.rewards[:, None],
            terminated=True,
        )
        for one in episodes(folder, bots, seats, reward, narrow)
    ]
    return ReplayBuffer(
        InfiniteBuffer(),
        episodes=whole,
        action_space=ActionSpace.DISCRETE,
        action_size=space.actions,
    )


def write_d3rlpy(buffer: Any, path: Path) -> None:
    """Write a replay buffer atomically, for ``ReplayBuffer.load(path, InfiniteBuffer())``."""
    with whole_file(path) as file:
        buffer.dump(file)
