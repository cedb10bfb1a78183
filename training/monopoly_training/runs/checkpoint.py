"""The checkpoint file: the complete state of a training run, for exact resumption after a kill.

The first line holds the digest of the rest, which contains only tensors and plain numbers and is
read without running any code in it. The keys are part of the format: ``master`` is the reference
policy, ``memory`` the teacher's state.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any

import torch

from monopoly_env.errors import Location
from monopoly_env.files import read_bytes
from monopoly_training.common.files import write_atomic
from monopoly_training.ppo.kl_ppo import KLPPO
from monopoly_training.runs.games_state import games_state, set_games_state
from monopoly_training.runs.opponent_pool import OpponentPool
from monopoly_training.runs.random_state import random_state, set_random_state
from monopoly_training.runs.run_folder import CHECKPOINT, RunError
from monopoly_training.runs.teacher import Teacher
from monopoly_training.runs.worker_rollouts import WorkerRollouts
from monopoly_training.sb3.vec_env import MonopolyVecEnv

FORMAT = 6
TITLE = b"monopoly-env checkpoint, sha256 "
MOST_BYTES = 16 << 30
LONGEST = 200  # maximum length of an error message


@dataclass
class Counters:
    """Progress counters of a run."""

    iterations: int = 0
    games: int = 0
    seconds: float = 0.0  # training time, summed over all processes of the run
    evaluated_at: int = -1  # steps at the last evaluation
    saved_at: int = 0  # steps at the last checkpoint
    past_due: int = 0  # step at which the next past self is due


@dataclass(frozen=True)
class Kept:
    """The rest of a checkpoint: the settings of the run and its learning curve."""

    config: Mapping[str, Any]
    replaced: Mapping[str, Any] | None  # the previous settings, until config.yaml has the new ones
    curve: list[dict[str, Any]]


@dataclass
class Parts:
    """The components of a run that have state, besides the counters."""

    learner: KLPPO
    env: MonopolyVecEnv
    pool: OpponentPool
    teacher: Teacher | None
    workers: WorkerRollouts | None = None  # workers that play the games instead of this process


def save_checkpoint(folder: Path, parts: Parts, counters: Counters, kept: Kept) -> None:
    """Write the complete state of a run, between two iterations."""
    learner, reference = parts.learner, parts.learner.reference_policy
    buffer = io.BytesIO()
    torch.save(
        {
            "format": FORMAT,
            **asdict(kept),
            "counters": asdict(counters),
            "steps": learner.num_timesteps,
            "updates": learner.n_updates,
            "policy": learner.policy.state_dict(),
            "optimizer": learner.policy.optimizer.state_dict(),
            "master": reference.state_dict() if reference is not None else None,
            "pool": parts.pool.state(),
            "random": random_state(),
            **played_state(parts),
        },
        buffer,
    )
    data = buffer.getvalue()
    write_atomic(folder / CHECKPOINT, title_of(data) + data)


def played_state(parts: Parts) -> dict[str, Any]:
    """Return the state of the games in progress (here or in workers) and of the teacher."""
    if parts.workers is not None:
        return {"games": None, "memory": None, "workers": parts.workers.state()}
    memory = parts.teacher.state() if parts.teacher is not None else None
    return {"games": games_state(parts.learner, parts.env), "memory": memory, "workers": None}


def set_played_state(parts: Parts, state: Mapping[str, Any]) -> None:
    """Restore the state returned by :func:`played_state`."""
    if parts.workers is not None:
        parts.workers.set_state(state["workers"])
        return
    set_games_state(parts.learner, parts.env, state["games"])
    if parts.teacher is not None:
        parts.teacher.set_state(state["memory"])


def title_of(data: bytes) -> bytes:
    """Return the first line of a checkpoint: its title and the digest of the rest."""
    return TITLE + hashlib.sha256(data).hexdigest().encode() + b"\n"


def checked_content(path: Path, location: Location) -> bytes:
    """Return the content after the first line. Raises: RunError if it does not match its digest."""
    data = read_bytes(path, location, MOST_BYTES)
    title, _, content = data.partition(b"\n")
    if not title.startswith(TITLE):
        location.fail("is not a checkpoint, or is damaged; train again")
    if title + b"\n" != title_of(content):
        location.fail("is damaged: its content does not fit its digest; train again")
    return content


def read_checkpoint(folder: Path) -> Mapping[str, Any]:
    """Read a run's checkpoint. Raises: RunError, one line."""
    path = folder / CHECKPOINT
    location = RunError.at(path)
    if not path.exists():
        location.fail("there is no checkpoint; give the folder of a run that has one")
    data = checked_content(path, location)
    try:
        state = torch.load(io.BytesIO(data), weights_only=True)
    except Exception as problem:  # noqa: BLE001 - a broken file can raise anything
        location.fail(f"is not a checkpoint, or is damaged; train again ({brief(problem)})")
    if not isinstance(state, Mapping) or state.get("format") != FORMAT:
        location.fail("was written by another version of monopoly-env; train again")
    for name, kind in (("config", Mapping), ("curve", list)):
        if not isinstance(state.get(name), kind):
            location.fail(f"is not a checkpoint, or is damaged; train again ({name} is missing)")
    return state


def set_state(folder: Path, parts: Parts, state: Mapping[str, Any]) -> Counters:
    """Restore the state of a run into parts created from its config.

    ``state`` is the result of :func:`read_checkpoint`. Raises: RunError, one line.
    """
    try:
        set_learner_state(parts.learner, state)
        parts.pool.set_state(state["pool"])
        set_played_state(parts, state)
        set_random_state(state["random"])
        return Counters(**state["counters"])
    except (RuntimeError, ValueError, LookupError, TypeError, AttributeError) as problem:
        RunError.at(folder / CHECKPOINT).fail(f"does not fit its config.yaml: {brief(problem)}")


def brief(problem: Exception) -> str:
    """Return a short form of PyTorch's error message, which can fill pages."""
    text = f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
    return shorten(text, LONGEST, placeholder=" …")


def set_learner_state(learner: KLPPO, state: Mapping[str, Any]) -> None:
    """Restore the learner's policy, optimizer, reference policy and step counts."""
    if state["master"] is not None:
        learner.policy.load_state_dict(state["master"])
        learner.freeze_reference()
    learner.policy.load_state_dict(state["policy"])
    learner.policy.optimizer.load_state_dict(state["optimizer"])
    learner.num_timesteps = state["steps"]
    learner.n_updates = state["updates"]
