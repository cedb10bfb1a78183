"""Play batches of games on a Ray cluster, with byte-identical results to local processes.

Files that a batch writes, such as parts of a dataset or a bot's traceback, are returned as bytes
and written by the driver process.
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
from monopoly_training.matches.entrants import reload_entrants
from monopoly_training.matches.file_transfer import FILE_BYTES
from monopoly_training.matches.on_ray import tasks_on
from monopoly_training.matches.runner import Players
from monopoly_training.matches.schedule import Batch


@dataclass(frozen=True)
class Done:
    """A batch played on a node: its result and the files that it wrote."""

    result: Any
    files: dict[str, bytes]


@dataclass(frozen=True)
class PlayBatches:
    """The Ray work of a job: playing its batches."""

    job: Any

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of the bots in the line-up."""
        names: tuple[str, ...] = self.job.agents
        return names

    def begin(self, names: tuple[str, ...]) -> Callable[[Batch], Done]:
        """Return a function that plays a batch here, with its own bots and a temporary folder."""
        folder = Path(tempfile.mkdtemp(prefix="monopoly-env-"))
        line_up = [
            replace(one, name=called)
            for one, called in zip(reload_entrants(names, self.job.trust), self.agents, strict=True)
        ]
        players = Players(line_up, ErrorLog(folder))
        job = replace(self.job, folder=folder)
        return lambda batch: play_here(players, job, batch)


def play_here(players: Players, job: Any, batch: Batch) -> Done:
    """Play a batch in this process and collect the files that it wrote."""
    before = {path for path in job.folder.rglob("*") if path.is_file()}
    result = job.do(players, batch)
    files = {}
    for path in job.folder.rglob("*"):
        if path.is_file() and path not in before:
            files[path.relative_to(job.folder).as_posix()] = read_bytes(
                path, InputError.at(str(path)), FILE_BYTES
            )
            # error files stay, so that each bot's first error is reported once
            if path.parent.name != ERRORS:
                path.unlink()
    return Done(result, files)


def do_on_ray(job: Any, todo: Iterable[Batch], address: str | None) -> Generator[Any, None, None]:
    """Play batches on a cluster and yield each result as it is finished.

    Raises: InputError that names a node that cannot play.
    """
    remaining = iter(todo)
    for first in remaining:  # without any batch, no cluster is started
        with tasks_on(address, PlayBatches(job)) as tasks:
            for _, done in tasks.results(chain([first], remaining)):
                keep_files(job.folder, done.files)
                yield done.result


def keep_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a batch; of a bot's errors, keep and show only the first."""
    errors = ErrorLog(folder)
    for name, data in files.items():
        path = folder / name
        if path.parent.name == ERRORS:
            errors.take(path, data)
        else:
            write_atomic(path, data)
