"""Evolve bot weights with CMA-ES.

Source: Hansen and Ostermeier 2001, Completely derandomized self-adaptation in evolution strategies
(CMA-ES); the library ``cma``. A candidate's fitness is the mean log odds of winning over the tables
of the config, so that going from 85 to 90% counts as much as from 50 to 61%. All candidates of a
generation play the same seeds, which reduces the noise of comparisons. Each generation uses new
seeds to avoid overfitting.
"""

from __future__ import annotations

import hashlib
import json
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from monopoly_agents.strategist.search_space import Vector

from monopoly_env.agent import find_agent
from monopoly_env.errors import FileError, Location
from monopoly_env.files import (
    check_output_folder,
    parse_json,
    read_lines,
    with_digest,
    without_digest,
)
from monopoly_training.common import stopping
from monopoly_training.common.files import (
    as_json,
    check_written,
    cleanup_on_error,
    provenance,
    read_with_digest,
    warn_repaired,
    write_atomic,
)
from monopoly_training.common.memory import check_jobs
from monopoly_training.common.progress import NoProgress, Progress, percent, speed_and_time_left
from monopoly_training.common.remote import name_of
from monopoly_training.common.run_settings import check_kept, keys_of, settings_in
from monopoly_training.common.schema import ConfigError, load_settings, plain
from monopoly_training.evaluation import learning_curve
from monopoly_training.evaluation.learning_curve import Point, read_curve, write_curve
from monopoly_training.matches.entrants import Entrant, entrants
from monopoly_training.matches.runner import play_matches
from monopoly_training.matches.schedule import rotated
from monopoly_training.matches.workers import (
    DEFAULTS,
    RAY,
    WorkOptions,
    exit_with_parent,
    submit,
    worker_processes,
)
from monopoly_training.stats.win_rates import wilson
from monopoly_training.tuning.config import TuneConfig, checked
from monopoly_training.tuning.spaces import SearchSpace, space_of, start_of

CONFIG, PROVENANCE, WEIGHTS = "config.yaml", "provenance.json", "weights.json"
GENERATIONS = "generations.jsonl"  # win rates of each generation, from which a run resumes
FILES = (CONFIG, PROVENANCE, WEIGHTS, GENERATIONS, learning_curve.FILE)
REMEDY = "this is not a generation, or it is damaged; put the file back, or remove the run"
# distance between the first seeds of two generations, more than any generation plays
SEEDS = 1_000_000
FIRST_SEED = 1 << 32  # far from the seeds of evaluations
ROUND = 4  # decimals of the written weights
DIGEST_ROUND = 6  # decimals of the candidates that a digest distinguishes

Rates = list[float]  # win rate at each table
Task = tuple[Vector, int, int]  # steps from the start, first seed, games per table


class CandidateEvaluator:
    """Plays the candidates of a config in this process."""

    def __init__(self, config: TuneConfig) -> None:
        self.start, self.vary = start_of(config.bot), space_in(config).vary
        self.options = config.table.options()
        self.weights = self.start.copy()  # weights of the current candidate
        spec = replace(find_agent(config.bot)[0], load_weights=lambda: self.weights)
        me = Entrant("candidate", spec, policy=spec.policy)
        self.line_ups = [[me, *entrants(bots)] for bots in config.line_ups().values()]

    def play(self, steps: Vector, seed: int, games: int) -> Rates:
        """Return the win rate at each table of the weights ``steps`` away from the start.

        Shared wins count as fractions.
        """
        self.weights[:] = self.vary(self.start, steps)
        rates = []
        for line_up in self.line_ups:
            matches = rotated(len(line_up), games, seed)
            places = play_matches(line_up, matches, self.options).by_entrant(matches)
            first = places == 1
            rates.append(float((first[:, 0] / first.sum(axis=1)).mean()))
        return rates


_of_this_process: list[CandidateEvaluator] = []


def _begin(config: TuneConfig) -> None:
    exit_with_parent()
    _of_this_process.append(CandidateEvaluator(config))


def _play(task: Task) -> Rates:
    return _of_this_process[-1].play(*task)


@dataclass(frozen=True)
class PlayCandidates:
    """The Ray work of a tuning run: playing candidates."""

    config: TuneConfig

    @property
    def agents(self) -> tuple[str, ...]:
        """The bots named in the config."""
        seated = [bot for bots in self.config.line_ups().values() for bot in bots]
        return tuple(dict.fromkeys([self.config.bot, *seated]))

    def begin(self, names: tuple[str, ...]) -> Callable[[Task], Rates]:
        """Return a function that plays a candidate, using the node's bot names."""
        name_of = dict(zip(self.agents, names, strict=True))
        tables = [
            ",".join(map(name_of.__getitem__, bots)) for bots in self.config.line_ups().values()
        ]
        config = replace(self.config, bot=name_of[self.config.bot], tables=tuple(tables))
        evaluator = CandidateEvaluator(config)
        return lambda task: evaluator.play(*task)


