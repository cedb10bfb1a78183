"""SB3's actor-critic with masks, counted once: half the time of an update goes into them there."""

from __future__ import annotations

from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor
from torch.nn.functional import log_softmax

ILLEGAL = -1e8


class MaskedPolicy(MaskableActorCriticPolicy):
    """The same network and the same numbers; sb3-contrib normalises twice and draws slowly."""

    def forward(
        self, obs: Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, their values and their log probabilities."""
        chances, values = self._look(obs, action_masks)
        actions = chances.argmax(dim=1) if deterministic else draw(chances.exp())
        return actions, values, chances.gather(1, actions[:, None]).flatten()

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Any = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log probabilities of the actions, and how undecided the policy is."""
        chances, values = self._look(obs, action_masks)
        undecided = -(chances.exp() * chances).sum(dim=1)
        return values, chances.gather(1, actions.long()[:, None]).flatten(), undecided

    def _look(self, obs: Tensor, action_masks: Any) -> tuple[Tensor, Tensor]:
        """Log probabilities of all actions, and values."""
        features = self.extract_features(obs)
        acting, judging = self.mlp_extractor(features)
        logits = self.action_net(acting)
        if action_masks is not None:
            legal = torch.as_tensor(action_masks, dtype=torch.bool)
            logits = logits.masked_fill(~legal.reshape(logits.shape), ILLEGAL)
        return log_softmax(logits, dim=1), self.value_net(judging)


def draw(chances: Tensor) -> Tensor:
    """One column a row, by its chance; never one whose chance is 0."""
    sums = chances.cumsum(dim=1)
    goals = (1 - torch.rand(len(chances), 1)) * sums[:, -1:]  # never 0
    return (sums < goals).sum(dim=1)
