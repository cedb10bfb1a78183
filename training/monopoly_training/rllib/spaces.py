"""Spaces for RLlib's masked modules, and an action space that samples legal actions."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from monopoly_env.encoding.features import kind_bias
from monopoly_env.engine.state import GAME, Int64s
from monopoly_env.envs.spaces import Actions

OBSERVATIONS, MASK = "observations", "action_mask"  # RLlib's names


class LegalActions(Actions):
    """An action space whose ``sample()`` returns a legal action.

    RLlib checks environments by stepping with sampled actions, without masks. Copies, such as those
    passed to RLlib's modules, hold no reference to the game and behave as ordinary spaces.
    """

    def __init__(
        self,
        n: int,
        action_ids: Int64s | None = None,
        table: Mapping[str, Any] | None = None,
        game: Any = None,
    ) -> None:
        super().__init__(n, action_ids, table)
        self._game = None if game is None else weakref.ref(game)  # has action_mask()

    @classmethod
    def of(cls, space: Any, game: Any = None) -> LegalActions:
        """Create the action space of an environment.

        ``game.action_mask()`` gives the legal actions.
        """
        return cls(int(space.n), space.action_ids, space.table, game)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Return a random action: a legal one, unless a mask or probabilities are given."""
        game = None if self._game is None else self._game()
        if mask is None and probability is None and game is not None:
            mask = game.action_mask()
        return super().sample(mask, probability)

    def __reduce__(self) -> tuple[Any, ...]:
        return LegalActions, (int(self.n), self.action_ids, dict(self.table))

    def __deepcopy__(self, memo: dict[int, Any]) -> LegalActions:
        return LegalActions.of(self)


def first_logits(space: spaces.Space[Any]) -> npt.NDArray[np.float32]:
    """Return logits that make all kinds of action equally likely, float32[n]."""
    return kind_bias(getattr(space, "action_ids", None))


def renamed(space: spaces.Space[Any]) -> spaces.Dict:
    """Rename a masked observation space's keys to RLlib's names."""
    assert isinstance(space, spaces.Dict)
    return spaces.Dict({OBSERVATIONS: space["observation"], MASK: space["action_mask"]})


def rename(seen: Any) -> dict[str, npt.NDArray[Any]]:
    """Rename a masked observation's keys to RLlib's names."""
    return {OBSERVATIONS: seen["observation"], MASK: seen["action_mask"]}


# Keys of the observations of bots

GAME_BYTES, TABLE = "game", "table"


def bot_space() -> spaces.Dict:
    """Return the observation space of bots: the game as bytes, and the ids of table and game."""
    every = np.iinfo(np.int64)
    return spaces.Dict(
        {
            GAME_BYTES: spaces.Box(0, 255, (GAME.itemsize,), np.uint8),
            TABLE: spaces.Box(every.min, every.max, (2,), np.int64),
        }
    )
