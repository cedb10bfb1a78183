"""PPO with a KL penalty for moving away from a reference policy.

An imitated bot plays well, and the first PPO updates, whose values are still wrong, would undo much
of that. The loss therefore includes the Kullback-Leibler divergence from the initial policy, with a
coefficient that decays to zero during the run.

Source: Schmitt et al., Kickstarting deep reinforcement learning, 2018.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.utils import explained_variance, update_learning_rate
from torch import Tensor
from torch.nn.functional import mse_loss

from monopoly_training.ppo.rollout_buffer import ClockBuffer, Minibatch
from monopoly_training.sb3.masked_policy import MaskedPolicy
from monopoly_training.sb3.steppable_ppo import SteppablePPO


class KLPPO(SteppablePPO):
    """MaskablePPO with a KL penalty; without the penalty its updates equal SB3's.

    The penalty's coefficient starts at ``kl_start`` and falls linearly to 0 at ``kl_until``, a
    fraction of the run's progress. It applies once :meth:`freeze_reference` has been called.
    """

    policy: MaskedPolicy
    rollout_buffer: ClockBuffer

    def __init__(
        self, *args: Any, kl_start: float = 0.0, kl_until: float = 1.0, **kwargs: Any
    ) -> None:
        self.kl_start = kl_start
        self.kl_until = kl_until
        self.reference_policy: MaskedPolicy | None = None
        super().__init__(*args, **kwargs)

    def freeze_reference(self) -> None:
        """Make a copy of the current policy the reference of the KL penalty."""
        self.reference_policy = copy.deepcopy(self.policy)

    @property
    def kl_coefficient(self) -> float:
        """Current weight of the KL divergence in the loss."""
        if self.reference_policy is None:
            return 0.0
        progress = 1.0 - self.progress_remaining
        return self.kl_start * max(0.0, 1.0 - progress / max(self.kl_until, 1e-9))

    def train(self) -> None:
        """Update the policy with the decisions in the rollout buffer."""
        self.policy.set_training_mode(True)
        update_learning_rate(self.policy.optimizer, self.lr_schedule(self.progress_remaining))
        kl_coefficient = self.kl_coefficient
        if kl_coefficient > 0.0:
            self.rollout_buffer.add_reference_log_probs(self._reference_log_probs)
        history: list[dict[str, float]] = []
        for _ in range(self.n_epochs):
            for minibatch in self.rollout_buffer.get(self.batch_size):
                loss, statistics = self._loss(minibatch, kl_coefficient)
                history.append(statistics)
                if self.target_kl is not None and statistics["approx_kl"] > 1.5 * self.target_kl:
                    self._record(history, kl_coefficient)
                    return
                self._step_optimizer(loss)
            self.n_updates += 1
        self._record(history, kl_coefficient)

    def _reference_log_probs(self, observations: Any, masks: Any) -> Any:
        """Return the reference policy's log probabilities of all actions."""
        assert self.reference_policy is not None
        with torch.no_grad():
            obs = torch.as_tensor(observations)
            return self.reference_policy.log_probs(obs, masks)[0].numpy()

    def _loss(self, minibatch: Minibatch, kl_coefficient: float) -> tuple[Tensor, dict[str, float]]:
        """Return the loss and the statistics to log."""
        log_probs, values = self.policy.log_probs(minibatch.observations, minibatch.action_masks)
        log_prob = log_probs.gather(1, minibatch.actions.long()).flatten()
        probs = log_probs.exp()
        entropy = -(probs * log_probs).sum(dim=1).mean()
        log_ratio = log_prob - minibatch.old_log_prob
        policy_loss, clip_fraction = self._policy_loss(log_ratio.exp(), minibatch.advantages)
        value_loss = self._value_loss(values.flatten(), minibatch)
        loss = policy_loss - self.ent_coef * entropy + self.vf_coef * value_loss
        statistics = {
            "policy_gradient_loss": policy_loss.item(),
            "value_loss": value_loss.item(),
            "entropy": entropy.item(),
            "entropy_loss": -entropy.item(),  # SB3's name and sign
            "approx_kl": (log_ratio.exp() - 1 - log_ratio).mean().item(),
            "clip_fraction": clip_fraction,
        }
        if kl_coefficient > 0.0:
            kl = (probs * (log_probs - minibatch.reference_log_probs)).sum(dim=1).mean()
            loss = loss + kl_coefficient * kl
            statistics["kl_to_reference"] = kl.item()
        statistics["loss"] = loss.item()
        return loss, statistics

    def _policy_loss(self, ratio: Tensor, advantages: Tensor) -> tuple[Tensor, float]:
        """Return PPO's clipped loss and the fraction of decisions whose ratio is clipped."""
        clip_range = self.clip_range(self.progress_remaining)  # type: ignore[operator]
        # one advantage has no standard deviation
        if self.normalize_advantage and len(advantages) > 1:
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        clipped_ratio = ratio.clamp(1 - clip_range, 1 + clip_range)
        clip_fraction = ((ratio - 1).abs() > clip_range).float().mean().item()
        return -torch.min(advantages * ratio, advantages * clipped_ratio).mean(), clip_fraction

    def _value_loss(self, values: Tensor, minibatch: Minibatch) -> Tensor:
        """Return the squared error of the values, clipped around the old ones if asked for."""
        if self.clip_range_vf is not None:
            clip_range = self.clip_range_vf(self.progress_remaining)  # type: ignore[operator]
            change = (values - minibatch.old_values).clamp(-clip_range, clip_range)
            values = minibatch.old_values + change
        return mse_loss(values, minibatch.returns)

    def _step_optimizer(self, loss: Any) -> None:
        """Take one optimizer step, with the gradient norm clipped."""
        self.policy.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        self.policy.optimizer.step()

    def _record(self, history: list[dict[str, float]], kl_coefficient: float) -> None:
        """Log the means over an update's minibatches."""
        for name in history[-1]:
            mean = float(np.mean([statistics[name] for statistics in history]))
            self.logger.record(f"train/{name}", mean)
        buffer = self.rollout_buffer
        self.logger.record(
            "train/explained_variance",
            float(explained_variance(buffer.values.flatten(), buffer.returns.flatten())),
        )
        self.logger.record("train/kl_coefficient", kl_coefficient)
        self.logger.record("train/learning_rate", self.lr_schedule(self.progress_remaining))
        self.logger.record("train/n_updates", self.n_updates)
        clip_range = self.clip_range(self.progress_remaining)  # type: ignore[operator]
        self.logger.record("train/clip_range", clip_range)
