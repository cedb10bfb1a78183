"""League training: in each round, learners train against the population and then join it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.errors import FileError
from monopoly_env.files import check_output_folder
from monopoly_training.common import stopping
from monopoly_training.common.files import cleanup_on_error, write_atomic
from monopoly_training.common.progress import NoProgress, Progress, percent
from monopoly_training.common.remote import checkpointed, name_of
from monopoly_training.common.run_settings import changes as changed_settings
from monopoly_training.common.run_settings import check_kept, keys_of, settings_in
from monopoly_training.common.schema import ConfigError, load_settings, plain
from monopoly_training.league.config import LeagueConfig, checked
from monopoly_training.league.matchmaking import latest_of, opponents_of, rate, thinned
from monopoly_training.league.policies import (
    LEAGUE_EXPLOITER,
    MAIN,
    MAIN_EXPLOITER,
    START,
    folder_of,
    is_there,
    kind_of,
    learners,
    read_learner,
)
from monopoly_training.league.state import FILE, LeagueState, read_state, write_state
from monopoly_training.league.tasks import (
    ComparePolicies,
    Opponent,
    RoundTask,
    TrainRounds,
    spread,
)
from monopoly_training.matches.workers import DEFAULTS, RAY, WorkOptions
from monopoly_training.models.names import SCHEME
from monopoly_training.stats.nash import nash_mixture

CONFIG = "config.yaml"
FILES = (CONFIG, FILE)


class League:
    """A league and its folder."""

    def __init__(
        self, config: LeagueConfig, folder: Path, work: WorkOptions, progress: Progress
    ) -> None:
        self.config, self.folder, self.work, self.progress = config, folder, work, progress
        self.training = config.training()
        self.state = LeagueState()
        self._replaced: Mapping[str, Any] | None = None  # the previous config
        self._priority = asdict(config.matchmaking)

    # --- files ---

    def write_config(self, replaced: Mapping[str, Any] | None = None) -> None:
        """Write the config.

        ``replaced`` is the previous one, in case of a kill between the two files.
        """
        self._replaced = replaced
        self._save()
        write_atomic(self.folder / CONFIG, self.config.as_yaml())

    def _save(self) -> None:
        write_state(self.folder, self.state, plain(asdict(self.config)), self._replaced)

    def _keep(self, policy: str, files: Mapping[str, bytes]) -> None:
        """Write the files of a policy; it counts as present once the last one is written."""
        for name, data in files.items():
            write_atomic(folder_of(self.folder, policy) / name, data)
        checkpointed(self.folder)

    # --- rounds ---

    def run(self) -> None:
        """Train until the last round."""
        with ExitStack() as stack:
            if self.work.backend == RAY:  # one connection for all sets of tasks
                from monopoly_training.matches.on_ray import cluster

                stack.enter_context(cluster(self.work.address))
            self._run()

    def _run(self) -> None:
        if not is_there(self.folder, START):
            self.progress.stage("training where all begin")
            self._train([self._start()])
        while self.state.rounds < self.config.rounds:
            self._round(self.state.rounds + 1)

    def _start(self) -> RoundTask:
        """Return the initial policy's task: imitation, or one rollout against scripted bots."""
        steps = max(1, self.training.imitation.steps)
        return RoundTask(START, self._settings(steps, 0, 0, keep_teacher=True), None)

    def _settings(self, steps: int, number: int, learner: int, keep_teacher: bool = False) -> Any:
        """Return the training config of a learner's round, with its own seed."""
        training = self.training
        sequence = np.random.SeedSequence([self.config.seed, training.seed, number, learner])
        imitation = training.imitation if keep_teacher else replace(training.imitation, steps=0)
        return replace(
            training,
            seed=int(sequence.generate_state(1)[0]),
            steps=steps,
            minutes=None,
            checkpoint_every=10**12,
            track=None,
            imitation=imitation,
            evaluation=replace(training.evaluation, against=("random",)),
        )

    def _round(self, number: int) -> None:
        """Train each learner, compare the new policies with the population, and do resets."""
        names = list(learners(self.config.learners))
        new = [f"{learner}.{number}" for learner in names]
        self.progress.stage(f"round {number}: training")
        self._train(
            self._task(learner, k, number)
            for k, learner in enumerate(names)
            if not is_there(self.folder, f"{learner}.{number}")
        )
        self.progress.stage(f"round {number}: comparing")
        self._compare([*self.state.population, *new], new)
        for learner in names:
            self._choose(learner, number)
        self.state.population = thinned(
            [*self.state.population, *new], self.state.rates, self.config.population
        )
        self.state.rounds = number
        self._save()
        checkpointed(self.folder)
        self._show(0.0, f"{number} rounds")

    def _show(self, share: float, facts: str) -> None:
        """Show the league's progress, with the fraction of the current round."""
        self.progress.update((self.state.rounds + share) / self.config.rounds, facts)

    def _task(self, learner: str, place: int, number: int) -> RoundTask:
        """Return the task of a learner in a round."""
        kind, state = kind_of(learner), self.state
        me = state.goes_on_from.get(learner, START)
        met = opponents_of(kind, state.population)
        return RoundTask(
            policy=f"{learner}.{number}",
            config=self._settings(self.config.steps, number, place + 1),
            start=read_learner(self.folder, me),
            opponents=tuple(
                Opponent(read_learner(self.folder, one)["policy"], rate(state.rates, one, me))
                for one in met
            ),
            priority=self._priority["main" if kind == MAIN else f"{kind}s"],
            least=self.config.matchmaking.least,
        )

    def _train(self, tasks: Iterable[RoundTask]) -> None:
        """Train learners for a round, each as a task."""
        todo = list(tasks)
        with closing(spread(TrainRounds(self.training), todo, self.work)) as trained:
            for done, (number, files) in enumerate(trained, 1):
                self._keep(todo[number].policy, files)
                if todo[number].policy != START:
                    self._show(0.8 * done / len(todo), f"{done} of {len(todo)} learners")

    def _compare(self, everybody: Sequence[str], new: Sequence[str]) -> None:
        """Play the missing games of all pairs that include a new policy."""
        rates = self.state.rates
        pairs = [
            (one, other)
            for one, other in combinations(range(len(everybody)), 2)
            if (everybody[one] in new or everybody[other] in new)
            and (everybody[one], everybody[other]) not in rates
        ]
        payoff, options = self.config.payoff, self.training.table.options()
        agents = tuple(f"{SCHEME}{folder_of(self.folder, name)}" for name in everybody)
        work = ComparePolicies(agents, options, payoff.games, payoff.seed)
        with closing(spread(work, pairs, self.work)) as played:
            for done, (number, ahead) in enumerate(played, 1):
                self._show(0.8 + 0.2 * done / len(pairs), f"{done:,} of {len(pairs):,} pairs")
                one, other = pairs[number]
                rates[everybody[one], everybody[other]] = round(ahead, 4)
                self._save()

    def _choose(self, learner: str, number: int) -> None:
        """Record a learner's result in a round, and whether it continues or is reset."""
        kind, policy, state = kind_of(learner), f"{learner}.{number}", self.state
        met = opponents_of(kind, state.population)
        ahead = float(np.mean([rate(state.rates, policy, one) for one in met]))
        rounds = number - state.begun_after.get(learner, 0)
        anew = self._is_reset(kind, learner, number, ahead, rounds)
        row = {"round": number, "policy": policy, "from": state.goes_on_from.get(learner, START)}
        state.history.append({**row, "ahead": round(ahead, 4), "begins_anew": anew})
        state.goes_on_from[learner] = START if anew else policy
        if anew:
            state.begun_after[learner] = number
        self.progress.log(
            f"{policy} comes in before {', '.join(met) if len(met) < 4 else 'the population'}: "
            f"{percent(ahead)}{'; it begins anew' if anew else ''}"
        )

    def _is_reset(self, kind: str, learner: str, number: int, ahead: float, rounds: int) -> bool:
        """Return whether a learner is reset: a successful or stuck exploiter."""
        exploiters = self.config.exploiters
        if kind == MAIN_EXPLOITER:
            return ahead >= exploiters.beaten or rounds >= exploiters.patience
        if kind == LEAGUE_EXPLOITER:
            place = list(learners(self.config.learners)).index(learner)
            generator = np.random.default_rng([self.config.seed, number, place])
            return bool(generator.random() < exploiters.reset)
        return False

    # --- results ---

    def standings(self) -> list[tuple[str, float, float]]:
        """Return each policy's name, mean rate of finishing ahead of others, and Nash weight."""
        names, rates = self.state.population, self.state.rates
        payoff = np.array([[rate(rates, one, other) for other in names] for one in names])
        others = ~np.eye(len(names), dtype=bool)
        means = [float(row[mask].mean()) for row, mask in zip(payoff, others, strict=True)]
        weights = nash_mixture(payoff - payoff.T).tolist()
        return sorted(zip(names, means, weights, strict=True), key=lambda row: -row[1])

    def main_agents(self) -> list[Path]:
        """Return the folders of the current main agents."""
        return [folder_of(self.folder, name) for name in latest_of(self.state.population, MAIN)]


