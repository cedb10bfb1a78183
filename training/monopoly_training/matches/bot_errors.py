"""Log each bot's first error: one line when it happens, and the traceback in a file.

A faulty bot cannot end a game: its errors are counted and the game goes on. The log keeps a broken
bot from looking like a working one.
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

FOLDER = "errors"  # below the results folder
FRAMES = 30  # last frames of a traceback that are kept
MOST_BYTES = 16 << 20  # largest size of a bot's error file
LONGEST = 2000  # maximum length of the line shown


class ErrorLog:
    """Shows one line per bot on standard error and writes its traceback to a file.

    Several processes may share a folder: only the first to create a bot's file shows its line.

    Args:
        folder: the results folder; tracebacks go into its subfolder ``errors``. None: they are
            shown below the line.
        shows: whether to show and write anything at all.
    """

    def __init__(self, folder: Path | None = None, shows: bool = True) -> None:
        self.folder = None if folder is None else folder.absolute() / FOLDER
        self._shows = shows
        self._seen: set[str] = set()

    def begin(self, resumed: bool) -> None:
        """Delete the errors of earlier runs in the folder.

        A resumed run shows them again instead.
        """
        for path in self.files():
            if resumed:
                _show(f"before: {first_line(path)}")
            else:
                path.unlink()

    def files(self) -> list[Path]:
        """Return the error files of all bots."""
        return [] if self.folder is None else sorted(self.folder.glob("*.txt"))

    @property
    def any(self) -> bool:
        """Whether any bot's error has been noted here or is in the folder."""
        return bool(self._seen or self.files())

    def note(self, bot: str, where: str, what: str, problem: BaseException | None = None) -> None:
        """Note an error of a bot; only its first one is shown.

        ``where`` names the game and the decision, ``what`` the fault.
        """
        if bot in self._seen or not self._shows:
            return
        self._seen.add(bot)
        line = one_line(f"{bot}: {where}: {what}")[:LONGEST]
        details = traceback_of(problem)
        try:
            path = self._write(bot, f"{line}\n\n{details}")
        except FileExistsError:  # another process has already shown one
            return
        except OSError:  # disk full or no permission: show the details instead
            path = None
        if path is not None and details:
            line += f"; traceback: {path}"
        _show(line if path is not None or not details else f"{line}\n{details}")

    def count(self, other: ErrorLog) -> None:
        """Count the errors of another log, which has already shown them."""
        self._seen |= {str(path) for path in other.files()}

    def take(self, path: Path, data: bytes) -> None:
        """Write and show an error noted on another machine, unless the bot already has one."""
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            line = data.decode("utf-8", "replace").partition("\n")[0]
            _show(f"{line}; traceback: {path}")

    def _write(self, bot: str, text: str) -> Path | None:
        """Write a bot's error file. Raises: FileExistsError if there is one."""
        if self.folder is None:
            return None
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{file_name(bot)}.txt"
        with path.open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        return path


def first_errors(folder: Path) -> list[str]:
    """Return the error line of each bot that failed, from a results folder."""
    return [first_line(path) for path in ErrorLog(folder).files()]


def first_line(path: Path) -> str:
    """Return the first line of an error file."""
    return read_text(path, FileError.at(path), MOST_BYTES).partition("\n")[0]


def file_name(bot: str) -> str:
    """Return a file name for a bot: its name with unsafe characters replaced, plus a short hash."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", bot)[-60:].strip("_.")
    return f"{plain}-{hashlib.sha256(bot.encode(errors='replace')).hexdigest()[:6]}"


def traceback_of(problem: BaseException | None) -> str:
    """Return the last frames of a traceback, or an empty string without an error."""
    if problem is None:
        return ""
    try:
        return "".join(traceback.format_exception(problem, limit=-FRAMES))
    except BaseException:  # noqa: BLE001 - formatting a third-party error may fail
        return "".join(traceback.format_tb(problem.__traceback__, limit=-FRAMES))


def faults_in_words(counts: Sequence[int]) -> str:
    """Format fault counts, in the order of FAULTS, as ``3 illegal, 1 late, 2 crashed``."""
    names = ("illegal", "late", "crashed")
    parts = [f"{count:,} {name}" for count, name in zip(counts, names, strict=True) if count]
    return ", ".join(parts)


def _show(text: str) -> None:
    """Print to standard error, if there is one."""
    if sys.stderr is not None:
        try:
            plain = text.rstrip().encode("utf-8", "backslashreplace").decode("utf-8")
            sys.stderr.write(f"{plain}\n")
            sys.stderr.flush()
        except (OSError, ValueError):  # disk full, or stream closed
            return