@contextmanager
def players(here: CandidateEvaluator, config: TuneConfig, work: WorkOptions) -> Iterator[Any]:
    """Yield a function that evaluates tasks with the backend in ``work``.

    Results keep their order.
    """
    if work.backend == RAY:
        from monopoly_training.matches.on_ray import tasks_on

        with tasks_on(work.address, PlayCandidates(config)) as tasks:
            yield tasks.in_order
        return
    jobs = work.jobs
    zero = np.zeros(space_in(config).dimensions)
    here.play(zero, 0, 4)  # compile once in the parent process
    if jobs == 1:
        yield lambda tasks: [here.play(*task) for task in tasks]
        return
    with worker_processes(jobs, _begin, config) as pool:
        yield lambda tasks: [
            future.result() for future in [submit(pool, _play, task) for task in tasks]
        ]


class Evolution:
    """A tuning run and its folder."""

    def __init__(self, config: TuneConfig, folder: Path, progress: Progress) -> None:
        self.config, self.folder, self.progress = config, folder, progress
        self.generations: list[dict[str, Any]] = []  # finished generations
        self.points: list[Point] = []
        self.strategy = strategy_of(config)

    def write_config(self, replaced: Mapping[str, Any] | None = None) -> None:
        """Write the resolved config, and a copy in the provenance file to detect later edits.

        ``replaced`` is the previous config, in case of a kill between the two writes.
        """
        origin = {"config": plain(asdict(self.config)), "replaced": replaced, **provenance()}
        write_atomic(self.folder / PROVENANCE, as_json(with_digest(origin)))
        write_atomic(self.folder / CONFIG, self.config.as_yaml())

    def load_generations(self) -> None:
        """Replay the generations in the folder to restore the state of CMA-ES."""
        path = self.folder / GENERATIONS
        lines = list(read_lines(path, FileError.at(path))) if path.exists() else []
        if path.exists() and not lines:
            FileError.at(path).fail(f"is empty; {REMEDY}")
        for number, line in enumerate(lines, 1):
            here = FileError.at(path) / f"line {number}"
            row = generation_of(line, self.config, here)
            if row.pop("of") != len(lines):
                here.fail(f"is one of other generations: some are missing; {REMEDY}")
            candidates = self.strategy.ask()
            drawn = digest_of(candidates)
            if row.get("candidates", drawn) != drawn:
                here.fail(
                    "has the win rates of other candidates than this machine draws; resume where "
                    "the run was begun, or start a new one from its weights: --set "
                    f"bot={space_in(self.config).bot}:{name_of(self.folder / WEIGHTS)}"
                )
            self._tell(candidates, row["rates"])
            self.generations.append(row)
        self._load_points()

    def _load_points(self) -> None:
        """Load the points of the curve so far; warn about files that will have to be rewritten."""
        curve, done = self.folder / learning_curve.FILE, len(self.generations)
        if curve.exists():
            self.points = read_curve(self.folder)
            if any(point.steps > self.games() for point in self.points):
                FileError.at(self.folder / GENERATIONS).fail(
                    f"tells of {done} generations, and {learning_curve.FILE} of more; {REMEDY}"
                )
        elif done:
            warn_repaired(curve, f"is gone; it starts over after {done} generations")
        if done or self.points:
            read = space_in(self.config).read
            check_written(self.folder / WEIGHTS, read, "it is rewritten at the next check")

    def games(self) -> int:
        """Return the number of games that candidates have played so far."""
        config = self.config
        return config.population * config.games * len(config.tables) * len(self.generations)

    def run(self, play: Any, seconds_left: float | None = None) -> None:
        """Evolve until the last generation; write each generation, and weights at each check.

        ``seconds_left`` is a time limit after which no new generation begins.
        """
        end = None if seconds_left is None else time.perf_counter() + seconds_left
        began = time.perf_counter() - (self.generations[-1]["seconds"] if self.generations else 0.0)
        config = self.config
        if self._lacks_check() or len(self.generations) >= config.generations:
            self._check(play, self.generations[-1]["seconds"] if self.generations else 0.0)
        while (done := len(self.generations)) < config.generations and is_before(end):
            self.progress.stage("evolving")
            candidates = self.strategy.ask()
            seed = FIRST_SEED + (config.seed * 1000 + done) * SEEDS
            rates = play([(steps, seed, config.games) for steps in candidates])
            self._tell(candidates, rates)
            seconds = time.perf_counter() - began
            dimensions = space_in(config).dimensions
            row = {
                "seconds": round(seconds, 3),
                "rates": rates,
                "dimensions": dimensions,
                "candidates": digest_of(candidates),
            }
            self.generations.append(row)
            self._write_generations()
            progress = (done + 1) / config.generations
            self.progress.update(
                progress, speed_and_time_left(progress, done + 1, "generations", seconds)
            )
            is_last = done + 1 == config.generations or not is_before(end)
            if (done + 1) % config.check.every == 0 or is_last:
                self._check(play, seconds)

    def _tell(self, candidates: Sequence[Vector], rates: Sequence[Rates]) -> None:
        games = self.config.games
        self.strategy.tell(candidates, [-fitness(each, games) for each in rates])

    def _write_generations(self) -> None:
        rows = [{**row, "of": len(self.generations)} for row in self.generations]
        text = "".join(json.dumps(with_digest(row)) + "\n" for row in rows)
        write_atomic(self.folder / GENERATIONS, text)

    @property
    def bot(self) -> str:
        """The bot that plays with the written weights."""
        return f"{space_in(self.config).bot}:{name_of(self.folder / WEIGHTS)}"

    # --- evaluation of the mean ---

    def _lacks_check(self) -> bool:
        """Return whether a check is due: at the start, or because a kill prevented it."""
        is_due = len(self.generations) % self.config.check.every == 0
        return not self.points or (is_due and self.points[-1].steps < self.games())

    def _check(self, play: Any, seconds: float) -> None:
        """Evaluate the mean of the distribution, add it to the curve, and write its weights."""
        config, middle = self.config, np.array(self.strategy.mean)
        check = config.check
        self.progress.stage("judging")
        (rates,) = play([(middle, check.seed, check.games)])
        games = self.games()
        results = {}
        self.points = [point for point in self.points if point.steps < games]
        for table, rate in zip(config.tables, rates, strict=True):
            low, high = wilson(rate * check.games, check.games)
            results[table] = {"win_rate": rate, "ci95": [low, high], "games": check.games}
            self.points.append(
                Point(games, round(seconds, 3), table, check.games, rate, low, high, 0.0, 0.0, 0.0)
            )
            self.progress.log(
                f"{len(self.generations):4} generations: wins {percent(rate)} against {table} "
                f"({percent(low)} to {percent(high)})"
            )
        write_curve(self.folder, self.points)
        space = space_in(config)
        found = space.by_name(space.vary(start_of(config.bot), middle))
        card = {
            "bot": config.bot,
            **{
                key: {name: rounded(value) for name, value in numbers.items()}
                for key, numbers in found.items()
            },
            "generations": len(self.generations),
            "games": games,
            "hours": seconds / 3600,
            "results": results,
            "config": plain(asdict(config)),
            **provenance(),
        }
        write_atomic(self.folder / WEIGHTS, as_json(with_digest(card)))


