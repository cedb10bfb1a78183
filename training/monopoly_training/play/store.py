"""A game on disk: a folder with its start and an append-only file of moves.

``game.json`` holds the record of the game before its first move, who may take which seat, and how
it is played. ``moves.jsonl`` has a line for each move or change, written before it takes effect, so
a server that is killed loses nothing.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from monopoly_env.compiler.processes import lock
from monopoly_env.errors import FileError, Location, show
from monopoly_env.files import (
    check_output_folder,
    cut_torn_end,
    parse_json,
    reason_of,
    whole_lines,
    with_digest,
    write_all,
)
from monopoly_env.records.record import check_record
from monopoly_training.common.files import read_with_digest, warn_repaired, write_atomic

FORMAT = 1
HEADER, MOVES, RECORD = "game.json", "moves.jsonl", "record.jsonl"
KEYS = ("format", "start", "seats", "links", "practice", "pace", "created")


@dataclass(frozen=True)
class Header:
    """How a game began and how it is played."""

    start: dict[str, Any]  # the record before the first move
    seats: list[str]  # human, or the bot's name
    links: dict[str, list[int]]  # the seats of each link key
    practice: bool = True  # whether moves may be taken back
    pace: int = 400  # least milliseconds per action of a bot
    created: float = field(default_factory=time.time)  # seconds since 1970

    def seats_of(self, key: str) -> list[int]:
        """Return the seats that a link plays for; none for an unknown key."""
        found: list[int] = []
        for known, seats in self.links.items():
            if secrets.compare_digest(known.encode(), key.encode()):
                found = seats
        return found


@dataclass(frozen=True)
class Line:
    """One line of the file of moves.

    ``kind`` is move (``text``: ``A roll``), undo (``number``: back to so many moves) or windows
    (``number``: a seat, ``text``: ``ask`` or ``pass`` between the turns of others).
    """

    kind: str
    number: int
    text: str = ""


def new_links(people: list[int]) -> dict[str, list[int]]:
    """Return a key for each person's seat, and, for several people, one for all of them."""
    groups = [[seat] for seat in people] + ([people] if len(people) > 1 else [])
    return {secrets.token_urlsafe(9): seats for seats in groups}


class Store:
    """The folder of one game. Raises: FileError, one line, for a folder without a game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.header = read_header(folder)
        self._file: IO[bytes] | None = None

    @classmethod
    def create(cls, folder: Path, header: Header) -> Store:
        """Create a game. Raises: FileError for a folder that cannot be written to."""
        check_output_folder(folder, FileError.at(folder), (HEADER, MOVES))
        document = with_digest({"format": FORMAT, **asdict(header)})
        write_atomic(folder / HEADER, json.dumps(document, indent=1) + "\n")
        return cls(folder)

    @property
    def path(self) -> Path:
        """The file of moves."""
        return self.folder / MOVES

    def lines(self) -> list[Line]:
        """Return all lines so far, without a last line that was cut off."""
        return list(self._read())

    def _read(self) -> Iterator[Line]:
        for number, text in enumerate(whole_lines(self.path, FileError.at(self.path)), 1):
            yield _line(text, FileError.at(f"{self.path}: line {number}"))

    def _take(self) -> None:
        """Open the file for writing. Raises: FileError if another server has the game open."""
        if self._file is not None:
            return
        file = self.path.open("a+b", buffering=0)
        if not lock(file):
            file.close()
            FileError.at(self.path).fail("another server has this game open; end that one first")
        torn = cut_torn_end(file)
        if torn:
            warn_repaired(
                self.path, f"ends in {torn:,} bytes that are not a move; they are cut off"
            )
        self._file = file

    def append(self, *lines: Line) -> None:
        """Write lines in one piece before they take effect.

        Raises: FileError if they cannot be written; then none of them is.
        """
        self._take()
        assert self._file is not None
        text = "".join(
            json.dumps([one.kind, one.number, *([one.text] if one.text else [])]) + "\n"
            for one in lines
        )
        end = self._file.seek(0, os.SEEK_END)
        try:
            write_all(self._file, text.encode())
            os.fsync(self._file.fileno())
        except OSError as problem:
            self._file.truncate(end)  # a partial line would spoil the following ones
            FileError.at(self.path).fail(f"cannot be written: {reason_of(problem)}")

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def read_header(folder: Path) -> Header:
    """Read how a game began. Raises: FileError, RecordError."""
    path = folder / HEADER
    document = read_with_digest(path)
    location = FileError.at(path)
    if document.get("format") != FORMAT:
        location.fail(f"has format {show(document.get('format'))}; this version reads {FORMAT}")
    location.mapping(document, "key", KEYS)
    start = check_record(document["start"])
    links: Mapping[str, list[int]] = document["links"]
    return Header(
        start,
        list(document["seats"]),
        dict(links),
        bool(document["practice"]),
        int(document["pace"]),
        float(document["created"]),
    )


def _line(text: bytes, location: Location) -> Line:
    """Parse one line. Raises: FileError."""
    raw = parse_json(text, location)
    if not isinstance(raw, list) or not 2 <= len(raw) <= 3:
        location.fail("is not a move of a game")
    kind, number, rest = raw[0], raw[1], raw[2:]
    if kind not in ("move", "undo", "windows") or type(number) is not int:
        location.fail("is not a move of a game")
    return Line(kind, number, location.text(rest[0]) if rest else "")
