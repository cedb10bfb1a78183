"""MaskablePPO with its training loop outside.

SB3's ``learn()`` owns the loop: it resets the environment, collects, updates, and holds the state
between rollouts. Our training loop does more between rollouts (imitation, evaluation, checkpoints),
and can resume after a kill.

This is the only module that uses private attributes of SB3's algorithms, and it uses two:

``_last_obs``, ``_last_episode_starts``
    The state from which the next ``collect_rollouts()`` starts. SB3 sets them in ``learn()`` and
    offers no other access. Imitation continues from them, and checkpoints save them.

Progress and the number of updates are stored here instead of in SB3's
``_current_progress_remaining`` and ``_n_updates``, since only the subclasses' ``train()`` needs
them.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

EPISODES = 100  # number of recent episodes for which SB3 keeps statistics


class SteppablePPO(MaskablePPO):
    """MaskablePPO for custom loops: call :meth:`start`, then ``collect_rollouts`` and ``train``."""

    policy: MaskableActorCriticPolicy
    rollout_buffer: MaskableRolloutBuffer

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.progress_remaining = 1.0  # from 1 to 0, for schedules
        self.n_updates = 0  # number of epochs so far
        super().__init__(*args, **kwargs)

    def start(self) -> None:
        """Reset the environment for the first rollout."""
        assert self.env is not None
        self.next_obs = self.env.reset()
        self.next_episode_starts = np.ones(self.env.num_envs, np.bool_)
        self.keep_episodes(())

    @property
    def next_obs(self) -> Any:
        """The observations from which the next rollout starts, (n_envs, columns)."""
        return self._last_obs

    @next_obs.setter
    def next_obs(self, obs: Any) -> None:
        self._last_obs = obs

    @property
    def next_episode_starts(self) -> npt.NDArray[np.bool_]:
        """Whether each game of the next rollout has just started, bool[n_envs]."""
        assert self._last_episode_starts is not None
        return self._last_episode_starts

    @next_episode_starts.setter
    def next_episode_starts(self, starts: npt.NDArray[np.bool_]) -> None:
        self._last_episode_starts = starts

    def keep_episodes(self, episodes: Any) -> None:
        """Restore the recent episodes, mappings with ``r``, ``l`` and ``t``."""
        self.ep_info_buffer = deque(episodes, maxlen=EPISODES)
        self.ep_success_buffer = deque(maxlen=EPISODES)
