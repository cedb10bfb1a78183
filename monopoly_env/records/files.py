"""Files of records, one game per JSON line, appended atomically and read line by line.

Each line has a digest of its record, which is checked on reading.
"""

from __future__ import annotations

import io
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from monopoly_env.errors import Location, RecordError
from monopoly_env.files import check_output, parse_json, read_lines, with_digest
from monopoly_env.records.record import check_record


class RecordWarning(UserWarning):
    """Warns of an incomplete last line in a file of records."""


BEGINS = b'{"format":'  # the beginning of every line

# --- writing ---


def encode_record(record: Mapping[str, Any]) -> str:
    """Return a record as a line with its digest. Raises: RecordError if it is invalid."""
    return json.dumps(with_digest(check_record(record)), separators=(",", ":")) + "\n"


def write_record(path: str | Path, record: Mapping[str, Any]) -> None:
    """Append a record to a file in one write. An incomplete last line is removed.

    Raises: RecordError if the file cannot be written, or is not a file of records.
    """
    location = RecordError.at(path)
    line = encode_record(check_record(record, location)).encode()
    check_output(path, location)
    try:
        with Path(path).open("a+b", buffering=0) as file:
            _cut_torn_line(file, location)
            if file.write(line) != len(line):
                location.fail("the record was written in part only; is the disk full?")
            os.fsync(file.fileno())
    except OSError as problem:
        location.fail(f"cannot be written: {problem.strerror or problem}")


def _cut_torn_line(file: io.FileIO, location: Location) -> None:
    """Remove an incomplete last line; complete a last line without a newline."""
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return
    file.seek(end - 1)
    if file.read(1) == b"\n":
        return
    begin = _last_line_start(file, end)
    file.seek(begin)
    last = file.read(end - begin)
    if _is_json(last):
        file.write(b"\n")
        return
    if not _is_torn(last):
        location.fail("is not a file of records: its last line is not a record; name another file")
    file.truncate(begin)
    _warn_torn(location)


def _last_line_start(file: io.FileIO, end: int) -> int:
    """Return the offset of the last line."""
    block = 1 << 16
    while end > 0:
        begin = max(0, end - block)
        file.seek(begin)
        newline = file.read(end - begin).rfind(b"\n")
        if newline >= 0:
            return begin + newline + 1
        end = begin
    return 0


def _warn_torn(location: Location) -> None:
    warnings.warn(
        f"{location.file}: the last line was cut off while it was written; it is left out",
        RecordWarning,
        stacklevel=4,
    )


# --- reading ---


def read_records(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file in order; files that end in .gz are decompressed.

    An incomplete last line is ignored with a warning. Raises: RecordError with the line number for
    any other line that is not a record, or was changed.
    """
    location = RecordError.at(path)
    for number, line in enumerate(read_lines(path, location), 1):
        if not line.endswith(b"\n") and _is_torn(line):
            _warn_torn(location)
            return
        if line.strip():
            here = RecordError.at(f"{path}: line {number}")
            yield check_record(parse_json(line, here), here)


def record_at(path: str | Path, number: int) -> dict[str, Any]:
    """Return a record of a file by number, from 1. Raises: RecordError if there are fewer."""
    record = next(islice(read_records(path), number - 1, None), None)
    if record is None:
        RecordError.at(path).fail(f"there is no game number {number}; it has fewer")
    return record


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _is_torn(line: bytes) -> bool:
    """Return whether a line is an incomplete record, rather than one followed by other text."""
    if not BEGINS.startswith(line[: len(BEGINS)]):
        return False
    try:
        json.JSONDecoder().raw_decode(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return True
    return False
