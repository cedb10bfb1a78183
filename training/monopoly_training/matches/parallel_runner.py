"""Play a schedule in several processes or on a cluster, with the results of ``play_matches``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from monopoly_env.envs.options import TableOptions
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import Entrant
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.runner import (
    GameCounter,
    LuckMeter,
    Players,
    Results,
    play_batch,
)
from monopoly_training.matches.schedule import Batch, Match, batches
from monopoly_training.matches.workers import WorkOptions, do_all

TOGETHER = 64  # most games per batch: some tenths of a second of compiled play
SHARES = 4  # batches per process, at least: games of a slow bot take seconds each


@dataclass(frozen=True)
class MatchJob:
    """A job that plays batches of matches, with the actions of the first ``keep`` matches."""

    agents: tuple[str, ...]
    trust: bool
    options: TableOptions
    folder: Path
    behavior: bool
    keep: int

    def do(self, players: Players, batch: Batch) -> tuple[Batch, list[Outcome]]:
        """Play a batch."""
        keep = self.keep - batch.first
        return batch, play_batch(players, batch, self.options, keep, self.behavior)


def play_matches_in_parallel(
    line_up: Sequence[Entrant],
    matches: Sequence[Match],
    options: TableOptions,
    work: WorkOptions,
    progress: GameCounter = lambda _: None,
    errors: ErrorLog | None = None,
    behavior: bool = False,
    luck_of: LuckMeter | None = None,
    keep: int = 0,
) -> Results:
    """Play every match with the backend in ``work``.

    The other arguments are those of ``play_matches``. Each bot's first error is shown, and counted
    in ``errors``.
    """
    results = Results.blank(len(matches), len(line_up), behavior)
    with (
        tempfile.TemporaryDirectory(prefix="monopoly-env-") as folder,
        closing(Players(line_up, errors)) as players,
    ):
        players.check()
        names = tuple(entrant.name for entrant in line_up)
        kept = Path(folder)
        played = len(matches) if luck_of is not None else keep  # luck is measured by actions
        job = MatchJob(names, work.trust, options, kept, behavior, played)
        together = min(TOGETHER, -(-len(matches) // (SHARES * work.jobs)))
        with closing(do_all(job, players, batches(matches, together), work)) as playing:
            for batch, outcomes in playing:
                for k, (match, outcome) in enumerate(zip(batch.matches, outcomes, strict=True)):
                    row = batch.first + k
                    results.note(row, match.seating, outcome)
                    if row < keep and outcome.actions is not None:
                        results.actions[row] = outcome.actions
                    if luck_of is not None and outcome.actions is not None:
                        results.luck[row] = luck_of(match.seed, outcome.actions)
                progress(len(outcomes))
        if errors is not None:
            errors.count(ErrorLog(kept))
    return results
