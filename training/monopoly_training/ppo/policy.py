"""Actor-critics with action masks, under Stable-Baselines3's interface.

sb3-contrib normalizes masked logits twice and draws actions slowly: half the time of an update goes
there. Here each is done once, with equal numbers.
"""

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
from monopoly_training.models.deed_network import DeedNetwork, backend_of, shapes_of
from monopoly_training.models.mlp import MLP, Network
from monopoly_training.models.sb3_zip import policy_layers

ILLEGAL = -1e8  # the logit of an illegal action
LOGIT_GAIN = 0.01  # of first weights that logits are read by: all actions nearly alike


class MaskedPolicy(MaskableActorCriticPolicy):
    """An actor-critic with layers of its own for each; observations (n, columns)."""

    action_net: nn.Linear
    value_net: nn.Linear

    def logits_and_values(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, (n, actions), and values, (n, 1)."""
        latent_pi, latent_vf = self.mlp_extractor(self.extract_features(obs))
        return self.action_net(latent_pi), self.value_net(latent_vf)

    def log_probs(self, obs: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor]:
        """Log probabilities of all actions, (n, actions), and values, (n, 1)."""
        logits, values = self.logits_and_values(obs)
        if action_masks is not None:
            legal = torch.as_tensor(action_masks, dtype=torch.bool)
            logits = logits.masked_fill(~legal.reshape(logits.shape), ILLEGAL)
        return log_softmax(logits, dim=1), values

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, their values and their log probabilities."""
        log_probs, values = self.log_probs(obs, action_masks)
        actions = log_probs.argmax(dim=1) if deterministic else sample_actions(log_probs.exp())
        return actions, values, log_probs.gather(1, actions[:, None]).flatten()

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log probabilities of the actions, and the policy's entropies."""
        log_probs, values = self.log_probs(obs, action_masks)
        entropy = -(log_probs.exp() * log_probs).sum(dim=1)
        return values, log_probs.gather(1, actions.long()[:, None]).flatten(), entropy

    def predict_values(self, obs: Any) -> Tensor:
        """Values, (n, 1)."""
        return self.logits_and_values(obs)[1]

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """The policy as SB3's distribution."""
        logits, _ = self.logits_and_values(obs)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def set_logit_bias(self, bias: Tensor) -> None:
        """Set the logits that an untrained policy gives, nearly, whatever it observes."""
        with torch.no_grad():
            self.action_net.bias.copy_(bias)

    def network(self) -> Network:
        """A copy of the actor as it is now, in NumPy, for play."""
        return MLP(policy_layers(self))


class DeedPolicy(MaskedPolicy):
    """The network of :mod:`monopoly_training.models.deed_network` in PyTorch.

    ``columns`` and ``actions`` are what it reads and decides on, ``sizes`` the widths of a deed's
    encoding and of the trunk.
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
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        """Make weights and optimizer; SB3's constructor calls it to make its own layers."""
        self._backend = backend_of(self._layout, torch.as_tensor, torch.relu, torch.cat)
        shapes = shapes_of(self._layout, *self._sizes)
        self._names = {name: name.replace(".", "_") for name in shapes}  # PyTorch allows no dots
        self.weights = nn.ParameterDict(
            {self._names[name]: first_weight(name, shape) for name, shape in shapes.items()}
        )
        options = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    def logits_and_values(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of all actions, legal or not, (n, actions), and values, (n, 1)."""
        weights, backend = self._weights(), self._backend
        deeds = deed_network.encode_deeds(weights, backend, obs)
        hidden = deed_network.trunk(weights, backend, obs, deeds)
        logits = deed_network.policy_head(weights, backend, obs, deeds, hidden)
        return logits, deed_network.value_head(weights, backend, hidden)

    def predict_values(self, obs: Any) -> Tensor:
        """Values, (n, 1); no logits are computed."""
        weights, backend = self._weights(), self._backend
        deeds = deed_network.encode_deeds(weights, backend, obs)
        hidden = deed_network.trunk(weights, backend, obs, deeds)
        values: Tensor = deed_network.value_head(weights, backend, hidden)
        return values

    def _weights(self) -> dict[str, Tensor]:
        """The weights by the names that they have in files."""
        return {name: self.weights[key] for name, key in self._names.items()}

    def set_logit_bias(self, bias: Tensor) -> None:
        """Set the logits that an untrained policy gives, nearly, whatever it observes."""
        with torch.no_grad():
            self.weights["bias"].copy_(bias)

    def network(self) -> Network:
        """A copy of the network as it is now, in NumPy, for play."""
        weights = {name: value.detach().numpy().copy() for name, value in self._weights().items()}
        return DeedNetwork(self._layout, weights)


def first_weight(name: str, shape: tuple[int, ...]) -> nn.Parameter:
    """A weight before training: orthogonal, as SB3 begins; biases are 0."""
    if len(shape) == 1:
        return nn.Parameter(torch.zeros(shape))
    weight = torch.empty(shape)
    if name.endswith(".each"):
        return nn.Parameter(nn.init.normal_(weight, std=0.1))
    gives_logits = name in ("others.weight", "lot.out", "offer.out")
    gain = LOGIT_GAIN if gives_logits else 1.0 if name == "value.weight" else float(np.sqrt(2))
    return nn.Parameter(nn.init.orthogonal_(weight, gain))


def sample_actions(probs: Tensor) -> Tensor:
    """One column a row, int64[n], by its probability; never one whose probability is 0."""
    sums = probs.cumsum(dim=1)
    thresholds = (1 - torch.rand(len(probs), 1)) * sums[:, -1:]  # never 0
    return (sums < thresholds).sum(dim=1)
