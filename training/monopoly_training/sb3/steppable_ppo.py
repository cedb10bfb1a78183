"""MaskablePPO whose loop runs outside of it.

SB3's ``learn()`` owns the loop: it resets the games, collects, updates, and keeps between rollouts
what the next one begins from. A run here does more between rollouts (imitation, evaluation,
checkpoints), and goes on after a kill.

This is the only module that touches attributes of SB3's algorithms that begin with an underscore,
and touches two:

``_last_obs``, ``_last_episode_starts``
    What the next call of ``collect_rollouts()`` begins from. SB3 sets them in ``learn()`` and
    offers no other access. Imitation plays on from there, a checkpoint keeps them.

How far the run is and how many updates it made are kept here instead of in SB3's
``_current_progress_remaining`` and ``_n_updates``: only subclasses' ``train()`` asks for them.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

EPISODES = 100  # the last ones, whose rewards and lengths SB3 keeps


class SteppablePPO(MaskablePPO):
    """MaskablePPO for a loop of one's own: :meth:`start`, then ``collect_rollouts``, ``train``."""

    policy: MaskableActorCriticPolicy
    rollout_buffer: MaskableRolloutBuffer

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.progress_remaining = 1.0  # from 1 to 0: what schedules are asked with
        self.n_updates = 0  # passes over rollouts so far
        super().__init__(*args, **kwargs)

    def start(self) -> None:
        """Reset the games, for the first rollout to begin from."""
        assert self.env is not None
        self.next_obs = self.env.reset()
        self.next_episode_starts = np.ones(self.env.num_envs, np.bool_)
        self.keep_episodes(())

    @property
    def next_obs(self) -> Any:
        """The observations that the next rollout begins from, (n_envs, columns)."""
        return self._last_obs

    @next_obs.setter
    def next_obs(self, obs: Any) -> None:
        self._last_obs = obs

    @property
    def next_episode_starts(self) -> npt.NDArray[np.bool_]:
        """Whether the games that the next rollout begins from have just begun, bool[n_envs]."""
        assert self._last_episode_starts is not None
        return self._last_episode_starts

    @next_episode_starts.setter
    def next_episode_starts(self, starts: npt.NDArray[np.bool_]) -> None:
        self._last_episode_starts = starts

    def keep_episodes(self, episodes: Any) -> None:
        """Take these for the last episodes, mappings with ``r``, ``l`` and ``t``; none are wins."""
        self.ep_info_buffer = deque(episodes, maxlen=EPISODES)
        self.ep_success_buffer = deque(maxlen=EPISODES)
