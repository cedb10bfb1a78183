"""An actor-critic of fully connected layers that both share, the fastest network to train."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from monopoly_env.encoding.features import kind_bias
from monopoly_env.engine.state import Int64s
from monopoly_training.models.from_torch import mlp_of
from monopoly_training.models.mlp import Network
from monopoly_training.ppo.policy import LOGIT_GAIN
from monopoly_training.sb3.masked_policy import MaskedPolicy


class SharedPolicy(MaskedPolicy):
    """Fully connected ReLU layers of widths ``sizes``, with linear heads for logits and values.

    ``actions`` are the action ids that it chooses among.
    """

    def __init__(self, *args: Any, actions: Int64s, sizes: tuple[int, ...], **kwargs: Any) -> None:
        self._sizes = sizes
        kwargs.setdefault("optimizer_kwargs", {"eps": 1e-5, "fused": True})
        super().__init__(*args, action_ids=actions, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        """Create layers and optimizer; SB3's constructor calls this to make its layers."""
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
        """Return logits of all actions, legal or not, (n, actions), and values, (n, 1)."""
        hidden = self.trunk(obs)
        return self.action_net(hidden), self.value_net(hidden)

    def predict_values(self, obs: Any) -> Tensor:
        """Return values, (n, 1), without computing logits."""
        values: Tensor = self.value_net(self.trunk(obs))
        return values

    def network(self) -> Network:
        """Return a copy of the current actor in NumPy, for play."""
        return mlp_of([*self.trunk, self.action_net])


def linear(width: int, size: int, gain: float) -> nn.Linear:
    """Return an initial layer, with orthogonal weights, as in SB3, and zero biases."""
    layer = nn.Linear(width, size)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
