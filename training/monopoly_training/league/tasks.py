"""The tasks of a league: training a learner for a round, and games between two policies."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.envs.options import TableOptions
from monopoly_env.files import read_bytes
from monopoly_training.common.progress import NoProgress
from monopoly_training.league.policies import FILES, LEARNER, State, as_bytes
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.on_ray import Work
from monopoly_training.matches.runner import play_matches
from monopoly_training.matches.schedule import rotated
from monopoly_training.matches.workers import (
    RAY,
    WorkOptions,
    exit_with_parent,
    submit,
    worker_processes,
)
from monopoly_training.models.storage import CARD, WEIGHTS
from monopoly_training.runs.bot_names import bots_in, with_names
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.run import Run
from monopoly_training.runs.run_folder import RunError

NEVER = 10**15  # in steps: no past self joins during a round, since the population is given
KNOWN = 20.0  # weight, in games, of the known results against an opponent at the start of a round
MOST_BYTES = 1 << 30  # maximum size of a model file


def spread(work: Work, pieces: Sequence[Any], how: WorkOptions) -> Generator[tuple[int, Any]]:
    """Run pieces of work in processes or on a cluster; yield the number and result of each."""
    if how.backend == RAY:
        from monopoly_training.matches.on_ray import tasks_on

        with tasks_on(how.address, work) as tasks:
            yield from tasks.results(pieces)
        return
    jobs = min(how.jobs, len(pieces))
    if jobs <= 1:
        yield from enumerate(do_piece(work, piece) for piece in pieces)
        return
    with worker_processes(jobs, exit_with_parent) as pool:
        running = {submit(pool, do_piece, work, piece): k for k, piece in enumerate(pieces)}
        for done in as_completed(running):
            yield running[done], done.result()


_begun: dict[str, Callable[[Any], Any]] = {}  # of this process, by work


def do_piece(work: Work, piece: Any) -> Any:
    """Do a piece of work in this process."""
    if repr(work) not in _begun:
        _begun.clear()
        _begun[repr(work)] = work.begin(work.agents)
    return _begun[repr(work)](piece)


# --- training rounds ---


@dataclass(frozen=True)
class Opponent:
    """A policy of the population, as an opponent."""

    weights: Mapping[str, Any]
    ahead: float  # how often it finishes ahead of the learner, as far as is known


@dataclass(frozen=True)
class RoundTask:
    """The training of a learner in one round."""

    policy: str  # name of the resulting policy
    config: TrainConfig
    start: State | None  # None: start untrained
    opponents: tuple[Opponent, ...] = ()
    priority: str = "linear"
    least: float = 0.05


class RoundRun(Run):
    """A training run of one round, against given opponents."""

    def __init__(self, task: RoundTask, folder: Path) -> None:
        super().__init__(task.config, folder, NoProgress())
        if task.start is not None:
            self.learner.policy.load_state_dict(task.start["policy"])
            self.learner.policy.optimizer.load_state_dict(task.start["optimizer"])
        past = self.pool.past
        past.priority = task.priority
        past.least = task.least
        for one in task.opponents:
            past.join(one.weights, KNOWN, KNOWN * one.ahead)
        if task.opponents:
            past.draw()
        self.counters.past_due = NEVER

    def _evaluate(self) -> None:
        """Skip evaluation: a league compares policies in its own games."""
        self.counters.evaluated_at = self.learner.num_timesteps

    def _set_resume_hint(self) -> None:
        """Do nothing; the league sets its own message."""

    def files(self) -> dict[str, bytes]:
        """Return the files of the resulting policy."""
        learner = {
            "policy": self.learner.policy.state_dict(),
            "optimizer": self.learner.policy.optimizer.state_dict(),
        }
        models = {
            name: read_bytes(self.folder / name, RunError.at(self.folder / name), MOST_BYTES)
            for name in (WEIGHTS, CARD)
        }
        return {name: {**models, LEARNER: as_bytes(learner)}[name] for name in FILES}


def train_round(task: RoundTask) -> dict[str, bytes]:
    """Train a learner for a round; return the files of its policy."""
    with tempfile.TemporaryDirectory(prefix="monopoly-env-") as folder:
        run = RoundRun(task, Path(folder) / task.policy)
        run.train()
        return run.files()


@dataclass(frozen=True)
class TrainRounds:
    """Ray work: rounds of learners. Their bots are sent by name."""

    config: TrainConfig

    @property
    def agents(self) -> tuple[str, ...]:
        """The bots of the training config."""
        return bots_in(self.config)

    def begin(self, names: tuple[str, ...]) -> Callable[[RoundTask], dict[str, bytes]]:
        """Return a function that trains a learner for a round."""
        name_of = dict(zip(self.agents, names, strict=True))
        return lambda task: train_round(replace(task, config=with_names(task.config, name_of)))


# --- games between two policies ---


@dataclass(frozen=True)
class ComparePolicies:
    """Ray work: games between two policies, given as indices into the agents."""

    agents: tuple[str, ...]
    options: TableOptions
    games: int
    seed: int

    def begin(self, names: tuple[str, ...]) -> Callable[[tuple[int, int]], float]:
        """Return a function that plays the games of a pair."""
        return lambda pair: ahead_of(
            names[pair[0]], names[pair[1]], self.options, self.games, self.seed
        )


def ahead_of(one: str, other: str, options: TableOptions, games: int, seed: int) -> float:
    """Return how often one bot finishes ahead of another (ties count half), in alternate seats."""
    seats = options.num_players
    line_up = list(islice(cycle(entrants([one, other])), seats))
    matches = rotated(seats, games, seed)
    places = play_matches(line_up, matches, options).by_entrant(matches)  # [games, seats]
    mine, theirs = places[:, 0::2, None], places[:, None, 1::2]
    return float(np.mean((mine < theirs) + 0.5 * (mine == theirs)))
