"""PPO on a leash: the learner may leave the policy that it began from, but pays for the distance.

An imitated bot plays well, and the first updates of PPO, whose values are still wrong, would undo
much of that. The Kullback-Leibler divergence from the policy as it began is a part of the loss,
with a weight that falls to nothing as the run goes on.

Source: Schmitt et al., Kickstarting deep reinforcement learning, 2018.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from torch import Tensor
from torch.nn.functional import mse_loss

from monopoly_training.ppo.policy import MaskedPolicy
from monopoly_training.ppo.rollout_buffer import ClockBuffer, Lesson


class KLPPO(MaskablePPO):
    """MaskablePPO with a leash; without one its updates are SB3's, counted once.

    ``leash`` is the weight of the divergence at first; it falls in a line to 0 at ``leash_until``,
    a share of the run's progress.
    """

    policy: MaskedPolicy
    rollout_buffer: ClockBuffer

    def __init__(
        self, *args: Any, leash: float = 0.0, leash_until: float = 1.0, **kwargs: Any
    ) -> None:
        self.leash = leash
        self.leash_until = leash_until
        self.master: MaskedPolicy | None = None  # whom the leash holds it to
        super().__init__(*args, **kwargs)

    def hold(self) -> None:
        """Leash the learner to the policy as it is now."""
        self.master = copy.deepcopy(self.policy)

    def pull(self) -> float:
        """The weight of the divergence now."""
        if self.master is None:
            return 0.0
        done = 1.0 - self._current_progress_remaining
        return self.leash * max(0.0, 1.0 - done / max(self.leash_until, 1e-9))

    def train(self) -> None:
        """Improve the policy by the decisions in the rollout buffer."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        pull = self.pull()
        if pull > 0.0:
            self.rollout_buffer.refer(self._refer)
        told: list[dict[str, float]] = []
        for _ in range(self.n_epochs):
            for lesson in self.rollout_buffer.get(self.batch_size):
                loss, facts = self._loss(lesson, pull)
                told.append(facts)
                if self.target_kl is not None and facts["approx_kl"] > 1.5 * self.target_kl:
                    self._tell(told, pull)
                    return
                self._descend(loss)
            self._n_updates += 1
        self._tell(told, pull)

    def _refer(self, observations: Any, masks: Any) -> Any:
        """Log probabilities of all actions by the policy that the learner is leashed to."""
        assert self.master is not None
        with torch.no_grad():
            return self.master.log_probs(torch.as_tensor(observations), masks)[0].numpy()

    def _loss(self, lesson: Lesson, pull: float) -> tuple[Tensor, dict[str, float]]:
        """What to make less of, and what it is made of."""
        chances, values = self.policy.log_probs(lesson.observations, lesson.action_masks)
        taken = chances.gather(1, lesson.actions.long()).flatten()
        shares = chances.exp()
        entropy = -(shares * chances).sum(dim=1).mean()
        change = taken - lesson.old_log_prob
        policy_loss, clipped = self._policy_loss(change.exp(), lesson.advantages)
        value_loss = mse_loss(values.flatten(), lesson.returns)
        loss = policy_loss - self.ent_coef * entropy + self.vf_coef * value_loss
        facts = {
            "policy_gradient_loss": policy_loss.item(),
            "value_loss": value_loss.item(),
            "entropy": entropy.item(),
            "approx_kl": (change.exp() - 1 - change).mean().item(),
            "clip_fraction": clipped,
        }
        if pull > 0.0:
            divergence = (shares * (chances - lesson.references)).sum(dim=1).mean()
            loss = loss + pull * divergence
            facts["leash_kl"] = divergence.item()
        return loss, facts

    def _policy_loss(self, ratio: Tensor, advantages: Tensor) -> tuple[Tensor, float]:
        """PPO's clipped objective, and the share of decisions that the clip holds back."""
        clip = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        held = ratio.clamp(1 - clip, 1 + clip)
        clipped = ((ratio - 1).abs() > clip).float().mean().item()
        return -torch.min(advantages * ratio, advantages * held).mean(), clipped

    def _descend(self, loss: Any) -> None:
        """One step of the optimizer."""
        self.policy.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
        self.policy.optimizer.step()

    def _tell(self, told: list[dict[str, float]], pull: float) -> None:
        """Log the means of an update."""
        for name in told[-1]:
            self.logger.record(f"train/{name}", float(np.mean([facts[name] for facts in told])))
        buffer = self.rollout_buffer
        error = float(np.var(buffer.returns - buffer.values))
        spread = float(np.var(buffer.returns))
        self.logger.record("train/explained_variance", 1 - error / spread if spread else np.nan)
        self.logger.record("train/leash", pull)
        self.logger.record(
            "train/learning_rate", self.lr_schedule(self._current_progress_remaining)
        )
