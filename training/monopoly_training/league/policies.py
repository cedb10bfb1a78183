"""The policies of a league: their names and files.

``main_1.3`` is the first main agent after the third round; ``start`` is the initial policy.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from monopoly_env.errors import Location
from monopoly_training.league.config import LearnersConfig
from monopoly_training.models.storage import CARD, WEIGHTS
from monopoly_training.runs.checkpoint import checked_content, title_of
from monopoly_training.runs.run_folder import RunError

START = "start"
MAIN, MAIN_EXPLOITER, LEAGUE_EXPLOITER = "main", "main_exploiter", "league_exploiter"
# policy with value head, and optimizer: the state from which a learner continues
LEARNER = "learner.pt"
FILES = (WEIGHTS, CARD, LEARNER)  # of a policy, in the order of writing
POLICIES = "policies"  # the subfolder of all policies

State = dict[str, Any]  # with the keys "policy" and "optimizer"


def learners(config: LearnersConfig) -> Iterator[str]:
    """Yield the names of the learners: ``main_1``, ``main_exploiter_1`` and so on."""
    counts = {
        MAIN: config.main,
        MAIN_EXPLOITER: config.main_exploiters,
        LEAGUE_EXPLOITER: config.league_exploiters,
    }
    for kind, count in counts.items():
        yield from (f"{kind}_{number}" for number in range(1, count + 1))


def kind_of(name: str) -> str:
    """Return the kind of a learner, given its name or that of one of its policies.

    >>> kind_of("main_exploiter_2.7"), kind_of("start")
    ('main_exploiter', 'start')
    """
    return START if name == START else name.partition(".")[0].rpartition("_")[0]


def folder_of(league: Path, policy: str) -> Path:
    """Return the folder of a policy's files."""
    return league / POLICIES / policy


def is_there(league: Path, policy: str) -> bool:
    """Return whether a policy has been trained, that is, whether its last file exists."""
    return (folder_of(league, policy) / LEARNER).exists()


def as_bytes(state: Mapping[str, Any]) -> bytes:
    """Serialize a learner's state, with its digest."""
    buffer = io.BytesIO()
    torch.save(dict(state), buffer)
    return title_of(buffer.getvalue()) + buffer.getvalue()


def read_learner(league: Path, policy: str) -> State:
    """Read a learner's state. Raises: RunError, one line, if the file is missing or damaged."""
    path = folder_of(league, policy) / LEARNER
    location: Location = RunError.at(path)
    content = checked_content(path, location)
    found: State = torch.load(io.BytesIO(content), weights_only=True)
    return found
