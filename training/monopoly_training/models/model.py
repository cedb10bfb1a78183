"""A trained policy in memory: its network, what the network reads and decides on, its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.engine.state import Int8s, Int64s
from monopoly_training.models.mlp import Floats, Network

# A network that reads its mask too has columns for it: this one and the id of the action
FIRST_OF_MASK = OBSERVATION_SIZE


@dataclass(frozen=True)
class Model:
    """A policy network: what it reads, its weights, what it decides on."""

    columns: Int64s  # of the observation and of the mask after it, those that the network reads
    actions: Int64s  # the ids of the actions that its logits stand for
    network: Network
    card: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def reads_mask(self) -> bool:
        """Whether the network reads which actions are legal."""
        return bool((self.columns >= FIRST_OF_MASK).any())

    def logits(self, observations: Floats, masks: Int8s | None = None) -> Floats:
        """Logits of the known actions, legal or not, float32[n, len(actions)].

        ``observations`` float32[n, OBSERVATION_SIZE]; ``masks`` int8[n, N_ACTIONS], which only
        a network that :attr:`reads_mask` needs.
        """
        return self.network.logits(self._read(observations, masks))

    def values(self, observations: Floats, masks: Int8s | None = None) -> Floats | None:
        """What the policy expected to earn from here, float32[n]; None if its file has no values.

        In the units of the rewards that it learned from; parameters as of :meth:`logits`.
        """
        estimate = getattr(self.network, "values", None)
        if estimate is None:
            return None
        values: Floats = estimate(self._read(observations, masks))
        return values

    def _read(self, observations: Floats, masks: Int8s | None) -> Floats:
        """What the network reads, float32[n, len(columns)]."""
        if not self.reads_mask:
            return observations[:, self.columns]
        assert masks is not None
        seen = np.concatenate([observations, masks.astype(np.float32)], axis=1)
        return seen[:, self.columns]


def add_to_card(model: Model, entries: Mapping[str, Any]) -> Model:
    """A copy of the model with more entries on its card."""
    return replace(model, card={**model.card, **entries})
