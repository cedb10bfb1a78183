"""Write the decisions of games as a dataset: ``monopoly-env generate``.

Games are played first and then replayed from their actions at compiled speed, so that the outcome
is known when a decision is written, and only one row group is in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OBSERVATION_VERSION
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import FileError, InputError
from monopoly_env.files import check_output_folder, file_digest, with_digest
from monopoly_training.common.compile_notice import LoopKind, announce
from monopoly_training.common.files import (
    as_json,
    cleanup_on_error,
    provenance,
    warn_repaired,
    whole_file,
    write_atomic,
)
from monopoly_training.common.memory import check_jobs, check_memory
from monopoly_training.common.progress import Games, NoProgress, Progress
from monopoly_training.common.schema import ConfigError
from monopoly_training.dataset.card import CARD, card
from monopoly_training.dataset.parts import (
    PARTS,
    Part,
    add_part,
    open_part,
    part_path,
    read_parts,
    repair_parts,
)
from monopoly_training.dataset.reader import FILE, FORMAT, arrow_schema, info, whole_parts
from monopoly_training.dataset.row_group import RowGroup
from monopoly_training.evaluation.evaluate import MATCH
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.pairing import fixed_tables
from monopoly_training.matches.runner import Players, loop_kind, play_batch
from monopoly_training.matches.schedule import Batch, Match, batches, in_order
from monopoly_training.matches.workers import DEFAULTS, WorkOptions, do_all
from monopoly_training.tournament.config import TournamentConfig
from monopoly_training.tournament.ledger import check_header
from monopoly_training.tournament.tournament import SEEDS_TOGETHER, header


@dataclass(frozen=True)
class DatasetSpec:
    """The selection of decisions in a dataset."""

    bots: tuple[str, ...] | None = None  # decisions of these bots; None: all
    forced: bool = False  # include forced decisions (one legal action)
    observations: bool = True


def generate(
    config: TournamentConfig,
    spec: DatasetSpec,
    folder: Path,
    work: WorkOptions = DEFAULTS,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Play the games of a config and write their decisions; return the content of dataset.json.

    The same config and spec give the same rows, whatever the backend in ``work``.
    """
    check(config, spec)
    line_up = entrants(config.agents, work.trust)
    config.options().editions()
    check_memory("games", {"for the games": config.all_games * MATCH})
    progress = progress or NoProgress()
    parts = parts_of(config, loop_kind(line_up))
    check_jobs(work.jobs, len(parts))
    about = manifest(config, spec, len(parts))
    errors = ErrorLog(folder)
    with closing(Players(line_up, errors)) as players:
        players.check()
        with cleanup_on_error(folder):
            complete = check_folder(folder, about, work.resume)
            missing = missing_parts(folder, parts, complete)
        write_atomic(folder / FILE, as_json(with_digest(about)))
        errors.begin(work.resume)
        announce(progress, loop_kind(line_up), "compiled")
        bar = Games(progress, max(sum(len(part.matches) for part in missing), 1))
        job = WriteJob(config.agents, work.trust, config.options(), spec, folder)
        for part in do_all(job, players, missing, work):
            add_part(folder, part)
            bar(part.games)
    return end(folder, about, as_it_was=complete and not missing)


def check(config: TournamentConfig, spec: DatasetSpec) -> None:
    """Raise a one-line error for an invalid combination."""
    if config.format == "swiss":
        ConfigError.at("format").fail("swiss pairs by results; use table, round_robin, gauntlet")
    for bot in spec.bots or ():
        if bot not in config.agents:
            InputError.at("bots").fail_unknown(
                bot, "bot in the line-up", dict.fromkeys(config.agents)
            )


def parts_of(config: TournamentConfig, kind: LoopKind) -> list[Batch]:
    """Return the games of each file."""
    tables = fixed_tables(config.format, len(config.agents), config.players)
    seeds = range(config.seed, config.seed + config.seeds)
    together = max(SEEDS_TOGETHER[kind], SEEDS_TOGETHER["compiled"])
    return batches(list(in_order(tables, seeds, together)), together * config.players)


def manifest(config: TournamentConfig, spec: DatasetSpec, parts: int) -> dict[str, Any]:
    """Return the content of dataset.json for an incomplete dataset."""
    return {
        "format": FORMAT,
        "complete": False,
        **header(config),
        "wanted": asdict(spec),
        "bots": list(dict.fromkeys(config.agents)),
        "players": config.players,
        "games": config.all_games,
        "parts": parts,
        "observations": spec.observations,
        "observation_version": OBSERVATION_VERSION,
        "observation_size": OBSERVATION_SIZE,
    }


