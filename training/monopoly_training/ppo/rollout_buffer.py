"""Rollout buffer that discounts by game time instead of by decision.

SB3 discounts every decision by gamma. A seat makes many decisions in one window and then none for a
while, so the weight of what lies a few rolls ahead would depend on the number of decisions before
it. Here time advances once per round, with the seat's own turn, and not between decisions of the
same turn. This applies to gamma and lambda alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from torch import Tensor

from monopoly_env.engine.state import Int64s
from monopoly_training.models.mlp import Floats

Clock = Callable[[], Int64s]
BY_DECISION = (  # arrays that minibatches are drawn from
    "observations",
    "actions",
    "values",
    "log_probs",
    "advantages",
    "returns",
    "action_masks",
    "reference_log_probs",
)
FIELDS = {"values": "old_values", "log_probs": "old_log_prob"}  # SB3's names in minibatches


class Minibatch(NamedTuple):
    """A minibatch of decisions; the fields have SB3's names, except for the last."""

    observations: Tensor
    actions: Tensor  # (n, 1)
    old_values: Tensor
    old_log_prob: Tensor
    advantages: Tensor
    returns: Tensor
    action_masks: Tensor
    reference_log_probs: Tensor  # (n, actions), or (n, 0) without a reference policy


class ClockBuffer(MaskableRolloutBuffer):
    """A rollout buffer in which each step has its own duration.

    ``clock`` returns how many rounds the last step of each game took, int64[n_envs].
    """

    elapsed: Int64s  # rounds from each decision to the next, (n_steps, n_envs)
    reference_log_probs: Floats

    def __init__(self, *args: Any, clock: Clock, **kwargs: Any) -> None:
        self._clock = clock
        self._is_made = False
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Clear the buffer. Its arrays are allocated once: every rollout overwrites all of them."""
        self.reference_log_probs = np.zeros((self.buffer_size, self.n_envs, 0), np.float32)
        if self._is_made:
            self.pos, self.full = 0, False
            return
        super().reset()
        shape = (self.buffer_size, self.n_envs)
        self.action_masks = np.ones((*shape, self.mask_dims), np.bool_)
        self.elapsed = np.zeros(shape, np.int64)
        self._is_made = True

    def add(  # type: ignore[override]
        self,
        obs: Any,
        action: Any,
        reward: Any,
        episode_start: Any,
        value: Tensor,
        log_prob: Tensor,
        action_masks: Any = None,
    ) -> None:
        """Add one step of all games; call it before the next step, because it reads the clock."""
        step = self.pos
        self.elapsed[step] = self._clock()
        self.observations[step] = obs
        self.actions[step] = action
        self.rewards[step] = reward
        self.episode_starts[step] = episode_start
        self.values[step] = value.numpy().flatten()
        self.log_probs[step] = log_prob.numpy()
        if action_masks is not None:
            self.action_masks[step] = action_masks
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_returns_and_advantage(self, last_values: Tensor, dones: Any) -> None:
        """Compute advantages by GAE, with gamma and lambda raised to the rounds elapsed.

        ``last_values`` (n_envs, 1) are the values after the last step; ``dones`` is bool[n_envs].
        """
        next_values = last_values.detach().cpu().numpy().flatten()
        nonterminal = 1.0 - np.asarray(dones, np.float32)
        last_gae = np.zeros(self.n_envs, np.float32)
        for step in reversed(range(self.buffer_size)):
            elapsed = self.elapsed[step]
            discount = nonterminal * self.gamma**elapsed
            delta = self.rewards[step] + discount * next_values - self.values[step]
            last_gae = delta + discount * self.gae_lambda**elapsed * last_gae
            self.advantages[step] = last_gae
            next_values, nonterminal = self.values[step], 1.0 - self.episode_starts[step]
        self.returns = self.advantages + self.values

    def add_reference_log_probs(self, log_probs: Callable[[Any, Any], Any]) -> None:
        """Store a reference policy's log probabilities of all actions.

        ``log_probs(observations, action_masks)`` returns those of one step, (n_envs, actions).
        """
        self.reference_log_probs = np.stack(
            [
                log_probs(self.observations[step], self.action_masks[step])
                for step in range(self.buffer_size)
            ]
        )

    def get(self, batch_size: int | None = None) -> Iterator[Minibatch]:  # type: ignore[override]
        """Yield minibatches of all decisions in random order.

        A single one without ``batch_size``.
        """
        n = self.buffer_size * self.n_envs
        order = np.random.permutation(n)  # noqa: NPY002 - the generator that SB3 seeds
        # SB3 numbers decisions game by game, and copies all arrays into that order; no copy is needed
        order = order % self.buffer_size * self.n_envs + order // self.buffer_size
        flat = {name: flattened(getattr(self, name)) for name in BY_DECISION}
        size = batch_size or n
        for start in range(0, n, size):
            rows = order[start : start + size]
            yield Minibatch(**{FIELDS.get(name, name): taken(flat[name], rows) for name in flat})


def flattened(array: Any) -> Any:
    """Return an array with one row a decision, step by step, without a copy."""
    return array.reshape(array.shape[0] * array.shape[1], *array.shape[2:])


def taken(array: Any, rows: Int64s) -> Tensor:
    """Return some decisions' rows as a tensor."""
    return torch.from_numpy(array.take(rows, axis=0))
