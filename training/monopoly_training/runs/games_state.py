"""Save and restore the games that a learner is playing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from monopoly_training.ppo.kl_ppo import KLPPO
from monopoly_training.sb3.vec_env import MonopolyVecEnv


def games_state(learner: KLPPO, env: MonopolyVecEnv) -> dict[str, Any]:
    """Return the games' state and the learner's current observations, as tensors and numbers."""
    arrays = env.games.state_arrays()
    return {
        **{name: torch.from_numpy(array) for name, array in arrays.items()},
        "seen": torch.from_numpy(np.array(learner.next_obs)),
        "starts": torch.from_numpy(np.array(learner.next_episode_starts)),
        "episodes": list(learner.ep_info_buffer or ()),
    }


def set_games_state(learner: KLPPO, env: MonopolyVecEnv, state: Mapping[str, Any]) -> None:
    """Restore the state returned by :func:`games_state`."""
    tensors = {name: value for name, value in state.items() if isinstance(value, torch.Tensor)}
    env.games.load_state_arrays({name: tensor.numpy() for name, tensor in tensors.items()})
    learner.next_obs = state["seen"].numpy()
    learner.next_episode_starts = state["starts"].numpy()
    learner.keep_episodes(state["episodes"])