def checked_dimensions(found: object, config: TuneConfig, location: Location) -> int:
    """Return the number of parameters that a generation varied; the candidates depend on it.

    Rows of the first versions lack it; the strategist has the same parameters since then.
    """
    space = space_in(config)
    if found != space.dimensions and not (found is None and space.bot == "strategist"):
        location.fail(
            f"is from a version in which the {space.bot} had other parameters; start a new run from "
            f"its weights: --set bot={space.bot}:FOLDER/{WEIGHTS}"
        )
    return space.dimensions


def space_in(config: TuneConfig) -> SearchSpace:
    """Return the search space of a config."""
    return space_of(config.bot, config.table.players)


def is_before(end: float | None) -> bool:
    """Return whether there is time left; always if ``end`` is None."""
    return end is None or time.perf_counter() < end


def generation_of(line: bytes, config: TuneConfig, location: Location) -> dict[str, Any]:
    """Parse a line of ``generations.jsonl``. Raises: FileError if it is damaged."""
    row = parse_json(line, location, REMEDY)
    if not isinstance(row, dict):
        location.fail(REMEDY)
    row = without_digest(row, location, hint=REMEDY)
    row["dimensions"] = checked_dimensions(row.get("dimensions"), config, location)
    # rows of earlier versions have no digest of their candidates
    if row.keys() - {"candidates"} != {"seconds", "rates", "dimensions", "of"}:
        location.fail(REMEDY)
    candidates, tables = config.population, len(config.tables)
    if [len(each) for each in row["rates"]] != [tables] * candidates:
        location.fail(f"must be the rates of {candidates} candidates at {tables} tables; {REMEDY}")
    return row


