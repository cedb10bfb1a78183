"""The Parquet files of a dataset, and ``parts.jsonl`` with their digests.

A line is added when a part is complete, so a part without a line is unfinished. Damage is detected
twice: by the digest of a file before it is read, and by Parquet's page checksums, which locate it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError
from monopoly_env.files import (
    add_lines,
    file_digest,
    open_file,
    parse_json,
    torn_end,
    whole_lines,
    with_digest,
    without_digest,
)
from monopoly_training.common.files import warn_repaired
from monopoly_training.common.remote import written

PARTS = "parts.jsonl"
CUT = "that are no line; they are cut off, and a part of which no line tells is generated again"
REMEDY = "delete it, if it is there, and generate it again with `resume`"


@dataclass(frozen=True)
class Part:
    """One Parquet file: a line of ``parts.jsonl``."""

    part: int
    games: int
    rows: int
    bytes: int
    sha256: str


def part_path(folder: Path, number: int) -> Path:
    """Return the path of a Parquet file."""
    return folder / f"part-{number:05}.parquet"


def add_part(folder: Path, part: Part) -> None:
    """Record that a part is complete; an incomplete last line is truncated first."""
    path = folder / PARTS
    line = json.dumps(with_digest(asdict(part)), separators=(",", ":")).encode() + b"\n"
    add_lines(path, line, FileError.at(path), "`resume` continues")
    written(path)


def repair_parts(folder: Path) -> None:
    """Truncate an incomplete last line, with a warning. Raises: FileError."""
    path = folder / PARTS
    if torn_end(path, FileError.at(path)):
        warn_repaired(path, f"ends in {add_lines(path, b'', FileError.at(path)):,} bytes {CUT}")


def read_parts(folder: Path) -> dict[int, Part]:
    """Read the complete parts by number. Raises: FileError that names a damaged line."""
    path = folder / PARTS
    parts = {}
    torn = torn_end(path, FileError.at(path))
    if torn:
        warn_repaired(path, f"ends in {torn:,} bytes that are not a line; they are ignored")
    for number, line in enumerate(whole_lines(path, FileError.at(path)), 1):
        location = FileError.at(path) / f"line {number}"
        remedy = "delete the file, and generate the parts again with `resume`"
        content = parse_json(line, location, remedy)
        if not isinstance(content, dict):
            location.fail(f"tells of no part; {remedy}")
        content = without_digest(content, location, hint=remedy)
        if content.keys() != {field.name for field in fields(Part)}:
            location.fail(f"tells of no part; {remedy}")
        part = Part(**content)
        parts[part.part] = part
    return parts


# verified in this process: path, size, time, digest
_checked: set[tuple[str, int, int, str]] = set()


@contextmanager
def open_part(folder: Path, part: Part) -> Iterator[Any]:
    """Open a Parquet file after verifying its digest.

    A file that this process has verified and that has not changed since is not verified again.
    Raises: FileError, one line, for a damaged or missing part.
    """
    from pyarrow import ArrowException, parquet

    path = part_path(folder, part.part)
    location = FileError.at(path)
    if not path.exists():
        location.fail(f"is gone; {REMEDY}")
    with open_file(path, location, REMEDY) as file:
        status = os.fstat(file.fileno())
        known = (str(path.absolute()), status.st_size, status.st_mtime_ns, part.sha256)
        if known not in _checked:
            if status.st_size != part.bytes:
                location.fail(
                    f"is damaged: it has {status.st_size:,} bytes, not {part.bytes:,}; {REMEDY}"
                )
            if file_digest(file) != part.sha256:
                location.fail(f"is damaged{damaged_place(file)}; {REMEDY}")
            _checked.add(known)
        file.seek(0)
        try:
            with parquet.ParquetFile(file, page_checksum_verification=True) as opened:
                yield opened
        except (OSError, ArrowException) as problem:
            location.fail(f"is damaged: {problem}; {REMEDY}")


def damaged_place(file: Any) -> str:
    """Return the row group and column in which a part is damaged, as far as its pages tell."""
    from pyarrow import ArrowException, parquet

    errors = (OSError, ArrowException, ValueError, LookupError, MemoryError)
    file.seek(0)
    try:
        with parquet.ParquetFile(file, page_checksum_verification=True) as opened:
            names = opened.schema_arrow.names
            for group in range(opened.metadata.num_row_groups):
                for name in names:
                    try:
                        opened.read_row_group(group, [name])
                    except errors:
                        return f" in row group {group}, column {name}"
    except errors:
        return " in its footer"
    return " between its pages"
