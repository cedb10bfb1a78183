"""Games of any line-up as data: ``monopoly-env generate``.

Games are played first, then gone through once more at compiled speed, with nobody asked: so the
outcome is known when a decision is written, and no more rows are in memory than fit a row group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OBSERVATION_VERSION
from monopoly_env.envs.options import TableOptions
from monopoly_training.common.compile_notice import LoopKind, announce
from monopoly_training.common.files import as_json, provenance, whole_file, write_atomic
from monopoly_training.common.progress import Games, NoProgress, Progress
from monopoly_training.common.schema import location_of
from monopoly_training.dataset.reader import FILE, FORMAT, arrow_schema, info, open_part, part_path
from monopoly_training.dataset.row_group import Rows
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.pairing import fixed_tables
from monopoly_training.matches.runner import Players, loop_kind, play_batch
from monopoly_training.matches.schedule import Batch, Match, batches, in_order
from monopoly_training.matches.workers import do_all
from monopoly_training.tournament.config import TournamentConfig
from monopoly_training.tournament.ledger import check_header
from monopoly_training.tournament.tournament import SEEDS_TOGETHER, header


@dataclass(frozen=True)
class Wanted:
    """Which decisions are kept, and what of them."""

    bots: tuple[str, ...] | None = None  # None: of all
    forced: bool = False  # those with one legal action too
    observations: bool = True


def generate(
    config: TournamentConfig,
    wanted: Wanted,
    folder: Path,
    trust: bool = False,
    jobs: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Play the games of a config and write their decisions; the content of dataset.json.

    The same arguments give the same rows, whatever ``jobs`` is and however often it was resumed.
    """
    check(config, wanted)
    line_up = entrants(config.agents, trust)
    config.options().load()
    progress = progress or NoProgress()
    todo = parts_of(config, loop_kind(line_up))
    about = begin(config, wanted, folder, len(todo), resume)
    announce(progress, loop_kind(line_up), "compiled")
    missing = [part for part in todo if not part_path(folder, part.number).exists()]
    bar = Games(progress, max(sum(len(part.matches) for part in missing), 1))
    job = WriteJob(config.agents, trust, config.options(), wanted, folder)
    with closing(Players(line_up)) as players:
        for games in do_all(job, players, missing, jobs):
            bar(games)
    return end(folder, about)


def check(config: TournamentConfig, wanted: Wanted) -> None:
    """Raise a one-line error for what cannot be generated."""
    if config.format == "swiss":
        location_of("generate").fail(
            "format swiss pairs by results; use table, round_robin, gauntlet"
        )
    for bot in wanted.bots or ():
        if bot not in config.agents:
            location_of("--bots").fail_unknown(
                bot, "bot in the line-up", dict.fromkeys(config.agents)
            )


def parts_of(config: TournamentConfig, kind: LoopKind) -> list[Batch]:
    """The games of each file."""
    tables = fixed_tables(config.format, len(config.agents), config.players)
    seeds = range(config.seed, config.seed + config.seeds)
    together = max(SEEDS_TOGETHER[kind], SEEDS_TOGETHER["compiled"])
    return batches(list(in_order(tables, seeds, together)), together * config.players)


def begin(
    config: TournamentConfig, wanted: Wanted, folder: Path, parts: int, resume: bool
) -> dict[str, Any]:
    """Say in the folder what is being made; an error if it holds something else."""
    about = {
        "format": FORMAT,
        "complete": False,
        **header(config),
        "wanted": asdict(wanted),
        "bots": list(dict.fromkeys(config.agents)),
        "players": config.players,
        "games": config.all_games,
        "parts": parts,
        "observations": wanted.observations,
        "observation_version": OBSERVATION_VERSION,
        "observation_size": OBSERVATION_SIZE,
    }
    path = folder / FILE
    if path.exists():
        then = info(folder, complete=False)
        if not resume:
            location_of(path).fail(
                "a data set is here already; --resume finishes it, --out names another folder"
            )
        check_header(path, named(then), named(about))
    write_atomic(path, as_json(about))
    return about


def named(about: dict[str, Any]) -> dict[str, Any]:
    """What must be the same for a data set to go on."""
    plain = {**about, "config": {**about["config"], **about["wanted"]}}
    return {part: plain[part] for part in ("config", "code")}


def end(folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Say that all is there, and how much it is."""
    rows = 0
    for number in range(about["parts"]):
        with open_part(folder, number) as part:
            rows += part.metadata.num_rows
    done = {**about, "complete": True, "rows": rows, **provenance()}
    write_atomic(folder / FILE, as_json(done))
    return done


@dataclass(frozen=True)
class WriteJob:
    """Plays a batch and writes its decisions into a file of their own."""

    agents: tuple[str, ...]
    trust: bool
    options: TableOptions
    wanted: Wanted
    folder: Path

    def do(self, players: Players, batch: Batch) -> int:
        """Play and write; how many games it were. The file is whole or not there."""
        from pyarrow import parquet

        outcomes = play_batch(players, batch, self.options, keep=len(batch.matches))
        schema = arrow_schema(self.wanted.observations)
        plain = [name for name in ("mask", "observation") if name in schema.names]
        others = [name for name in schema.names if name not in plain]
        with (
            whole_file(part_path(self.folder, batch.number)) as whole,
            parquet.ParquetWriter(
                whole, schema, compression="zstd", compression_level=1, use_dictionary=others
            ) as file,
        ):
            for rows in self._groups(batch, outcomes):
                file.write_table(rows.as_table(schema, self.agents))
        return len(batch.matches)

    def _groups(self, batch: Batch, outcomes: Sequence[Outcome]) -> Iterator[Rows]:
        """The decisions of a batch, as many at a time as fit a row group."""
        rows = Rows(self.options.load(), self.wanted.observations)
        for offset, (match, outcome) in enumerate(zip(batch.matches, outcomes, strict=True)):
            seats = self._seats(match)
            if not seats:
                continue
            rows.begin(batch.first + offset, match, outcome)
            while not rows.fill(seats, self.wanted.forced):
                yield rows
                rows.clear()
        if rows.count:
            yield rows

    def _seats(self, match: Match) -> int:
        """The seats whose decisions are kept, as bits."""
        bots = self.wanted.bots
        return sum(
            1 << seat
            for seat, number in enumerate(match.seating)
            if bots is None or self.agents[number] in bots
        )
