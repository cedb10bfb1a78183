"""Spaces as RLlib's masked modules expect them, and actions that are drawn among the legal ones."""

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
    """Numbers of actions, whose ``sample()`` draws one that is legal now.

    RLlib checks an environment by a step with a sampled action, and knows no masks there. Copies,
    which RLlib hands to its modules, know no games: they are ordinary spaces.
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
        """The actions of an environment; ``game`` says by ``action_mask()`` what is legal."""
        return cls(int(space.n), space.action_ids, space.table, game)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A number, by ``mask`` or by what is legal in the game."""
        game = None if self._game is None else self._game()
        if mask is None and probability is None and game is not None:
            mask = game.action_mask()
        return super().sample(mask, **({} if probability is None else {"probability": probability}))

    def __reduce__(self) -> tuple[Any, ...]:
        return LegalActions, (int(self.n), self.action_ids, dict(self.table))

    def __deepcopy__(self, memo: dict[int, Any]) -> LegalActions:
        return LegalActions.of(self)


def first_logits(space: spaces.Space[Any]) -> npt.NDArray[np.float32]:
    """The logits by which all kinds of action are equally likely, float32[n]."""
    return kind_bias(getattr(space, "action_ids", None))


def renamed(space: spaces.Space[Any]) -> spaces.Dict:
    """A space of observations with their masks, by RLlib's names."""
    assert isinstance(space, spaces.Dict)
    return spaces.Dict({OBSERVATIONS: space["observation"], MASK: space["action_mask"]})


def rename(seen: Any) -> dict[str, npt.NDArray[Any]]:
    """An observation with its mask, by RLlib's names."""
    return {OBSERVATIONS: seen["observation"], MASK: seen["action_mask"]}


# What bots are handed, in the form of an observation

GAME_BYTES, TABLE = "game", "table"


def bot_space() -> spaces.Dict:
    """A game as bytes; the numbers of the table and of the game."""
    every = np.iinfo(np.int64)
    return spaces.Dict(
        {
            GAME_BYTES: spaces.Box(0, 255, (GAME.itemsize,), np.uint8),
            TABLE: spaces.Box(every.min, every.max, (2,), np.int64),
        }
    )
