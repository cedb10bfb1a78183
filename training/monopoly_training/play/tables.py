"""All games of a folder, both running and finished."""

from __future__ import annotations

import secrets
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from monopoly_env.errors import InputError, NoSuchItem, show
from monopoly_env.notation import LETTERS
from monopoly_training.play.driver import Driver
from monopoly_training.play.setup import Setup
from monopoly_training.play.store import HEADER, Header, Store, read_header
from monopoly_training.play.table import Table

SHOWN = 50  # newest games that are listed


@dataclass
class Tables:
    """The games under ``folder``; each is opened at its first use."""

    folder: Path
    _open: dict[str, Driver] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def new(self, setup: Setup) -> str:
        """Start a game and return its name. Raises: InputError, FileError, one line."""
        header = setup.header()
        day = time.strftime("%Y-%m-%d", time.localtime(header.created))
        name = f"{day}-{secrets.token_hex(3)}"
        Store.create(self.folder / name, header)
        try:
            self.table(name)
        except BaseException:  # such as an unavailable bot: leave nothing behind
            (self.folder / name / HEADER).unlink()
            (self.folder / name).rmdir()
            raise
        return name

    def table(self, name: str) -> Table:
        """Return a game by its name. Raises: NoSuchItem, FileError, RecordError, one line."""
        with self._lock:
            if name not in self._open:
                self._open[name] = Driver(Table(Store(self._folder(name))))
            return self._open[name].table

    def header(self, name: str) -> Header:
        """Return a game's header without opening it. Raises: as :meth:`table`."""
        with self._lock:
            if name in self._open:
                return self._open[name].table.header
        return read_header(self._folder(name))

    def _folder(self, name: str) -> Path:
        folder = self.folder / name
        plain = name.replace("-", "").isalnum() and name.isascii()
        if not plain or not (folder / HEADER).is_file():
            NoSuchItem.at("game").fail(f"there is no game {show(name)} here")
        return folder

    def rows(self) -> list[dict[str, Any]]:
        """Return rows for the newest games; one that cannot be read has a ``problem``."""
        headers = sorted(
            self.folder.glob(f"*/{HEADER}"), key=lambda path: path.stat().st_mtime, reverse=True
        )
        return [self._row(path.parent.name) for path in headers[:SHOWN]]

    def _row(self, name: str) -> dict[str, Any]:
        try:
            header = self.header(name)
            lines = Store(self.folder / name).lines()
        except InputError as problem:
            return {"name": name, "problem": str(problem)}
        return {
            "name": name,
            "edition": header.start["edition"],
            "mode": header.start["mode"],
            "created": header.created,
            "seats": header.seats,
            "moves": sum(line.kind == "move" for line in lines),
            "over": (self.folder / name / "record.jsonl").exists(),
            "links": [
                ["".join(LETTERS[seat] for seat in seats), key]
                for key, seats in header.links.items()
            ],
        }

    def close(self) -> None:
        """End all threads."""
        with self._lock:
            for driver in self._open.values():
                driver.close()
            self._open.clear()
