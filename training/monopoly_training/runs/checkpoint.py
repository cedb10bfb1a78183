"""Everything a training run is, in one file: after a kill it goes on as if nothing had happened.

A first line has the digest of the rest, which holds tensors and plain numbers only and is read
without running any code in it. Its keys are a format: ``master`` is the reference policy, ``memory`` the teacher's.
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

FORMAT = 5
TITLE = b"monopoly-env checkpoint, sha256 "
MOST_BYTES = 16 << 30
LONGEST = 200  # characters of an error


@dataclass
class Counters:
    """How far a run has come."""

    iterations: int = 0
    games: int = 0
    seconds: float = 0.0  # of training, over all its processes
    evaluated_at: int = -1  # steps at the last evaluation
    saved_at: int = 0  # steps at the last checkpoint
    past_due: int = 0  # steps at which the next past self is kept


@dataclass(frozen=True)
class Kept:
    """What else a checkpoint keeps: the settings that the run was made with, and its curve."""

    config: Mapping[str, Any]
    replaced: Mapping[str, Any] | None  # the config before, until config.yaml says the new one
    curve: list[dict[str, Any]]


@dataclass
class Parts:
    """What a run consists of, beside its counters."""

    learner: KLPPO
    env: MonopolyVecEnv
    pool: OpponentPool
    teacher: Teacher | None
    workers: WorkerRollouts | None = None  # that play the games, in place of this process


def save_checkpoint(folder: Path, parts: Parts, counters: Counters, kept: Kept) -> None:
    """Write the whole run, between two iterations."""
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
    """The games being played, here or by workers, and what a teacher remembers of them."""
    if parts.workers is not None:
        return {"games": None, "memory": None, "workers": parts.workers.state()}
    memory = parts.teacher.state() if parts.teacher is not None else None
    return {"games": games_state(parts.learner, parts.env), "memory": memory, "workers": None}


def set_played_state(parts: Parts, state: Mapping[str, Any]) -> None:
    """Let the games go on where :func:`played_state` was taken."""
    if parts.workers is not None:
        parts.workers.set_state(state["workers"])
        return
    set_games_state(parts.learner, parts.env, state["games"])
    if parts.teacher is not None:
        parts.teacher.set_state(state["memory"])


def title_of(data: bytes) -> bytes:
    """The first line of a checkpoint: what it is, and the digest of all that follows."""
    return TITLE + hashlib.sha256(data).hexdigest().encode() + b"\n"


def checked_content(path: Path, location: Location) -> bytes:
    """What follows the first line of a checkpoint. Raises: RunError, if it has changed since."""
    data = read_bytes(path, location, MOST_BYTES)
    title, _, content = data.partition(b"\n")
    if not title.startswith(TITLE):
        location.fail("is not a checkpoint, or is damaged; train again")
    if title + b"\n" != title_of(content):
        location.fail("is damaged: its content does not fit its digest; train again")
    return content


def read_checkpoint(folder: Path) -> Mapping[str, Any]:
    """What the checkpoint of a run holds. Raises: RunError, one line."""
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
    """Bring parts that were made from the run's own config to where the run is.

    ``state`` is what :func:`read_checkpoint` found. Raises: RunError, one line.
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
    """PyTorch's message without the pages that may follow; a missing key as such."""
    text = f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
    return shorten(text, LONGEST, placeholder=" …")


def set_learner_state(learner: KLPPO, state: Mapping[str, Any]) -> None:
    """Give the learner the saved policy, optimizer, reference policy and counts."""
    if state["master"] is not None:
        learner.policy.load_state_dict(state["master"])
        learner.freeze_reference()
    learner.policy.load_state_dict(state["policy"])
    learner.policy.optimizer.load_state_dict(state["optimizer"])
    learner.num_timesteps = state["steps"]
    learner.n_updates = state["updates"]
