"""A trained policy in memory: its network, the columns and actions it uses, and its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.state import Int8s, Int64s
from monopoly_training.models.mlp import Floats, Network

# Networks that read the mask have columns from here on: this plus the action id
FIRST_OF_MASK = OBSERVATION_SIZE


@dataclass(frozen=True)
class Model:
    """A policy network with the columns that it reads and the actions that it decides on."""

    columns: Int64s  # columns read by the network, of the observation followed by the mask
    actions: Int64s  # action ids of the logits
    network: Network
    card: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def reads_mask(self) -> bool:
        """Whether the network reads the action mask."""
        return bool((self.columns >= FIRST_OF_MASK).any())

    def logits(self, observations: Floats, masks: Int8s | None = None) -> Floats:
        """Return logits of the known actions, legal or not, float32[n, len(actions)].

        ``observations`` float32[n, OBSERVATION_SIZE]; ``masks`` int8[n, N_ACTIONS], needed only if
        :attr:`reads_mask`.
        """
        return self.network.logits(self._read(observations, masks))

    def values(self, observations: Floats, masks: Int8s | None = None) -> Floats | None:
        """Return the value estimates, float32[n]; None if the file has no value head.

        They are in units of the training reward; parameters as for :meth:`logits`.
        """
        estimate = getattr(self.network, "values", None)
        if estimate is None:
            return None
        values: Floats = estimate(self._read(observations, masks))
        return values

    def _read(self, observations: Floats, masks: Int8s | None) -> Floats:
        """Return the network's input, float32[n, len(columns)]."""
        if not self.reads_mask:
            return observations[:, self.columns]
        assert masks is not None
        seen = np.concatenate([observations, masks.astype(np.float32)], axis=1)
        return seen[:, self.columns]


def add_to_card(model: Model, entries: Mapping[str, Any]) -> Model:
    """Return a copy of the model with more entries on its card."""
    return replace(model, card={**model.card, **entries})
