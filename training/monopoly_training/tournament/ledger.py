"""The ledger of a tournament: every game that is over, on disk, whatever happens to the process.

``games.jsonl`` is only ever added to. Its first line says which tournament it is; each other line
is a batch of games that were played together, and how long the file of records was after them. A
line counts when it is whole: a kill at any moment loses the games in flight and nothing else.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from io import FileIO
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from monopoly_env.errors import FileError, show
from monopoly_training.matches.outcome import Outcome

FILE = "games.jsonl"
RECORDS = "records.jsonl.gz"
END = {"end": True}

Header = Mapping[str, Any]


class Ledger:
    """The open ledger of a folder. Use it in a ``with`` block.

    ``batches`` are those that it held when it was opened, by number.

    Raises: FileError, one line, if the folder holds another tournament, or an unfinished one
    and ``resume`` is not given.
    """

    def __init__(self, folder: Path, header: Header, resume: bool) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path, self.records_path = folder / FILE, folder / RECORDS
        self.batches: dict[int, list[Outcome]] = {}
        self.ended = False
        self._records_length = 0
        lines = whole_lines(self.path)
        if resume and lines:
            self._read(lines, header)
        elif len(lines) > 1 and not is_end(lines[-1]):
            FileError.at(self.path).fail(
                "holds an unfinished tournament; `resume` goes on with it, another `folder` begins "
                "anew, and deleting the file gives it up"
            )
        else:
            if lines:  # finished: the same one may be played again over it, no other
                check_header(self.path, json.loads(lines[0]), header, ["config"])
            lines = []
        self._file = self.path.open("r+b" if lines else "wb", buffering=0)
        self._file.truncate(sum(map(len, lines)))
        self._file.seek(0, 2)
        self._records = self.records_path.open("ab", buffering=0)
        self._records.truncate(self._records_length)
        if not lines:
            self._write(header)

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

    def add(self, number: int, outcomes: Sequence[Outcome], records: Sequence[str] = ()) -> None:
        """Note a batch of games that are over, and add the records of some of them."""
        if records:
            self._append(self._records, gzip.compress("".join(records).encode(), 6, mtime=0))
        rows = [outcome.as_row() for outcome in outcomes]
        self._write({"batch": number, "records": self._records.tell(), "games": rows})

    def end(self) -> None:
        """Note that all games have been played."""
        if not self.ended:
            self._write(END)

    def _write(self, line: Mapping[str, Any]) -> None:
        """Add a line."""
        self._append(self._file, json.dumps(line, separators=(",", ":")).encode() + b"\n")

    @staticmethod
    def _append(file: FileIO, data: bytes) -> None:
        """Write at once. A disk that is nearly full takes a part, and says so the next time."""
        try:
            remaining = memoryview(data)
            while remaining:
                remaining = remaining[file.write(remaining) :]
        except OSError as problem:
            FileError.at(str(file.name)).fail(
                f"cannot be written: {problem.strerror}; what was finished before is kept, "
                "`resume` goes on"
            )

    def _read(self, lines: Sequence[bytes], header: Header) -> None:
        """What the ledger holds, if it is of this tournament."""
        location = FileError.at(self.path)
        try:
            first, *others = [json.loads(line) for line in lines]
            check_header(self.path, first, header)
            for line in others:
                if line == END:
                    self.ended = True
                else:
                    self.batches[line["batch"]] = [Outcome.from_row(row) for row in line["games"]]
                    self._records_length = line["records"]
        except FileError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError):
            location.fail("is no ledger of a tournament; name another `folder`")
        length = self.records_path.stat().st_size if self.records_path.is_file() else 0
        if length < self._records_length:
            FileError.at(self.records_path).fail(
                f"is gone or cut off, {FILE} tells of {self._records_length:,} bytes; put it back, "
                "or name another `folder`"
            )


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a file, without a last one that was cut off."""
    if not path.exists():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def is_end(line: bytes) -> bool:
    """Whether a line says that all games have been played."""
    return line.strip() == json.dumps(END, separators=(",", ":")).encode()


def check_header(
    path: Path, then: Any, now: Header, parts: Sequence[str] = ("config", "code")
) -> None:
    """Raise the error that names what differs between two tournaments."""
    for part in parts:
        before, after = then[part], json.loads(json.dumps(now[part]))
        for key in {**before, **after}:
            old, new = before.get(key), after.get(key)
            if old != new:
                FileError.at(path).fail(
                    f"was begun with another {key}: {show(old)}, now {show(new)}; go on with what "
                    "it was begun with, or name another `folder`"
                )
