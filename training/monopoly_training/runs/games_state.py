"""The games that a learner plays, as tensors and plain numbers: to go on from after a kill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from monopoly_training.ppo.kl_ppo import KLPPO
from monopoly_training.sb3.vec_env import MonopolyVecEnv


def games_state(learner: KLPPO, env: MonopolyVecEnv) -> dict[str, Any]:
    """Every game being played, and what the learner observes of it."""
    arrays = env.games.state_arrays()
    return {
        **{name: torch.from_numpy(array) for name, array in arrays.items()},
        "seen": torch.from_numpy(np.array(learner.next_obs)),
        "starts": torch.from_numpy(np.array(learner.next_episode_starts)),
        "episodes": list(learner.ep_info_buffer or ()),
    }


def set_games_state(learner: KLPPO, env: MonopolyVecEnv, state: Mapping[str, Any]) -> None:
    """Let the games go on where :func:`games_state` was taken."""
    tensors = {name: value for name, value in state.items() if isinstance(value, torch.Tensor)}
    env.games.load_state_arrays({name: tensor.numpy() for name, tensor in tensors.items()})
    learner.next_obs = state["seen"].numpy()
    learner.next_episode_starts = state["starts"].numpy()
    learner.keep_episodes(state["episodes"])