def fitness(rates: Rates, games: int) -> float:
    """Return the mean log odds of win rates, with half a game added each way to keep it finite."""
    won = (np.array(rates) * games + 0.5) / (games + 1)
    return float(np.log(won / (1 - won)).mean())


def rounded(value: float | list[float]) -> float | list[float]:
    """Round to ROUND decimals."""
    if isinstance(value, list):
        return [round(one, ROUND) for one in value]
    return round(value, ROUND)


def strategy_of(config: TuneConfig) -> Any:
    """Create the evolution strategy, before its first generation."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cma warns about plotting, which is not used
        import cma
    # numbers of its own: a Python bot may use NumPy's global ones, and a replay must draw the same
    options = {
        "popsize": config.population,
        "randn": np.random.RandomState(config.seed + 1).randn,
        "seed": np.nan,
        "verbose": -9,
    }
    zero = np.zeros(space_in(config).dimensions)
    return cma.CMAEvolutionStrategy(zero, config.step, options)


def digest_of(candidates: Sequence[Vector]) -> str:
    """Return a digest of the candidates of a generation, by which a replay recognizes them.

    Rounded, because processors differ in the last digits.
    """
    numbers = np.round(np.array(candidates, np.float64), DIGEST_ROUND) + 0.0  # no negative zeros
    return hashlib.sha256(numbers.astype("<f8").tobytes()).hexdigest()[:16]


def tune(
    config: TuneConfig,
    folder: Path,
    progress: Progress | None = None,
    work: WorkOptions = DEFAULTS,
) -> Evolution:
    """Start a tuning run. Raises: FileError, one line, if the folder already holds a run."""
    if (folder / CONFIG).exists():
        FileError.at(folder).fail(
            "already contains a run; `resume` continues it, another `folder` starts over"
        )
    with cleanup_on_error(folder):
        check_output_folder(folder, FileError.at(folder), FILES)
        check_jobs(work.jobs, config.population)
        here = CandidateEvaluator(config)
        run = Evolution(config, folder, progress or NoProgress())
    run.write_config()
    resume_with(folder, work)
    with players(here, config, work) as play:
        run.run(play)
    return run


def resume_with(folder: Path, work: WorkOptions) -> None:
    """Set the command line that an interrupt suggests for resuming."""
    options = ["--jobs", str(work.jobs)] if work.jobs > 1 else []
    options += ["--backend", RAY] if work.backend == RAY else []
    options += ["--address", work.address] if work.address is not None else []
    stopping.resume_with("tune", "--resume", name_of(folder), *options)


def resume(
    folder: Path,
    progress: Progress | None = None,
    changes: Sequence[str] = (),
    work: WorkOptions = DEFAULTS,
) -> Evolution:
    """Resume a run; ``changes`` are ``key=value`` over its config, such as generations=60.

    Apart from the settings named in ``changes``, config.yaml must match the settings of the run.
    Raises: FileError or ConfigError, one line.
    """
    path = folder / CONFIG
    if not path.exists() and not (folder / GENERATIONS).exists():
        FileError.at(folder).fail(f"holds no {CONFIG}; give the folder of a tune run")
    resume_with(folder, work)
    check_output_folder(folder, FileError.at(folder), FILES)
    origin = read_origin(folder)
    if origin is not None:
        found = settings_in(path, TuneConfig, origin["config"], origin["replaced"])
        check_kept(origin["config"], found, keys_of(changes), ConfigError.at(path))
    config = checked(load_settings(TuneConfig, [path], changes), ConfigError.at(path))
    check_jobs(work.jobs, config.population)
    here = CandidateEvaluator(config)
    run = Evolution(config, folder, progress or NoProgress())
    run.load_generations()
    run.write_config(origin["config"] if origin is not None else None)
    with players(here, config, work) as play:
        run.run(play)
    return run


def read_origin(folder: Path) -> dict[str, Any] | None:
    """Read the settings of a run from provenance.json; None, with a warning, if it is missing.

    Raises: FileError, one line, for a damaged file.
    """
    path, location = folder / PROVENANCE, FileError.at(folder / PROVENANCE)
    if not path.exists():
        warn_repaired(path, f"is gone; it is rewritten, and {CONFIG} is taken as it is")
        return None
    remedy = f"put it back, or delete it, and {CONFIG} is taken as it is"
    origin = read_with_digest(path, remedy)
    if not isinstance(origin.get("config"), dict) or "replaced" not in origin:
        location.fail(f"does not say what the run was begun with; {remedy}")
    return origin
