"""The policies of a league by name, and their files.

``main_1.3`` is what the first main agent was after the third round; ``start`` is where all begin.
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
LEARNER = "learner.pt"  # policy with its value, and the optimizer: what a learner goes on from
FILES = (WEIGHTS, CARD, LEARNER)  # of a policy, in the order in which they are written
POLICIES = "policies"  # the folder of all of them

State = dict[str, Any]  # "policy" and "optimizer"


def learners(config: LearnersConfig) -> Iterator[str]:
    """The names of the learners: ``main_1``, ``main_exploiter_1`` and so on."""
    counts = {
        MAIN: config.main,
        MAIN_EXPLOITER: config.main_exploiters,
        LEAGUE_EXPLOITER: config.league_exploiters,
    }
    for kind, count in counts.items():
        yield from (f"{kind}_{number}" for number in range(1, count + 1))


def kind_of(name: str) -> str:
    """The kind of a learner, or of the learner of a policy.

    >>> kind_of("main_exploiter_2.7"), kind_of("start")
    ('main_exploiter', 'start')
    """
    return START if name == START else name.partition(".")[0].rpartition("_")[0]


def folder_of(league: Path, policy: str) -> Path:
    """Where the files of a policy are."""
    return league / POLICIES / policy


def is_there(league: Path, policy: str) -> bool:
    """Whether a policy has been trained: its last file is there."""
    return (folder_of(league, policy) / LEARNER).exists()


def as_bytes(state: Mapping[str, Any]) -> bytes:
    """What a learner goes on from, with its digest."""
    buffer = io.BytesIO()
    torch.save(dict(state), buffer)
    return title_of(buffer.getvalue()) + buffer.getvalue()


def read_learner(league: Path, policy: str) -> State:
    """What a learner goes on from. Raises: RunError, one line, for a file that is gone or damaged."""
    path = folder_of(league, policy) / LEARNER
    location: Location = RunError.at(path)
    content = checked_content(path, location)
    found: State = torch.load(io.BytesIO(content), weights_only=True)
    return found
