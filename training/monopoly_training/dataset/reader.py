"""Read datasets of decisions as NumPy arrays; defines their columns.

A dataset is a folder: ``dataset.json`` describes it, ``part-00000.parquet`` and the following
parts have one row per decision, and ``parts.jsonl`` has their digests. Any Parquet reader can read
the parts; :func:`read` also unpacks masks and observations into arrays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OBSERVATION_VERSION
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.errors import FileError, InputError, show
from monopoly_env.files import read_json, without_digest
from monopoly_training.dataset.parts import PARTS, Part, open_part, read_parts

FILE = "dataset.json"
FORMAT = 1
# keys required in dataset.json
NEEDED = {"config", "code", "wanted", "bots", "players", "parts", "observations"}
MASK_BYTES = -(-N_ACTIONS // 8)
OBSERVATION_BYTES = 4 * OBSERVATION_SIZE

Arrays = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """One column of the Parquet files."""

    name: str
    kind: str  # an Arrow type; binary[n] has a fixed size
    meaning: str


COLUMNS = (
    Column("game", "int64", "number of the game in the schedule, from 0"),
    Column("seed", "int64", "of the game"),
    Column("decision", "int32", "number of the action in the game, from 0; forced ones count"),
    Column("bot", "string", "who decides"),
    Column("seat", "int8", "where it sits: 0 is A"),
    Column("phase", "int8", "what is decided: a number of Phase, docs/phases.md"),
    Column("action", "int16", "the id of what it did, docs/actions.md"),
    Column("throws", "int32", "own-throw clock: how often the seat has thrown the dice so far"),
    Column("mask", f"binary[{MASK_BYTES}]", "legal actions: id k is bit k % 8 of byte k // 8"),
    Column(
        "observation",
        f"binary[{OBSERVATION_BYTES}]",
        f"what the seat sees: {OBSERVATION_SIZE} float32, little-endian, docs/observation.md; "
        "not there with --no-observations",
    ),
    Column("win", "float32", "the seat's share of the win: 1 alone, 1/k with others, 0"),
    Column("rank", "int8", "the seat's place at the end: 1 is best, ties share it"),
    Column("worth_share", "float32", "the seat's share of all net worth at the end"),
    Column("truncated", "bool", "a limit ended the game, standings decided it"),
    Column("turns", "int32", "player turns of the whole game"),
)
READ = tuple(column.name for column in COLUMNS)


def schema_table() -> str:
    """Return the columns as a Markdown table, for docs/dataset.md."""
    lines = ["| column | type | meaning |", "| --- | --- | --- |"]
    lines += [f"| `{one.name}` | {one.kind} | {one.meaning} |" for one in COLUMNS]
    return "\n".join(lines) + "\n"


def arrow_schema(observations: bool) -> Any:
    """Return the columns as an Arrow schema."""
    import pyarrow as pa

    def kind(name: str) -> Any:
        if name.startswith("binary"):
            return pa.binary(int(name[len("binary[") : -1]))
        return pa.type_for_alias(name)

    kept = [one for one in COLUMNS if observations or one.name != "observation"]
    return pa.schema([(one.name, kind(one.kind)) for one in kept])


# Reading


def info(folder: str | Path, complete: bool = True) -> dict[str, Any]:
    """Read a dataset's dataset.json.

    Raises: FileError, one line, if the folder holds no dataset of this format, or, with
    ``complete``, an unfinished one.
    """
    path = Path(folder) / FILE
    location = FileError.at(path)
    about = read_json(path, location, "name the folder of a data set of monopoly-env generate")
    if not isinstance(about, dict) or about.get("format") != FORMAT or not about.keys() >= NEEDED:
        location.fail(f"is not a dataset of format {FORMAT}")
    about = without_digest(about, location)
    if complete and not about.get("complete"):
        location.fail("the data set is not finished; generate the rest of it with `resume`")
    return about


def read(
    folder: str | Path,
    batch_size: int = 8192,
    bots: Collection[str] | None = None,
    seats: Collection[int] | None = None,
    columns: Collection[str] | None = None,
) -> Iterator[Arrays]:
    """Yield the rows of a dataset as NumPy arrays by column, up to ``batch_size`` rows at a time.

    ``mask`` is int8[n, N_ACTIONS] with 1 for legal, ``observation`` float32[n, OBSERVATION_SIZE],
    ``bot`` an array of text. ``bots`` and ``seats`` select rows, ``columns`` the columns to read
    (None: all). Batches may be smaller at filters and at the ends of parts; one is in memory at a
    time.

    Raises: FileError, one line, for a folder without a dataset, or a damaged file (before any of
    its rows is yielded); InputError for an unknown bot, seat or column.
    """
    folder = Path(folder)
    about = info(folder)
    parts = whole_parts(folder, about)
    chosen = check_selection(about, bots, seats, columns)
    if "observation" in chosen:
        check_observations(folder, about)
    needed = [*chosen, *(name for name in ("bot", "seat") if name not in chosen)]
    for part in parts:
        with open_part(folder, part) as file:
            for rows in file.iter_batches(batch_size, columns=needed):
                arrays = {name: as_array(rows.column(name)) for name in needed}
                fits = np.ones(len(rows), bool)
                if bots is not None:
                    fits &= np.isin(arrays["bot"], list(bots))
                if seats is not None:
                    fits &= np.isin(arrays["seat"], list(seats))
                if fits.any():
                    yield {name: unpacked(name, arrays[name][fits]) for name in chosen}


def whole_parts(folder: Path, about: dict[str, Any]) -> list[Part]:
    """Return all parts of a dataset, in order. Raises: FileError, one line, if one is missing."""
    parts = read_parts(folder)
    for number in range(about["parts"]):
        if number not in parts:
            FileError.at(folder / PARTS).fail(
                f"does not tell of part {number}; generate the rest of the data with `resume`"
            )
    if not any(part.rows for part in parts.values()):
        FileError.at(folder).fail("is a data set without rows: no decision was kept")
    return [parts[number] for number in range(about["parts"])]


def check_selection(
    about: dict[str, Any],
    bots: Collection[str] | None,
    seats: Collection[int] | None,
    columns: Collection[str] | None,
) -> list[str]:
    """Return the columns to read.

    Raise an error for a selection that the dataset does not hold.
    """
    held = [name for name in READ if about["observations"] or name != "observation"]
    for name in columns or ():
        if name not in held:
            InputError.at("columns").fail_unknown(name, "column", held)
    for bot in bots or ():
        if bot not in about["bots"]:
            InputError.at("bots").fail_unknown(bot, "bot", about["bots"])
    for seat in seats or ():
        if not 0 <= seat < about["players"]:
            InputError.at("seats").fail(
                f"there is no seat {seat}; seats are 0 to {about['players'] - 1}"
            )
    return held if columns is None else [name for name in held if name in columns]


def check_observations(folder: Path, about: dict[str, Any]) -> None:
    """Raise an error, one line, if the observations are of another version than this one's."""
    version = about.get("observation_version")
    if version != OBSERVATION_VERSION:
        FileError.at(folder / FILE).fail(
            f"observation_version: {show(version)} is not this version's {OBSERVATION_VERSION}; "
            "generate the data again, or read it without the column observation"
        )


def as_array(column: Any) -> Any:
    """Convert an Arrow column to a NumPy array; fixed-size binary becomes uint8[n, bytes]."""
    import pyarrow as pa

    if not pa.types.is_fixed_size_binary(column.type):
        return column.to_numpy(zero_copy_only=False)
    width = column.type.byte_width
    data = np.frombuffer(column.buffers()[1], np.uint8)
    return data[column.offset * width :][: len(column) * width].reshape(len(column), width)


def unpacked(name: str, values: Any) -> Any:
    """Unpack masks to int8 and observations to float32; leave other columns unchanged."""
    if name == "mask":
        bits = np.unpackbits(values, axis=1, count=N_ACTIONS, bitorder="little")
        return bits.view(np.int8)
    if name == "observation":
        return np.ascontiguousarray(values).view("<f4")
    if name == "bot":
        return values.astype(str)
    return values
