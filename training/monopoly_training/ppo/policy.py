"""SB3's actor-critic with masks, counted once: half the time of an update goes into them there."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn
from torch.nn.functional import log_softmax

from monopoly_env.engine.state import Int64s
from monopoly_training.models import deed_network
from monopoly_training.models.deed_layout import Layout, layout_of
from monopoly_training.models.deed_network import arrays_of, shapes_of
from monopoly_training.models.mlp import Layers, Network
from monopoly_training.models.storage import policy_layers

ILLEGAL = -1e8
SMALL = 0.01  # of the weights that logits are read by at first: all actions alike


class MaskedPolicy(MaskableActorCriticPolicy):
    """The same network and the same numbers; sb3-contrib normalises twice and draws slowly."""

    action_net: nn.Linear
    value_net: nn.Linear

    def look(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """How much every action is liked, legal or not, (n, actions), and values (n, 1)."""
        acting, judging = self.mlp_extractor(self.extract_features(obs))
        return self.action_net(acting), self.value_net(judging)

    def log_chances(self, obs: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor]:
        """Log probabilities of all actions, and values."""
        logits, values = self.look(obs)
        if action_masks is not None:
            legal = torch.as_tensor(action_masks, dtype=torch.bool)
            logits = logits.masked_fill(~legal.reshape(logits.shape), ILLEGAL)
        return log_softmax(logits, dim=1), values

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, their values and their log probabilities."""
        chances, values = self.log_chances(obs, action_masks)
        actions = chances.argmax(dim=1) if deterministic else draw(chances.exp())
        return actions, values, chances.gather(1, actions[:, None]).flatten()

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log probabilities of the actions, and how undecided the policy is."""
        chances, values = self.log_chances(obs, action_masks)
        undecided = -(chances.exp() * chances).sum(dim=1)
        return values, chances.gather(1, actions.long()[:, None]).flatten(), undecided

    def predict_values(self, obs: Any) -> Tensor:
        """Values, (n, 1)."""
        return self.look(obs)[1]

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """SB3's form of the policy."""
        logits, _ = self.look(obs)
        found = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            found.apply_masking(action_masks)
        return found

    def set_prior(self, logits: Tensor) -> None:
        """What an untrained policy likes, whatever it sees."""
        with torch.no_grad():
            self.action_net.bias.copy_(logits)

    def network(self) -> Network:
        """The acting half as it is now, for play."""
        return Layers(policy_layers(self))


class DeedPolicy(MaskedPolicy):
    """The network of :mod:`monopoly_training.models.deed_network` under SB3's interface."""

    def __init__(
        self,
        *args: Any,
        columns: Int64s,
        actions: Int64s,
        sizes: tuple[int, int],
        **kwargs: Any,
    ) -> None:
        self._layout: Layout = layout_of(columns, actions)
        self._sizes = sizes  # of a deed's encoding, of the trunk
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        """Make the weights and the optimizer."""
        self._arrays = arrays_of(self._layout, torch.as_tensor, torch.relu, torch.cat)
        shapes = shapes_of(self._layout, *self._sizes)
        self.weights = nn.ParameterDict(
            {name.replace(".", "_"): first_weight(name, shape) for name, shape in shapes.items()}
        )
        self._names = {name: name.replace(".", "_") for name in shapes}  # torch allows no dots
        options = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    def look(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """How much every action is liked, and values."""
        weights, arrays = self._weights(), self._arrays
        deeds = deed_network.encode(weights, arrays, obs)
        trunk = deed_network.take_in(weights, arrays, obs, deeds)
        liked = deed_network.like(weights, arrays, obs, deeds, trunk)
        return liked, deed_network.judge(weights, arrays, trunk)

    def predict_values(self, obs: Any) -> Tensor:
        """Values, (n, 1), without looking at actions."""
        weights, arrays = self._weights(), self._arrays
        deeds = deed_network.encode(weights, arrays, obs)
        trunk = deed_network.take_in(weights, arrays, obs, deeds)
        values: Tensor = deed_network.judge(weights, arrays, trunk)
        return values

    def _weights(self) -> dict[str, Tensor]:
        return {name: self.weights[key] for name, key in self._names.items()}

    def set_prior(self, logits: Tensor) -> None:
        """What an untrained policy likes, whatever it sees."""
        with torch.no_grad():
            self.weights["bias"].copy_(logits)

    def network(self) -> Network:
        """The network as it is now, for play."""
        weights = {name: value.detach().numpy().copy() for name, value in self._weights().items()}
        return deed_network.DeedNetwork(self._layout, weights)


def first_weight(name: str, shape: tuple[int, ...]) -> nn.Parameter:
    """A weight as it is before training: orthogonal, as SB3 begins; biases 0."""
    if len(shape) == 1:
        return nn.Parameter(torch.zeros(shape))
    weight = torch.empty(shape)
    if name.endswith(".each"):
        return nn.Parameter(nn.init.normal_(weight, std=0.1))
    is_logit = name in ("others.weight", "lot.out", "offer.out")
    gain = SMALL if is_logit else 1.0 if name == "value.weight" else float(np.sqrt(2))
    return nn.Parameter(nn.init.orthogonal_(weight, gain))


def draw(chances: Tensor) -> Tensor:
    """One column a row, by its chance; never one whose chance is 0."""
    sums = chances.cumsum(dim=1)
    goals = (1 - torch.rand(len(chances), 1)) * sums[:, -1:]  # never 0
    return (sums < goals).sum(dim=1)
