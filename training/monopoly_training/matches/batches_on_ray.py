"""Batches of games on a Ray cluster, to the same bytes as in this machine's processes.

What a batch leaves in a folder, such as a part of a data set or a bot's traceback, comes back as
bytes and is written by the process that asked.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from monopoly_env.errors import InputError
from monopoly_env.files import read_bytes
from monopoly_training.common.files import write_atomic
from monopoly_training.matches.bot_errors import FOLDER as ERRORS
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import entrants_again
from monopoly_training.matches.on_ray import tasks_on
from monopoly_training.matches.runner import Players
from monopoly_training.matches.schedule import Batch
from monopoly_training.matches.shipping import FILE_BYTES


@dataclass(frozen=True)
class Done:
    """A batch that was played elsewhere: its result, and what it left in its folder."""

    result: Any
    files: dict[str, bytes]


@dataclass(frozen=True)
class PlayBatches:
    """The work of a job: it plays batches."""

    job: Any

    @property
    def agents(self) -> tuple[str, ...]:
        """The line-up, by names."""
        names: tuple[str, ...] = self.job.agents
        return names

    def begin(self, names: tuple[str, ...]) -> Callable[[Batch], Done]:
        """What plays a batch in this process, by bots and in a folder of its own."""
        folder = Path(tempfile.mkdtemp(prefix="monopoly-env-"))
        line_up = [
            replace(one, name=called)
            for one, called in zip(entrants_again(names, self.job.trust), self.agents, strict=True)
        ]
        players = Players(line_up, ErrorLog(folder))
        job = replace(self.job, folder=folder)
        return lambda batch: play_here(players, job, batch)


def play_here(players: Players, job: Any, batch: Batch) -> Done:
    """Play a batch in this process; the files that it has left are taken along."""
    before = {path for path in job.folder.rglob("*") if path.is_file()}
    result = job.do(players, batch)
    files = {}
    for path in job.folder.rglob("*"):
        if path.is_file() and path not in before:
            files[path.relative_to(job.folder).as_posix()] = read_bytes(
                path, InputError.at(str(path)), FILE_BYTES
            )
            if path.parent.name != ERRORS:  # those of bots are told once
                path.unlink()
    return Done(result, files)


def do_on_ray(job: Any, todo: Iterable[Batch], address: str | None) -> Generator[Any, None, None]:
    """Do batches on a cluster; the result of each is handed out as it is finished.

    Raises: InputError that names the node, for one that cannot play.
    """
    remaining = iter(todo)
    for first in remaining:  # without any, no cluster is needed
        with tasks_on(address, PlayBatches(job)) as tasks:
            for _, done in tasks.results(chain([first], remaining)):
                keep_files(job.folder, done.files)
                yield done.result


def keep_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write what a batch left; of errors of a bot the first is kept, and told."""
    errors = ErrorLog(folder)
    for name, data in files.items():
        path = folder / name
        if path.parent.name == ERRORS:
            errors.take(path, data)
        else:
            write_atomic(path, data)