def begin(
    config: LeagueConfig,
    folder: Path,
    progress: Progress | None = None,
    work: WorkOptions = DEFAULTS,
) -> League:
    """Start a league. Raises: FileError, one line, if the folder already holds one."""
    if (folder / FILE).exists():
        FileError.at(folder).fail(
            "already contains a league; `resume` continues it, another `folder` starts over"
        )
    with cleanup_on_error(folder):
        check_output_folder(folder, FileError.at(folder), FILES)
        league = League(config, folder, work, progress or NoProgress())
    league.write_config()
    resume_with(folder, work)
    league.run()
    return league


def resume(
    folder: Path,
    progress: Progress | None = None,
    changes: Sequence[str] = (),
    work: WorkOptions = DEFAULTS,
) -> League:
    """Resume a league; ``changes`` are ``key=value`` over its config, such as rounds=20.

    Apart from the settings named in ``changes``, config.yaml must match the settings of the league.
    Raises: FileError or ConfigError, one line.
    """
    path = folder / CONFIG
    if not (folder / FILE).exists():
        FileError.at(folder).fail(f"contains no {FILE}; give the folder of a league")
    resume_with(folder, work)
    check_output_folder(folder, FileError.at(folder), FILES)
    state, kept, replaced = read_state(folder)
    found = settings_in(path, LeagueConfig, kept, replaced)
    check_kept(kept, found, keys_of(changes), ConfigError.at(path))
    config = checked(load_settings(LeagueConfig, [path], changes), ConfigError.at(path))
    league = League(config, folder, work, progress or NoProgress())
    league.state = state
    league.write_config(kept if changed_settings(kept, plain(asdict(config))) else None)
    league.run()
    return league


def resume_with(folder: Path, work: WorkOptions) -> None:
    """Set the command line that an interrupt suggests for resuming."""
    options = ["--jobs", str(work.jobs)] if work.jobs > 1 else []
    options += ["--backend", RAY] if work.backend == RAY else []
    options += ["--address", work.address] if work.address is not None else []
    stopping.resume_with("league", "--resume", name_of(folder), *options)
