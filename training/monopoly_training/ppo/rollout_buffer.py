"""What the learner saw, did and earned between two updates, discounted by the game's clock.

SB3 discounts each decision by gamma. A seat makes many decisions in one window and none for a
while, so what lies a few throws ahead would weigh by how much there was to decide on the way.
Here time passes once a round, that is once an own turn, and not between decisions of the same
turn: for gamma and for lambda alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from torch import Tensor

from monopoly_env.engine.state import Int64s
from monopoly_training.models.mlp import Floats

Clock = Callable[[], Int64s]


class Lesson(NamedTuple):
    """A batch of decisions; the names are SB3's."""

    observations: Tensor
    actions: Tensor
    old_values: Tensor
    old_log_prob: Tensor
    advantages: Tensor
    returns: Tensor
    action_masks: Tensor
    references: Tensor  # log probabilities of all actions by whom the learner is leashed to


class ClockBuffer(MaskableRolloutBuffer):
    """A rollout buffer in which each step has its own length.

    ``clock`` says how many rounds the last step of each game took, int64[n_envs].
    """

    elapsed: Int64s  # rounds from each decision to the next, (n_steps, n_envs)
    references: Floats

    def __init__(self, *args: Any, clock: Clock, **kwargs: Any) -> None:
        self._clock = clock
        super().__init__(*args, **kwargs)

    def reset(self) -> None:
        """Empty it."""
        super().reset()
        shape = (self.buffer_size, self.n_envs)
        self.action_masks = np.ones((*shape, self.mask_dims), np.bool_)
        self.elapsed = np.zeros(shape, np.int64)
        self.references = np.zeros((*shape, 0), np.float32)

    def add(self, *args: Any, **kwargs: Any) -> None:
        """One step of all games; to be told before the games are stepped again."""
        self.elapsed[self.pos] = self._clock()
        super().add(*args, **kwargs)

    def compute_returns_and_advantage(self, last_values: Tensor, dones: Any) -> None:
        """Generalised advantage estimation, both its discounts to the power of the time passed.

        ``last_values`` (n_envs, 1) is worth what follows the last step; ``dones`` bool[n_envs].
        """
        following = last_values.detach().cpu().numpy().flatten()
        goes_on = 1.0 - np.asarray(dones, np.float32)
        advantage = np.zeros(self.n_envs, np.float32)
        for step in reversed(range(self.buffer_size)):
            elapsed = self.elapsed[step]
            discount = goes_on * self.gamma**elapsed
            surprise = self.rewards[step] + discount * following - self.values[step]
            advantage = surprise + discount * self.gae_lambda**elapsed * advantage
            self.advantages[step] = advantage
            following, goes_on = self.values[step], 1.0 - self.episode_starts[step]
        self.returns = self.advantages + self.values

    def refer(self, look: Callable[[Any, Any], Any]) -> None:
        """Keep what ``look(observations, masks)`` says of each step, (n_envs, actions) a step."""
        self.references = np.stack(
            [look(self.observations[k], self.action_masks[k]) for k in range(self.buffer_size)]
        )

    def get(self, batch_size: int | None = None) -> Iterator[Any]:  # type: ignore[override]
        """Batches of all decisions in random order."""
        if not self.generator_ready:
            self.references = self.swap_and_flatten(self.references)
        yield from super().get(batch_size)

    def _get_samples(self, batch_inds: Any, env: Any = None) -> Any:
        found = super()._get_samples(batch_inds, env)
        return Lesson(*found, references=self.to_torch(self.references[batch_inds]))
