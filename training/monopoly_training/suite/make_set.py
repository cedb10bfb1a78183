"""Generate the decision set in a folder, one decision at a time, resumable at any point.

A decision depends only on the seed and its number, so a resumed run writes the same bytes as an
uninterrupted one, with any number of processes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.errors import FileError, InputError
from monopoly_env.files import check_output_folder, with_digest
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.value.weights import shipped_value
from monopoly_training.common.files import (
    as_json,
    cleanup_on_error,
    read_with_digest,
    warn_repaired,
    write_atomic,
)
from monopoly_training.common.progress import Progress
from monopoly_training.matches.workers import (
    RAY,
    WorkOptions,
    exit_with_parent,
    submit,
    worker_processes,
)
from monopoly_training.suite import action_values
from monopoly_training.suite.action_values import Tally
from monopoly_training.suite.find_decisions import Found, find
from monopoly_training.suite.kinds import SIZE, plan

SEED = 9_000_000  # seed of the shipped set; nothing was fitted to its games
SAMPLES = 2000
MOST_GAMES = 30  # most games searched for one decision
# loss at which the search for a decision stops; otherwise the largest one found is used
AT_STAKE = 0.005
SETTINGS = "make.json"
SLOTS = "decisions"
AHEAD = 2  # decisions queued per process


@dataclass(frozen=True)
class MakeOptions:
    """The size and seed of the set."""

    decisions: int = SIZE
    samples: int = SAMPLES
    seed: int = SEED

    def settings(self) -> dict[str, Any]:
        """Return the settings that must not change on resume; decisions and samples may grow."""
        return {
            "seed": self.seed,
            "policy": action_values.POLICY,
            "turns": action_values.TURNS,
            "rounds": action_values.ROUNDS,
            "value": shipped_value().digest,
        }


def make(
    folder: Path, options: MakeOptions, work: WorkOptions, progress: Progress
) -> list[dict[str, Any]]:
    """Generate all missing decisions in a folder and return all rows, in order.

    A decision is left out if no game had one of its kind.

    Raises: FileError, InputError, one line, for an unusable folder, or one with other settings.
    """
    _begin(folder, options, work.resume)
    kinds = plan(options.decisions)
    rows = {number: row for number in range(len(kinds)) if (row := _kept(folder, number))}
    todo = [number for number in range(len(kinds)) if not _is_done(rows.get(number), options)]
    calls = ((rows.get(number) or (number, kinds[number]), options) for number in todo)
    progress.stage("making decisions")
    with closing(_rows(calls, work)) as made:
        for done, row in enumerate(made, 1):
            write_atomic(_path(folder, row["number"]), json.dumps(with_digest(row)) + "\n")
            rows[row["number"]] = row
            progress.update(done / len(todo), f"{len(rows):,} of {len(kinds):,} decisions")
    return [rows[number] for number in sorted(rows) if "tally" in rows[number]]


def _begin(folder: Path, options: MakeOptions, resume: bool) -> None:
    """Check the folder and record the settings."""
    path = folder / SETTINGS
    now = options.settings()
    if not path.exists():
        with cleanup_on_error(folder):
            check_output_folder(folder, FileError.at(folder))
        write_atomic(path, as_json(with_digest(now)))
        return
    if not resume:
        FileError.at(path).fail("has other settings; `resume` continues it, or name another folder")
    then = read_with_digest(path, "name another folder")
    for key, value in now.items():
        if then.get(key) != value:
            InputError.at("resume").fail(
                f"{path}: {key} was {then.get(key)} and is {value}; name another folder"
            )


def _path(folder: Path, number: int) -> Path:
    return folder / SLOTS / f"{number:05}.json"


def _kept(folder: Path, number: int) -> dict[str, Any] | None:
    """Return the saved row of a decision; None if it is missing or damaged."""
    path = _path(folder, number)
    if not path.exists():
        return None
    try:
        return read_with_digest(path)
    except FileError as problem:
        warn_repaired(path, f"{str(problem).removeprefix(f'{path}: ')}; it is recomputed")
        return None


def _is_done(row: dict[str, Any] | None, options: MakeOptions) -> bool:
    if row is None:
        return False
    if "tally" not in row:  # no game had such a decision
        return True
    mover = LETTERS.index(row["seat"])
    return Tally.from_dict(row["tally"]).is_enough(mover, options.samples)


Call = tuple[Any, MakeOptions]  # arguments of make_row


@dataclass(frozen=True)
class MakeRows:
    """The Ray work of the generator."""

    agents: tuple[str, ...] = ()  # the bots used are part of the package

    def begin(self, names: tuple[str, ...]) -> Callable[[Call], dict[str, Any]]:  # noqa: ARG002
        """Return a function that generates a row."""
        return lambda call: make_row(*call)


def _rows(calls: Iterator[Call], work: WorkOptions) -> Generator[dict[str, Any], None, None]:
    """Generate rows with the backend in ``work``; yield each when it is finished.

    With several processes, the first row is generated in this one, so that code is compiled only
    once.
    """
    if work.backend == RAY:
        from monopoly_training.matches.on_ray import tasks_on

        with tasks_on(work.address, MakeRows()) as tasks:
            for _, row in tasks.results(calls):
                yield row
        return
    jobs = work.jobs
    for call in islice(calls, 1 if jobs > 1 else None):
        yield make_row(*call)
    first = list(islice(calls, jobs * AHEAD))
    if not first:
        return
    with worker_processes(min(jobs, len(first)), exit_with_parent) as pool:
        running: set[Future[dict[str, Any]]] = {submit(pool, make_row, *call) for call in first}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                running |= {submit(pool, make_row, *call) for call in islice(calls, 1)}
                yield future.result()


def make_row(begun: dict[str, Any] | tuple[int, str], options: MakeOptions) -> dict[str, Any]:
    """Generate a decision's row from its number and kind, or add samples to a row."""
    row = new_row(*begun, options.seed) if isinstance(begun, tuple) else begun
    if "tally" in row:
        deepen(row, options)
    return row


def new_row(number: int, kind: str, seed: int) -> dict[str, Any]:
    """Find a decision and return its row without samples; without a tally if none was found."""
    best: Found | None = None
    most = 0.0
    for attempt in range(MOST_GAMES):
        rng = np.random.default_rng([seed, number, attempt])
        for found in find(kind, rng):
            own = action_values.peek(found.game, found.actions, seed)
            places = action_values.thinned(found.actions, own, rng)
            actions = [found.actions[place] for place in places]
            stake = action_values.at_stake(own[places], actions)
            if stake > most:
                best, most = Found(found.game, actions, found.bots), stake
        if most >= AT_STAKE:
            break
    if best is None:
        return {"number": number, "kind": kind}
    game = best.game
    return {
        "number": number,
        "kind": kind,
        "bots": best.bots,
        "seat": game.actor,
        "position": game.position(),
        "actions": [game.text(action) for action in best.actions],
        "tally": Tally.blank(len(best.actions), game.players).as_dict(),
    }


def deepen(row: dict[str, Any], options: MakeOptions) -> None:
    """Add samples to a decision until there are enough."""
    game = Game.from_position(row["position"], seed=0)
    ids = [game.id(text) for text in row["actions"]]
    tally = Tally.from_dict(row["tally"])
    seed = options.seed + row["number"]
    action_values.take_samples(tally, game, ids, seed, options.samples)
    row["tally"] = tally.as_dict()
