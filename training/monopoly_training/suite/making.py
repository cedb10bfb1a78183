"""How the set is made: each decision by itself, kept in a folder, so that it can take days.

What a decision becomes follows from the seed and its number alone, so a make that was cut off and
went on has the bytes of one that never stopped, in however many processes.
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
    read_with_digest,
    taking_back,
    tell_repair,
    write_atomic,
)
from monopoly_training.common.progress import Progress
from monopoly_training.matches.workers import (
    RAY,
    WorkOptions,
    live_with_parent,
    submit,
    worker_processes,
)
from monopoly_training.suite import rolling
from monopoly_training.suite.finding import Found, find
from monopoly_training.suite.kinds import SIZE, plan
from monopoly_training.suite.rolling import Tally

SEED = 9_000_000  # of the shipped set; no value was fitted to games of this seed
SAMPLES = 2000
MOST_GAMES = 30  # that are searched for one decision
AT_STAKE = 0.005  # in a decision, by a peek; less will do if so many games had none of more
SETTINGS = "make.json"
SLOTS = "decisions"
AHEAD = 2  # decisions that wait for each process


@dataclass(frozen=True)
class MakeOptions:
    """What is made."""

    decisions: int = SIZE
    samples: int = SAMPLES
    seed: int = SEED

    def settings(self) -> dict[str, Any]:
        """What must be the same when a make goes on; decisions and samples may grow."""
        return {
            "seed": self.seed,
            "policy": rolling.POLICY,
            "turns": rolling.TURNS,
            "rounds": rolling.ROUNDS,
            "value": shipped_value().digest,
        }


def make(
    folder: Path, options: MakeOptions, work: WorkOptions, progress: Progress
) -> list[dict[str, Any]]:
    """Make all decisions in a folder, or those that are not there yet; every row, in order.

    A kind that no game had a decision of is left out.

    Raises: FileError, InputError, one line, for a folder that cannot be used or another make's.
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
    """Check the folder, and write down by what settings the make goes."""
    path = folder / SETTINGS
    now = options.settings()
    if not path.exists():
        with taking_back(folder):
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
    """What is kept of a decision; None if there is nothing, or it is damaged."""
    path = _path(folder, number)
    if not path.exists():
        return None
    try:
        return read_with_digest(path)
    except FileError as problem:
        tell_repair(path, f"{str(problem).removeprefix(f'{path}: ')}; it is recomputed")
        return None


def _is_done(row: dict[str, Any] | None, options: MakeOptions) -> bool:
    if row is None:
        return False
    if "tally" not in row:  # there was none in all games that were searched
        return True
    mover = LETTERS.index(row["seat"])
    return Tally.from_dict(row["tally"]).is_enough(mover, options.samples)


Call = tuple[Any, MakeOptions]  # the arguments of make_row


@dataclass(frozen=True)
class MakeRows:
    """What nodes of a cluster do: they make decisions."""

    agents: tuple[str, ...] = ()  # bots come along with the package

    def begin(self, names: tuple[str, ...]) -> Callable[[Call], dict[str, Any]]:  # noqa: ARG002
        """What makes a decision."""
        return lambda call: make_row(*call)


def _rows(calls: Iterator[Call], work: WorkOptions) -> Generator[dict[str, Any], None, None]:
    """Make decisions as ``work`` says; each as it is finished.

    In processes, the first is made here, so that all is compiled once.
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
    with worker_processes(min(jobs, len(first)), live_with_parent) as pool:
        running: set[Future[dict[str, Any]]] = {submit(pool, make_row, *call) for call in first}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                running |= {submit(pool, make_row, *call) for call in islice(calls, 1)}
                yield future.result()


def make_row(begun: dict[str, Any] | tuple[int, str], options: MakeOptions) -> dict[str, Any]:
    """Make a decision, given by its number and kind, or go on sampling a row; its row."""
    row = new_row(*begun, options.seed) if isinstance(begun, tuple) else begun
    if "tally" in row:
        deepen(row, options)
    return row


def new_row(number: int, kind: str, seed: int) -> dict[str, Any]:
    """A decision that was found in games, without samples; without a tally, if none was found."""
    best: Found | None = None
    most = 0.0
    for attempt in range(MOST_GAMES):
        rng = np.random.default_rng([seed, number, attempt])
        for found in find(kind, rng):
            own = rolling.peek(found.game, found.actions, seed)
            places = rolling.thinned(found.actions, own, rng)
            actions = [found.actions[place] for place in places]
            stake = rolling.at_stake(own[places], actions)
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
    """Take samples of a decision until there are enough."""
    game = Game.from_position(row["position"], seed=0)
    ids = [game.id(text) for text in row["actions"]]
    tally = Tally.from_dict(row["tally"])
    seed = options.seed + row["number"]
    rolling.take_samples(tally, game, ids, seed, options.samples)
    row["tally"] = tally.as_dict()
