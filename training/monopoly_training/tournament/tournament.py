"""Play a tournament: line-up, schedule, games and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import monopoly_env
from monopoly_env.compiler.cache import SOURCE_KEYS
from monopoly_env.editions import EditionSet
from monopoly_env.envs.options import TableOptions
from monopoly_env.records import ACTIONS_VERSION, RULES_VERSION
from monopoly_training.behavior.figures import COLUMNS
from monopoly_training.common.compile_notice import LoopKind, announce
from monopoly_training.common.files import cleanup_on_error
from monopoly_training.common.memory import check_jobs, check_memory
from monopoly_training.common.progress import Games, NoProgress, Progress
from monopoly_training.luck.estimator import LuckEstimator, digest_of_judge
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.pairing import Swiss, Table, fixed_tables
from monopoly_training.matches.recording import record_line
from monopoly_training.matches.runner import Players, loop_kind, play_batch
from monopoly_training.matches.schedule import Batch, batches, in_order
from monopoly_training.matches.workers import DEFAULTS, WorkOptions, do_all
from monopoly_training.stats.bootstrap import Float64s
from monopoly_training.stats.sprt import TrialMonitor
from monopoly_training.tournament.config import TournamentConfig
from monopoly_training.tournament.game_table import GameTable
from monopoly_training.tournament.ledger import Ledger
from monopoly_training.tournament.summary import TournamentResult, summary

OUTCOME = 2000  # bytes of memory per game: schedule, outcome and table rows

# Seeds per batch: enough to be worth a line of the ledger and a trip between processes. Trained
# policies gain from larger batches; a game of a slow bot may take minutes.
SEEDS_TOGETHER: dict[LoopKind, int] = {"compiled": 16, "batched": 64, "sequential": 1}


def play_tournament(
    config: TournamentConfig,
    folder: Path,
    work: WorkOptions = DEFAULTS,
    progress: Progress | None = None,
) -> TournamentResult:
    """Play every seed in every rotation of the seats; ``folder`` receives the ledger.

    The same config gives the same games, whatever the backend in ``work``.
    """
    line_up = entrants(config.agents, work.trust)
    config.options().editions()
    sums = 8 * len(COLUMNS) * config.players if config.behavior else 0
    check_memory("games", {"for the games": config.all_games * (OUTCOME + sums)})
    check_jobs(work.jobs, config.all_games)
    progress = progress or NoProgress()
    errors = ErrorLog(folder)
    players = Players(line_up, errors)
    players.check()
    with (
        closing(players),
        cleanup_on_error(folder),
        Ledger(folder, header(config), work.resume) as ledger,
    ):
        errors.begin(work.resume)
        announce(progress, loop_kind(line_up))
        run = TournamentRun(config, players, work, ledger, progress, folder)
        games = run.play()
        ledger.end()
    return summary(config, games, run.monitor.trial if run.monitor else None)


def header(config: TournamentConfig) -> dict[str, Any]:
    """Return the settings and versions that must match for a tournament to resume."""
    code = {
        "version": monopoly_env.version,
        "rules_version": RULES_VERSION,
        "actions_version": ACTIONS_VERSION,
        "code": SOURCE_KEYS.key_of_packages("monopoly_env", "monopoly_agents"),
    }
    played = {name: value for name, value in asdict(config).items() if name != "anchor"}
    if config.luck_adjusted is None:
        del played["luck_adjusted"]  # as in ledgers written before this setting existed
    else:
        code["luck_judge"] = digest_of_judge(config.luck_adjusted)
    return {"config": played, "code": code}


@dataclass(frozen=True)
class PlayedBatch:
    """A finished batch."""

    batch: Batch
    outcomes: list[Outcome]  # one per match
    records: list[str]  # records of the games that are saved, one line each


@dataclass(frozen=True)
class PlayJob:
    """A job that plays batches and records the first ``records`` games, or all if it is None."""

    agents: tuple[str, ...]
    trust: bool
    options: TableOptions
    records: int | None
    folder: Path  # the results folder
    behavior: bool = False  # whether to measure behavior
    luck_adjusted: str | None = None  # the value function by which luck is measured

    def do(self, players: Players, batch: Batch) -> PlayedBatch:
        """Play all games of a batch."""
        count = len(batch.matches) if self.records is None else self.records - batch.first
        editions = self.options.editions()
        if self.luck_adjusted is None:
            outcomes = play_batch(players, batch, self.options, count, self.behavior)
        else:
            outcomes = self._with_luck(players, batch, editions, count)
        records = [
            record_line(editions.for_seed(match.seed), match, outcome.actions, players.names)
            for match, outcome in zip(batch.matches, outcomes, strict=True)
            if outcome.actions is not None
        ]
        return PlayedBatch(batch, outcomes, records)

    def _with_luck(
        self, players: Players, batch: Batch, editions: EditionSet, kept: int
    ) -> list[Outcome]:
        """Play a batch and measure each seat's luck, which requires replaying all games."""
        taker = estimator_of_process(str(self.luck_adjusted))
        found = []
        played = play_batch(players, batch, self.options, len(batch.matches), self.behavior)
        for row, outcome in enumerate(played):
            assert outcome.actions is not None  # requested for all games
            match = batch.matches[row]
            edition = editions.for_seed(match.seed)
            luck = taker.of_seed(edition, len(match.seating), match.seed, outcome.actions).total
            actions = outcome.actions if row < kept else None
            found.append(replace(outcome, luck=tuple(luck.tolist()), actions=actions))
        return found


