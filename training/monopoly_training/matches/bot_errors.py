"""The first error of each bot: shown when it happens, and its traceback kept.

A bot can end no game, so whatever goes wrong in one is counted and the game goes on. Without a word
its results would look like those of a bot that works.
"""

from __future__ import annotations

import hashlib
import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from monopoly_env.errors import FileError, one_line
from monopoly_env.files import read_text

FOLDER = "errors"  # in the folder of the results
FRAMES = 30  # of a traceback, the last ones
MOST_BYTES = 16 << 20  # of a file of one bot
LONGEST = 2000  # characters of the line that is shown


class ErrorLog:
    """Shows one line a bot on standard error, and writes its traceback.

    Several processes may share a folder: the first to write the file of a bot shows its line.

    Args:
        folder: of the results; tracebacks go into the folder ``errors`` in it. None: they are
            shown below the line.
        shows: whether anything is shown and written at all.
    """

    def __init__(self, folder: Path | None = None, shows: bool = True) -> None:
        self.folder = None if folder is None else folder.absolute() / FOLDER
        self._shows = shows
        self._seen: set[str] = set()

    def begin(self, resumed: bool) -> None:
        """Forget the errors of earlier runs in the folder; a resumed run shows them again."""
        for path in self.files():
            if resumed:
                _show(f"before: {first_line(path)}")
            else:
                path.unlink()

    def files(self) -> list[Path]:
        """The files of all bots that made an error."""
        return [] if self.folder is None else sorted(self.folder.glob("*.txt"))

    @property
    def any(self) -> bool:
        """Whether any bot has made an error that was noted here, or in the folder."""
        return bool(self._seen or self.files())

    def note(self, bot: str, where: str, what: str, problem: BaseException | None = None) -> None:
        """Note an error of a bot; the first is shown.

        ``where`` says in which game and at which decision, ``what`` what was wrong.
        """
        if bot in self._seen or not self._shows:
            return
        self._seen.add(bot)
        line = one_line(f"{bot}: {where}: {what}")[:LONGEST]
        details = traceback_of(problem)
        try:
            path = self._write(bot, f"{line}\n\n{details}")
        except FileExistsError:  # another process has shown one
            return
        except OSError:  # a full disk, no rights: then it is shown
            path = None
        if path is not None and details:
            line += f"; traceback: {path}"
        _show(line if path is not None or not details else f"{line}\n{details}")

    def count(self, other: ErrorLog) -> None:
        """Know of the errors of another log, too, which has shown them."""
        self._seen |= {str(path) for path in other.files()}

    def take(self, path: Path, data: bytes) -> None:
        """Keep and show an error that was noted on another machine; the first of each bot."""
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            line = data.decode("utf-8", "replace").partition("\n")[0]
            _show(f"{line}; traceback: {path}")

    def _write(self, bot: str, text: str) -> Path | None:
        """Write the file of a bot. Raises: FileExistsError if there is one."""
        if self.folder is None:
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{file_name(bot)}.txt"
        with path.open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return path


def first_errors(folder: Path) -> list[str]:
    """The line of each bot that made an error in a folder of results."""
    return [first_line(path) for path in ErrorLog(folder).files()]


def first_line(path: Path) -> str:
    """The line of a bot that made an error."""
    return read_text(path, FileError.at(path), MOST_BYTES).partition("\n")[0]


def file_name(bot: str) -> str:
    """A file's name for a bot: its own, as far as files can be called that."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", bot)[-60:].strip("_.")
    return f"{plain}-{hashlib.sha256(bot.encode(errors='replace')).hexdigest()[:6]}"


def traceback_of(problem: BaseException | None) -> str:
    """The last frames of a traceback; empty without an error."""
    if problem is None:
        return ""
    try:
        return "".join(traceback.format_exception(problem, limit=-FRAMES))
    except BaseException:  # noqa: BLE001 - a stranger's error
        return "".join(traceback.format_tb(problem.__traceback__, limit=-FRAMES))


def faults_in_words(counts: Sequence[int]) -> str:
    """Counts in the order of FAULTS as ``3 illegal, 1 late, 2 crashed``."""
    names = ("illegal", "late", "crashed")
    parts = [f"{count:,} {name}" for count, name in zip(counts, names, strict=True) if count]
    return ", ".join(parts)


def _show(text: str) -> None:
    """Show a text on standard error, where there is one."""
    if sys.stderr is not None:
        try:
            plain = text.rstrip().encode("utf-8", "backslashreplace").decode("utf-8")
            sys.stderr.write(f"{plain}\n")
            sys.stderr.flush()
        except (OSError, ValueError):  # a full disk, a closed stream
            return
