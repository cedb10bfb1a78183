"""An actor-critic with action masks and a good initial policy.

sb3-contrib normalizes masked logits twice and samples slowly, which takes half the time of an
update. This policy does each once, with the same results.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn
from torch.nn.functional import log_softmax, softmax

from monopoly_env.encoding.features import kind_bias
from monopoly_env.engine.state import Int64s
from monopoly_env.errors import InputError
from monopoly_training.models.card import ModelError
from monopoly_training.models.mlp import Network
from monopoly_training.models.sb3_zip import layers_of

ILLEGAL = -1e8  # the logit of an illegal action


class MaskedPolicy(MaskableActorCriticPolicy):
    """An actor-critic with fully connected layers, starting with equally likely kinds of action.

    Pass it to MaskablePPO instead of ``"MlpPolicy"``. It takes the same ``policy_kwargs``, and also
    ``action_ids``, the ids of its outputs, for action spaces without them. See
    :func:`monopoly_env.learners.kind_bias` for the reason.

    >>> from sb3_contrib import MaskablePPO
    >>> from monopoly_training.sb3.vec_env import MonopolyVecEnv
    >>> model = MaskablePPO(MaskedPolicy, MonopolyVecEnv(8, preset="basic"), n_steps=16)
    """

    action_net: nn.Linear
    value_net: nn.Linear

    def __init__(
        self, *args: Any, action_ids: Int64s | Sequence[int] | None = None, **kwargs: Any
    ) -> None:
        self._action_ids = action_ids
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        """Build the layers and the optimizer; called by SB3's constructor."""
        super()._build(lr_schedule)
        ids = self._action_ids
        if ids is None:
            ids = getattr(self.action_space, "action_ids", None)
        bias = kind_bias(ids)
        if len(bias) != self.action_net.out_features:
            InputError.at("action_ids").fail(
                f"has {len(bias)} actions, the environment {self.action_net.out_features}; "
                "give policy_kwargs={'action_ids': ...} the ids of the environment's actions"
            )
        self.set_logit_bias(torch.from_numpy(bias))

    def _get_constructor_parameters(self) -> dict[str, Any]:
        """Return the constructor's arguments, for SB3's ``save``."""
        return {**super()._get_constructor_parameters(), "action_ids": self._action_ids}

    def logits_and_values(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of all actions, legal or not, (n, actions), and values, (n, 1)."""
        features = self.extract_features(obs)
        if self.share_features_extractor:
            latent_pi, latent_vf = self.mlp_extractor(features)
        else:
            latent_pi = self.mlp_extractor.forward_actor(features[0])
            latent_vf = self.mlp_extractor.forward_critic(features[1])
        return self.action_net(latent_pi), self.value_net(latent_vf)

    def log_probs(self, obs: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor]:
        """Return log probabilities of all actions, (n, actions), and values, (n, 1)."""
        logits, values = self.logits_and_values(obs)
        return masked_log_softmax(logits, action_masks), values

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return actions, values and log probabilities. Raises: ModelError for NaN."""
        logits, values = self.logits_and_values(obs)
        check_finite(logits)
        logits = masked(logits, action_masks)
        log_probs = log_softmax(logits, dim=1)
        # exp(log_probs) would be slow: it underflows for illegal actions
        actions = logits.argmax(dim=1) if deterministic else sample_actions(softmax(logits, dim=1))
        return actions, values, log_probs.gather(1, actions[:, None]).flatten()

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return values, log probabilities of the actions, and entropies."""
        log_probs, values = self.log_probs(obs, action_masks)
        entropy = -(log_probs.exp() * log_probs).sum(dim=1)
        return values, log_probs.gather(1, actions.long()[:, None]).flatten(), entropy

    def predict_values(self, obs: Any) -> Tensor:
        """Return values, (n, 1)."""
        return self.logits_and_values(obs)[1]

    def get_distribution(self, obs: Any, action_masks: Any = None) -> MaskableDistribution:
        """Return the policy as SB3's distribution."""
        logits, _ = self.logits_and_values(obs)
        check_finite(logits)
        distribution = self.action_dist.proba_distribution(action_logits=logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def set_logit_bias(self, bias: Tensor) -> None:
        """Set the bias of the logits, which dominates an untrained policy."""
        with torch.no_grad():
            self.action_net.bias.copy_(bias)

    def network(self) -> Network:
        """Return a copy of the actor in NumPy. Raises: ValueError for unsupported layers."""
        return layers_of(self)


def masked_log_softmax(logits: Tensor, action_masks: Any = None) -> Tensor:
    """Return log probabilities, (n, actions), very low for illegal actions."""
    return log_softmax(masked(logits, action_masks), dim=1)


def masked(logits: Tensor, action_masks: Any = None) -> Tensor:
    """Return logits, (n, actions), very low for illegal actions."""
    if action_masks is None:
        return logits
    legal = torch.as_tensor(action_masks, dtype=torch.bool)
    return logits.masked_fill(~legal.reshape(logits.shape), ILLEGAL)


def check_finite(logits: Tensor) -> None:
    """Raise ModelError, one line, if the logits are not finite."""
    if not bool(logits.abs().max() < -ILLEGAL / 2):  # NaN compares false as well
        raise ModelError(
            "the policy in training cannot choose: its logits overflow (NaN or infinity); go on "
            "from an earlier checkpoint, with a lower learning rate"
        )


def sample_actions(probs: Tensor) -> Tensor:
    """Sample one column per row, int64[n]; never one with probability 0."""
    sums = probs.cumsum(dim=1)
    thresholds = (1 - torch.rand(len(probs), 1)) * sums[:, -1:]  # never 0
    return (sums < thresholds).sum(dim=1)
