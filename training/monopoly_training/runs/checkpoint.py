"""Everything a training run is, in one file: after a kill it goes on as if nothing had happened.

The file holds tensors and plain numbers only and is read without running any code in it.
"""

from __future__ import annotations

import io
import random
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np
import torch

from monopoly_training.common.files import write_atomic
from monopoly_training.common.schema import location_of
from monopoly_training.ppo.kl_ppo import KLPPO
from monopoly_training.runs.imitation import Teacher
from monopoly_training.runs.opponent_pool import Pool
from monopoly_training.sb3.feature_selection import FeatureSelection

FILE = "checkpoint.pt"
FORMAT = 2
LONGEST = 200  # characters of an error


@dataclass
class Counters:
    """How far a run has come."""

    iterations: int = 0
    games: int = 0
    seconds: float = 0.0  # of training, over all its sessions
    evaluated_at: int = -1  # steps at the last evaluation
    saved_at: int = 0  # steps at the last checkpoint
    past_due: int = 0  # steps at which the next past self is kept


@dataclass
class Parts:
    """What a run consists of, beside its counters."""

    learner: KLPPO
    env: FeatureSelection
    pool: Pool
    teacher: Teacher | None


def save_checkpoint(folder: Path, parts: Parts, counters: Counters) -> None:
    """Write the whole run, between two iterations."""
    learner, master = parts.learner, parts.learner.master
    buffer = io.BytesIO()
    torch.save(
        {
            "format": FORMAT,
            "counters": asdict(counters),
            "steps": learner.num_timesteps,
            "updates": learner._n_updates,
            "policy": learner.policy.state_dict(),
            "optimizer": learner.policy.optimizer.state_dict(),
            "master": master.state_dict() if master is not None else None,
            "pool": parts.pool.state(),
            "random": random_state(),
            "games": games_state(learner, parts.env),
            "memory": parts.teacher.state() if parts.teacher is not None else None,
        },
        buffer,
    )
    write_atomic(folder / FILE, buffer.getvalue())


def load_checkpoint(folder: Path, parts: Parts) -> Counters:
    """Bring parts that were made from the run's own config to where the run stands."""
    path = folder / FILE
    if not path.is_file():
        location_of(path).fail("there is no checkpoint; give the folder of a run that has one")
    try:
        found = torch.load(path, weights_only=True)
    except Exception as problem:  # noqa: BLE001 - a broken file can raise anything
        location_of(path).fail(f"is no checkpoint, or a damaged one; train anew ({brief(problem)})")
    if not isinstance(found, Mapping) or found.get("format") != FORMAT:
        location_of(path).fail("is of another version of monopoly-env; train anew")
    try:
        set_learner(parts.learner, found)
        parts.pool.set_state(found["pool"])
        set_games_state(parts.learner, parts.env, found["games"])
        if parts.teacher is not None:
            parts.teacher.set_state(found["memory"])
        set_random_state(found["random"])
        return Counters(**found["counters"])
    except (RuntimeError, ValueError, LookupError, TypeError, AttributeError) as problem:
        location_of(path).fail(f"does not fit its config.yaml: {brief(problem)}")


def brief(problem: Exception) -> str:
    """What PyTorch says, without the pages that may follow; a missing key as such."""
    text = f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
    return shorten(text, LONGEST, placeholder=" …")


def set_learner(learner: KLPPO, found: Mapping[str, Any]) -> None:
    """The policy, its optimizer and the policy that it is leashed to."""
    if found["master"] is not None:
        learner.policy.load_state_dict(found["master"])
        learner.hold()
    learner.policy.load_state_dict(found["policy"])
    learner.policy.optimizer.load_state_dict(found["optimizer"])
    learner.num_timesteps = found["steps"]
    learner._n_updates = found["updates"]


# --- random numbers ---


def random_state() -> dict[str, Any]:
    """The generators that SB3 draws from."""
    version, numbers, gauss = random.getstate()
    numpy_state: Any = np.random.get_state()  # noqa: NPY002 - SB3 uses it
    name, keys, *rest = numpy_state
    return {
        "python": [version, list(numbers), gauss],
        "numpy": [name, torch.from_numpy(keys.astype(np.int64)), *rest],
        "torch": torch.get_rng_state(),
    }


def set_random_state(state: Mapping[str, Any]) -> None:
    """The way back."""
    version, numbers, gauss = state["python"]
    random.setstate((version, tuple(numbers), gauss))
    name, keys, *rest = state["numpy"]
    np.random.set_state((name, keys.numpy().astype(np.uint32), *rest))  # noqa: NPY002
    torch.set_rng_state(state["torch"])


# --- the games ---


def games_state(learner: KLPPO, env: FeatureSelection) -> dict[str, Any]:
    """Every game being played, and what the learner sees of it."""
    arrays = env.venv.games.state_arrays()
    return {
        **{name: torch.from_numpy(array) for name, array in arrays.items()},
        "seen": torch.from_numpy(np.array(learner._last_obs)),
        "starts": torch.from_numpy(np.array(learner._last_episode_starts)),
        "episodes": list(learner.ep_info_buffer or ()),
    }


def set_games_state(learner: KLPPO, env: FeatureSelection, state: Mapping[str, Any]) -> None:
    """The way back."""
    games = env.venv.games
    tensors = {name: value for name, value in state.items() if isinstance(value, torch.Tensor)}
    games.load_state_arrays({name: tensor.numpy() for name, tensor in tensors.items()})
    env.see_again(games.observations)
    learner._last_obs = state["seen"].numpy()
    learner._last_episode_starts = state["starts"].numpy()
    learner.ep_info_buffer = deque(state["episodes"], maxlen=learner._stats_window_size)
