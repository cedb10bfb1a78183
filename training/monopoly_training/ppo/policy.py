"""The deed network as an actor-critic with Stable-Baselines3's interface."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from monopoly_env.encoding.features import kind_bias
from monopoly_env.engine.state import Int64s
from monopoly_training.models import deed_network
from monopoly_training.models.deed_layout import Layout, layout_of
from monopoly_training.models.deed_network import DeedNetwork, backend_of, shapes_of
from monopoly_training.models.mlp import Network
from monopoly_training.sb3.masked_policy import MaskedPolicy

LOGIT_GAIN = 0.01  # of initial output weights, small so that all actions start almost equal


class DeedPolicy(MaskedPolicy):
    """The network of :mod:`monopoly_training.models.deed_network` in PyTorch.

    ``columns`` are the observation columns it reads, ``actions`` the action ids it chooses among,
    ``sizes`` the widths of a deed's encoding and of the trunk.
    """

    def __init__(
        self,
        *args: Any,
        columns: Int64s,
        actions: Int64s,
        sizes: tuple[int, int],
        **kwargs: Any,
    ) -> None:
        self._layout: Layout = layout_of(columns, actions)
        self._sizes = sizes
        super().__init__(*args, action_ids=actions, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        """Create weights and optimizer; SB3's constructor calls this to make its layers."""
        self._backend = backend_of(self._layout, torch.as_tensor, torch.relu, torch.cat)
        shapes = shapes_of(self._layout, *self._sizes)
        self._names = {name: name.replace(".", "_") for name in shapes}  # PyTorch allows no dots
        self.weights = nn.ParameterDict(
            {self._names[name]: first_weight(name, shape) for name, shape in shapes.items()}
        )
        options = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)
        self.set_logit_bias(torch.from_numpy(kind_bias(self._action_ids)))

    def logits_and_values(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of all actions, legal or not, (n, actions), and values, (n, 1)."""
        weights, backend = self._weights(), self._backend
        deeds = deed_network.encode_deeds(weights, backend, obs)
        hidden = deed_network.trunk(weights, backend, obs, deeds)
        logits = deed_network.policy_head(weights, backend, obs, deeds, hidden)
        return logits, deed_network.value_head(weights, backend, hidden)

    def predict_values(self, obs: Any) -> Tensor:
        """Return values, (n, 1), without computing logits."""
        weights, backend = self._weights(), self._backend
        deeds = deed_network.encode_deeds(weights, backend, obs)
        hidden = deed_network.trunk(weights, backend, obs, deeds)
        values: Tensor = deed_network.value_head(weights, backend, hidden)
        return values

    def _weights(self) -> dict[str, Tensor]:
        """Return the weights by their names in files."""
        return {name: self.weights[key] for name, key in self._names.items()}

    def set_logit_bias(self, bias: Tensor) -> None:
        """Set the output bias, which nearly determines the logits of an untrained policy."""
        with torch.no_grad():
            self.weights["bias"].copy_(bias)

    def network(self) -> Network:
        """Return a copy of the current network in NumPy, for play."""
        weights = {name: value.detach().numpy().copy() for name, value in self._weights().items()}
        return DeedNetwork(self._layout, weights)


def first_weight(name: str, shape: tuple[int, ...]) -> nn.Parameter:
    """Return an initial weight: orthogonal, as in SB3; biases are 0."""
    if len(shape) == 1:
        return nn.Parameter(torch.zeros(shape))
    weight = torch.empty(shape)
    if name.endswith(".each"):
        return nn.Parameter(nn.init.normal_(weight, std=0.1))
    gives_logits = name in ("others.weight", "lot.out", "offer.out")
    gain = LOGIT_GAIN if gives_logits else 1.0 if name == "value.weight" else float(np.sqrt(2))
    return nn.Parameter(nn.init.orthogonal_(weight, gain))
