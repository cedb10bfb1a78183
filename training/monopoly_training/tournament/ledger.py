"""The ledger of a tournament: an append-only file of finished games that survives any kill.

The first line of ``games.jsonl`` identifies the tournament; each other line is a batch of games and
the length of the records file after it. Only complete lines count, so a kill loses just the games
in flight. Each line carries a digest and the records a checksum; a modified line is refused by
number.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from monopoly_env.errors import FileError, show
from monopoly_env.files import (
    BLOCK,
    check_output_folder,
    open_file,
    parse_json,
    whole_lines,
    with_digest,
    without_digest,
    write_all,
)
from monopoly_training.common.files import warn_repaired
from monopoly_training.common.remote import written
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.schedule import Match

FILE = "games.jsonl"
RECORDS = "records.jsonl.gz"
END = {"end": True}
KNOWN = 10  # leading characters that all ledgers share
NO_LEDGER = "this is not a tournament's ledger, or it is damaged; name another `folder`"

Header = Mapping[str, Any]


class Ledger:
    """The open ledger of a folder. A context manager.

    ``batches`` holds the batches found on opening, by number.

    Raises: FileError, one line, if the folder holds another tournament, or an unfinished one and
    ``resume`` is not given.
    """

    def __init__(self, folder: Path, header: Header, resume: bool) -> None:
        check_output_folder(folder, FileError.at(folder), (FILE, RECORDS))
        self.path, self.records_path = folder / FILE, folder / RECORDS
        self.batches: dict[int, list[Outcome]] = {}
        self.ended = False
        self._records_length = self._records_crc = 0
        lines = whole_lines(self.path, FileError.at(self.path))
        if not lines:
            self._check_torn(header, resume)
        if resume and lines:
            self._read(lines, header)
        elif len(lines) > 1 and not is_end(lines[-1]):
            FileError.at(self.path).fail(
                "holds an unfinished tournament; `resume` continues it, another `folder` starts "
                "over, and deleting the file gives it up"
            )
        else:
            if lines:  # finished: only the same tournament may be played over it
                check_header(self.path, decode(self.path, 1, lines[0]), header, ["config"])
            lines = []
        self._file = self.path.open("r+b" if lines else "wb", buffering=0)
        self._new = not lines
        self._cut(self._file, sum(map(len, lines)), "its last line is cut off")
        self._records = self.records_path.open("ab", buffering=0)
        self._cut(self._records, self._records_length, f"holds more than {FILE} tells of")
        if not lines:
            self._write(header)

    def _cut(self, file: FileIO, length: int, what: str) -> None:
        """Truncate a file after the last complete batch, and warn about it."""
        more = file.seek(0, 2) - length
        if more > 0 and not self._new:
            warn_repaired(
                Path(str(file.name)), f"{what}; the {more:,} bytes after {length:,} are cut off"
            )
        file.truncate(length)
        file.seek(0, 2)

    def _check_torn(self, header: Header, resume: bool) -> None:
        """Check that a ledger without a complete line is one that a kill cut off at its start."""
        torn = self.path.read_bytes() if self.path.exists() else b""
        begun = self.records_path.exists() and self.records_path.stat().st_size > 0
        known = encode(header)[:KNOWN]
        if (torn and begun) or torn[:KNOWN] != known[: len(torn)]:
            FileError.at(self.path).fail(f"has no whole line; {NO_LEDGER}")
        if torn:
            warn_repaired(self.path, "is cut off in its first line; the tournament starts over")
        elif resume:
            what = "is empty" if self.path.exists() else "is not there"
            warn_repaired(self.path, f"{what}; the tournament begins from its first game")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self._records.close()
        if kind is not None and self._new:  # nothing was played, so leave nothing behind
            self.path.unlink(missing_ok=True)
            self.records_path.unlink(missing_ok=True)

    def add(
        self,
        number: int,
        outcomes: Sequence[Outcome],
        records: Sequence[str] = (),
        matches: Sequence[Match] = (),
    ) -> None:
        """Append a batch of finished games, and the records of some of them.

        ``matches`` holds the seed and seating of each game.
        """
        if records:
            data = gzip.compress("".join(records).encode(), 6, mtime=0)
            self._append(self._records, data)
            self._records_crc = zlib.crc32(data, self._records_crc)
        rows = [outcome.as_row() for outcome in outcomes]
        length, crc = self._records.tell(), self._records_crc
        line = {"batch": number, "records": length, "records_crc": crc}
        who = {"seeds": [m.seed for m in matches], "seating": [m.seating for m in matches]}
        self._write({**line, **who, "games": rows})
        self._new = False
        written(self.path)

    def end(self) -> None:
        """Mark the tournament as complete."""
        if not self.ended:
            self._write(END)

    def _write(self, line: Mapping[str, Any]) -> None:
        """Append a line."""
        self._append(self._file, encode(line))

    @staticmethod
    def _append(file: FileIO, data: bytes) -> None:
        """Write immediately, without buffering."""
        try:
            write_all(file, data)
        except OSError as problem:
            FileError.at(str(file.name)).fail(
                f"cannot be written: {problem.strerror}; what was finished before is kept, "
                "`resume` continues"
            )

    def _read(self, lines: Sequence[bytes], header: Header) -> None:
        """Read the ledger's lines, if they belong to this tournament."""
        location = FileError.at(self.path)
        try:
            first, *others = [decode(self.path, k, line) for k, line in enumerate(lines, 1)]
            check_header(self.path, first, header)
            for line in others:
                if line == END:
                    self.ended = True
                else:
                    self.batches[line["batch"]] = [Outcome.from_row(row) for row in line["games"]]
                    self._records_length, self._records_crc = line["records"], line["records_crc"]
        except FileError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError):
            location.fail(NO_LEDGER)
        self._check_records()

    def _check_records(self) -> None:
        """Check that the records file holds what the ledger says."""
        location = FileError.at(self.records_path)
        crc, left = 0, self._records_length
        if self.records_path.exists():
            with open_file(self.records_path, location) as file:
                while left > 0 and (block := file.read(min(left, BLOCK))):
                    crc, left = zlib.crc32(block, crc), left - len(block)
        if left > 0:
            location.fail(
                f"is gone or cut off, {FILE} tells of {self._records_length:,} bytes; put it back, "
                "or name another `folder`"
            )
        if crc != self._records_crc:
            location.fail("is damaged; put it back, or name another `folder`")


def encode(line: Mapping[str, Any]) -> bytes:
    """Encode a line of the ledger, with its digest."""
    return json.dumps(with_digest(line), separators=(",", ":")).encode() + b"\n"


def decode(path: Path, number: int, line: bytes) -> dict[str, Any]:
    """Decode a line of a ledger and check its digest. Raises: FileError that names the line."""
    location = FileError.at(path) / f"line {number}"
    content = parse_json(line, location, NO_LEDGER)
    if not isinstance(content, dict):
        location.fail(NO_LEDGER)
    return without_digest(content, location, hint=NO_LEDGER)


def is_end(line: bytes) -> bool:
    """Return whether a line marks the end of the tournament."""
    return line == encode(END)


def check_header(
    path: Path, then: Any, now: Header, parts: Sequence[str] = ("config", "code")
) -> None:
    """Raise an error that names the first difference between two tournaments' headers."""
    for part in parts:
        before, after = then[part], json.loads(json.dumps(now[part]))
        for key in {**before, **after}:
            old, new = before.get(key), after.get(key)
            if old != new:
                FileError.at(path).fail(
                    f"was begun with another {key}: {show(old)}, now {show(new)}; use the "
                    "original setting, or name another `folder`"
                )
