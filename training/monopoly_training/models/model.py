"""A trained policy in memory: its network, what the network reads and decides on, its card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from monopoly_env.engine.state import Int64s
from monopoly_training.models.mlp import Floats, Network


@dataclass(frozen=True)
class Model:
    """A policy network: what it reads, its weights, what it decides on."""

    columns: Int64s  # of the observation, those that the network reads
    actions: Int64s  # the ids of the actions that its logits stand for
    network: Network
    card: Mapping[str, Any] = field(default_factory=dict)

    def logits(self, observations: Floats) -> Floats:
        """Logits of the known actions, legal or not, float32[n, len(actions)].

        ``observations`` float32[n, OBSERVATION_SIZE].
        """
        return self.network.logits(observations[:, self.columns])


def add_to_card(model: Model, entries: Mapping[str, Any]) -> Model:
    """A copy of the model with more entries on its card."""
    return replace(model, card={**model.card, **entries})