def check_folder(folder: Path, about: dict[str, Any], resume: bool) -> bool:
    """Return whether the folder already holds this dataset, complete.

    Raises: FileError, one line, for a folder that holds another dataset, or cannot be used.
    """
    check_output_folder(folder, FileError.at(folder), (FILE, PARTS, CARD))
    path = folder / FILE
    if path.exists():
        earlier = info(folder, complete=False)
        if not resume:
            FileError.at(path).fail(
                "already contains a dataset; `resume` continues it, or name another `folder`"
            )
        check_header(path, identity(earlier), identity(about))
        return bool(earlier["complete"])
    if resume and (folder / PARTS).exists():
        FileError.at(path).fail(
            f"is gone, and {PARTS} tells of its parts; put it back, or delete {PARTS} too"
        )
    (folder / PARTS).unlink(missing_ok=True)  # left from another dataset, whose parts are replaced
    return False


def missing_parts(folder: Path, parts: Sequence[Batch], complete: bool) -> list[Batch]:
    """Return the parts to generate; warn if one is missing that no kill can explain.

    ``complete``: whether the dataset was complete before. Raises: FileError for a damaged part.
    """
    repair_parts(folder)
    whole = read_parts(folder)
    missing = []
    for part in parts:
        path, known = part_path(folder, part.number), part.number in whole
        if known and path.exists():
            with open_part(folder, whole[part.number]):
                continue
        if known:
            warn_repaired(path, "is gone; it is generated again")
        elif complete:
            warn_repaired(folder / PARTS, f"does not tell of {path.name}, which is generated again")
        missing.append(part)
    return missing


def identity(about: dict[str, Any]) -> dict[str, Any]:
    """Return what must match for a dataset to resume."""
    code = {**about["code"], "observation_version": about.get("observation_version")}
    return {"config": {**about["config"], **about["wanted"]}, "code": code}


def end(folder: Path, about: dict[str, Any], as_it_was: bool = False) -> dict[str, Any]:
    """Mark the dataset as complete with its number of rows, and write its card.

    An existing card is kept if the data is ``as_it_was``, since it may have been edited.
    """
    parts = whole_parts(folder, about)
    complete = {
        **about,
        "complete": True,
        "rows": sum(part.rows for part in parts),
        **provenance(),
    }
    if not as_it_was or not (folder / CARD).exists():
        write_atomic(folder / CARD, card(complete, parts))
    write_atomic(folder / FILE, as_json(with_digest(complete)))
    return complete


@dataclass(frozen=True)
class WriteJob:
    """A job that plays a batch and writes its decisions to one file."""

    agents: tuple[str, ...]
    trust: bool
    options: TableOptions
    spec: DatasetSpec
    folder: Path

    def do(self, players: Players, batch: Batch) -> Part:
        """Play a batch and write its file, atomically; return the part."""
        from pyarrow import parquet

        outcomes = play_batch(players, batch, self.options, keep=len(batch.matches))
        schema = arrow_schema(self.spec.observations)
        small = [name for name in schema.names if name not in ("mask", "observation")]
        options = {"compression": "zstd", "compression_level": 1, "write_page_checksum": True}
        count = 0
        with whole_file(part_path(self.folder, batch.number)) as whole:
            with parquet.ParquetWriter(whole, schema, use_dictionary=small, **options) as file:
                for rows in self._groups(batch, outcomes):
                    file.write_table(rows.as_table(schema, self.agents))
                    count += rows.count
            size = whole.tell()
            whole.seek(0)
            digest = file_digest(whole)
        return Part(batch.number, len(batch.matches), count, size, digest)

    def _groups(self, batch: Batch, outcomes: Sequence[Outcome]) -> Iterator[RowGroup]:
        """Yield the decisions of a batch in row groups."""
        rows = RowGroup(self.options.editions(), self.spec.observations)
        for offset, (match, outcome) in enumerate(zip(batch.matches, outcomes, strict=True)):
            seats = self._seats(match)
            if not seats:
                continue
            rows.begin(batch.first + offset, match, outcome)
            while not rows.fill(seats, self.spec.forced):
                yield rows
                rows.clear()
        if rows.count:
            yield rows

    def _seats(self, match: Match) -> int:
        """Return the seats whose decisions are written, as a bit mask."""
        bots = self.spec.bots
        return sum(
            1 << seat
            for seat, number in enumerate(match.seating)
            if bots is None or self.agents[number] in bots
        )