@cache
def estimator_of_process(judge: str) -> LuckEstimator:
    """Return this process's luck meter, created once."""
    return LuckEstimator(judge)


class TournamentRun:
    """A tournament in progress: what has been played, and what comes next."""

    def __init__(
        self,
        config: TournamentConfig,
        players: Players,
        work: WorkOptions,
        ledger: Ledger,
        progress: Progress,
        folder: Path,
    ) -> None:
        self.config, self.players, self.work, self.ledger = config, players, work, ledger
        self.job = PlayJob(
            config.agents,
            work.trust,
            config.options(),
            config.records,
            folder,
            config.behavior,
            config.luck_adjusted,
        )
        self.loop = loop_kind(players.line_up)
        self.batches: list[Batch] = []  # the schedule so far
        self.outcomes: dict[int, Sequence[Outcome]] = dict(ledger.batches)
        played = sum(map(len, ledger.batches.values()))
        if played:
            progress.log(f"{played:,} of {config.all_games:,} games were played before")
        self.progress = Games(progress, max(config.all_games - played, 1))
        test = config.test
        self.monitor = TrialMonitor(test, config.players * config.tables) if test else None

    def play(self) -> GameTable:
        """Play the remaining games and return the table of all games."""
        for number, (tables, seeds) in enumerate(self._rounds(), 1):
            matches = list(in_order(tables, seeds, SEEDS_TOGETHER[self.loop]))
            size = (
                1 if self.loop == "sequential" else SEEDS_TOGETHER[self.loop] * self.config.players
            )
            first = sum(len(batch.matches) for batch in self.batches)
            round_ = batches(matches, size, number, len(self.batches), first)
            self.batches += round_
            self._play(round_)
        return self._table(self.monitor.last_seed if self.monitor and self._decided else None)

    def _rounds(self) -> Iterator[tuple[Sequence[Table], range]]:
        """Yield the tables and seeds of each round; Swiss pairing depends on earlier games."""
        config, bots = self.config, len(self.config.agents)
        swiss = Swiss(bots, config.players)
        for number in range(config.all_rounds):
            first = config.seed + number * config.seeds
            seeds = range(first, first + config.seeds)
            if config.format == "swiss":
                yield swiss.pair(self._rates()), seeds
            else:
                yield fixed_tables(config.format, bots, config.players), seeds

    def _rates(self) -> Float64s:
        """Return each bot's win rate so far, 0 without games."""
        bots = len(self.config.agents)
        if not self.batches:
            return np.zeros(bots)
        games = self._table(None)
        won = np.bincount(games.seating.ravel(), games.wins.ravel(), bots)
        played = np.bincount(games.seating.ravel(), minlength=bots)
        return won / np.maximum(played, 1)

    def _play(self, round_: Sequence[Batch]) -> None:
        """Play the batches of a round that are not in the ledger."""
        for batch in round_:
            if batch.number in self.outcomes and self._decided_by(batch):
                return
        todo = [batch for batch in round_ if batch.number not in self.outcomes]
        with closing(do_all(self.job, self.players, todo, self.work)) as playing:
            for played in playing:
                batch = played.batch
                self.ledger.add(batch.number, played.outcomes, played.records, batch.matches)
                self.outcomes[played.batch.number] = played.outcomes
                self.progress(len(played.outcomes))
                if self._decided_by(played.batch):
                    return

    def _decided_by(self, batch: Batch) -> bool:
        """Add a batch to the sequential test and return whether it is decided."""
        if self.monitor is None:
            return False
        outcomes = self.outcomes[batch.number]
        return self.monitor.add(
            batch.number,
            [
                (match.seed, tested_score(self.config.format, match.seating, outcome))
                for match, outcome in zip(batch.matches, outcomes, strict=True)
            ],
        )

    @property
    def _decided(self) -> bool:
        return self.monitor is not None and self.monitor.trial.decided is not None

    def _table(self, last_seed: int | None) -> GameTable:
        """Return all games so far, up to ``last_seed`` if a test was decided."""
        played = [batch for batch in self.batches if batch.number in self.outcomes]
        outcomes = [self.outcomes[batch.number] for batch in played]
        games = GameTable.of(self.players.names, played, outcomes)
        return games if last_seed is None else games.where(games.seed <= last_seed)


def tested_score(form: str, seating: Sequence[int], outcome: Outcome) -> float | None:
    """Return a game's score in the sequential test, or None if no tested bot plays.

    The score is the first bot's share of the win. In a paired tournament, the second bot's games
    score one minus its share; the mean over a seed is then (1 + d) / 2, where d is the difference
    of the two win rates.
    """
    share = share_of(0, seating, outcome)
    if form != "paired" or share is not None:
        return share
    other = share_of(1, seating, outcome)
    return None if other is None else 1 - other


def share_of(bot: int, seating: Sequence[int], outcome: Outcome) -> float | None:
    """Return a bot's share of the win, or None if it does not play."""
    if bot not in seating:
        return None
    return (outcome.ranks[seating.index(bot)] == 1) / outcome.ranks.count(1)
