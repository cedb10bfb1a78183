"""A plain actor-critic whose actor and critic read the same layers: the fastest network to train."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from monopoly_env.encoding.features import kind_bias
from monopoly_env.engine.state import Int64s
from monopoly_training.models.mlp import Layer, Network, ReluMLP
from monopoly_training.sb3.masked_policy import MaskedPolicy

LOGIT_GAIN = 0.01  # of first weights that logits are read by: all actions nearly alike


class SharedPolicy(MaskedPolicy):
    """Fully connected layers with ReLU, of these ``sizes``; logits and values are read by the last.

    ``actions`` are the ids of the actions that it decides on.
    """

    def __init__(self, *args: Any, actions: Int64s, sizes: tuple[int, ...], **kwargs: Any) -> None:
        self._sizes = sizes
        kwargs.setdefault("optimizer_kwargs", {"eps": 1e-5, "fused": True})
        super().__init__(*args, action_ids=actions, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        """Make layers and optimizer; SB3's constructor calls it to make its own."""
        actions = self._action_ids
        assert actions is not None
        assert self.observation_space.shape is not None
        widths = (self.observation_space.shape[0], *self._sizes)
        layers: list[nn.Module] = []
        for width, size in zip(widths, self._sizes, strict=False):
            layers += [linear(width, size, float(np.sqrt(2))), nn.ReLU(inplace=True)]
        self.trunk = nn.Sequential(*layers)
        self.action_net = linear(widths[-1], len(actions), LOGIT_GAIN)
        self.value_net = linear(widths[-1], 1, 1.0)
        self.set_logit_bias(torch.from_numpy(kind_bias(actions)))
        options = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    def logits_and_values(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, (n, actions), and values, (n, 1)."""
        hidden = self.trunk(obs)
        return self.action_net(hidden), self.value_net(hidden)

    def predict_values(self, obs: Any) -> Tensor:
        """Values, (n, 1); no logits are computed."""
        values: Tensor = self.value_net(self.trunk(obs))
        return values

    def network(self) -> Network:
        """A copy of the actor as it is now, in NumPy, for play."""
        parts = [*self.trunk, self.action_net]
        return ReluMLP(tuple(layer_of(part) for part in parts if isinstance(part, nn.Linear)))


def linear(width: int, size: int, gain: float) -> nn.Linear:
    """A layer before training: orthogonal weights, as SB3 begins; biases are 0."""
    layer = nn.Linear(width, size)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def layer_of(part: nn.Linear) -> Layer:
    """A copy of a layer's weights and biases."""
    weights, biases = (tensor.detach().numpy().copy() for tensor in (part.weight, part.bias))
    return weights, biases
