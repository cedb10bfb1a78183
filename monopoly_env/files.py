"""Reads and writes files, with size limits and digests.

Every reader in the project goes through :func:`open_file`. It opens regular files only, so that no
device, pipe or folder can hang a program, and every read has a stated limit. Files that the project
writes and reads back carry a digest (:func:`with_digest`), which is verified on reading. Errors are
one line and have the error class of the ``location`` argument.

>>> from monopoly_env.errors import FileError
>>> document = with_digest({"rows": 3})
>>> without_digest(document, FileError.at("dataset.json"))
{'rows': 3}
>>> without_digest({**document, "rows": 4}, FileError.at("dataset.json"))
Traceback (most recent call last):
monopoly_env.errors.FileError: dataset.json: is damaged: its content does not fit its digest
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import stat
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from monopoly_env.errors import Location, show

DIGEST = "digest"  # the key of the digest in a document or line
DIGITS = 16  # hexadecimal digits of a digest
BLOCK = 1 << 20  # bytes read at a time

JSON_BYTES = 64 << 20  # limit for a JSON file, and for one line of a JSONL file
MOST_UNPACKED = 100  # a compressed file may unpack to this many times its size,
LEAST_UNPACKED = 256 << 20  # or to this many bytes if that is more
MOST_BLANK = 1000  # limit for blank lines in a file

KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


# --- opening ---


def kind_of(mode: int) -> str:
    """Return what a non-regular file is, in words; empty if regular. ``mode`` is ``st_mode``."""
    return "" if stat.S_ISREG(mode) else KINDS.get(stat.S_IFMT(mode), "no regular file")


@contextmanager
def open_file(path: str | Path, location: Location, hint: str = "") -> Iterator[IO[bytes]]:
    """Open a regular file to read bytes. ``hint`` is the remedy in error messages.

    Raises: the error of ``location``, one line, if the file is not regular or cannot be read.
    """
    remedy = f"; {hint}" if hint else ""
    try:
        file = _open_regular(path)
    except (OSError, ValueError) as problem:  # ValueError: a path with a null byte
        location.fail(f"cannot be read: {reason_of(problem)}{remedy}")
    with file:
        try:
            yield file
        except OSError as problem:
            location.fail(f"cannot be read: {reason_of(problem)}{remedy}")


def _open_regular(path: str | Path) -> IO[bytes]:
    """Open a file without blocking. Raises: OSError, also if it is not a regular file."""
    _check_regular(Path(path).stat().st_mode)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    _check_regular(os.fstat(file.fileno()).st_mode)
    return file


def _check_regular(mode: int) -> None:
    kind = kind_of(mode)
    if kind:
        raise OSError(f"it is {kind}, not a file")


def reason_of(problem: BaseException) -> str:
    """Return the reason of an error in a few words."""
    return getattr(problem, "strerror", None) or str(problem) or type(problem).__name__


# --- reading ---


def read_bytes(path: str | Path, location: Location, most: int, hint: str = "") -> bytes:
    """Return the content of a file of at most ``most`` bytes."""
    with open_file(path, location, hint) as file:
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > most else file.read(size + 1)
        while size < len(data) <= most and (block := file.read(BLOCK)):
            data += block  # some files, such as those in /proc, hold more than their size
    if max(size, len(data)) > most:
        held = f"{size:,} bytes" if size > most else f"more than {most:,} bytes"
        location.fail(f"has {held}; such a file has up to {most:,}")
    return data


def read_text(path: str | Path, location: Location, most: int, hint: str = "") -> str:
    """Return the content of a UTF-8 text file."""
    data = read_bytes(path, location, most, hint)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as problem:
        remedy = f"; {hint}" if hint else ""
        location.fail(f"is not UTF-8 text: byte {problem.start + 1} is invalid{remedy}")


def read_json(
    path: str | Path, location: Location, hint: str = "", most: int = JSON_BYTES
) -> object:
    """Return the parsed content of a JSON file; refuses duplicate keys and NaN."""
    return parse_json(read_bytes(path, location, most, hint), location, hint)


def parse_json(text: bytes | str, location: Location, hint: str = "") -> object:
    """Return parsed JSON; an error names ``location``, and the line if there are several."""
    remedy = f"; {hint}" if hint else ""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except json.JSONDecodeError as problem:
        line = f"line {problem.lineno}: " if problem.lineno > 1 else ""
        location.fail(f"is not JSON: {line}{problem.msg}, column {problem.colno}{remedy}")
    except RecursionError:
        location.fail(f"is not JSON that can be read: it is nested too deeply{remedy}")
    except ValueError as problem:  # UnicodeDecodeError, huge numbers, or one of our own hooks
        location.fail(f"is not JSON: {problem}{remedy}")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs as a dict. Raises: ValueError for a duplicate key."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {show(key)} occurs twice")
            seen.add(key)
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def read_lines(path: str | Path, location: Location) -> Iterator[bytes]:
    """Yield the lines of a file; a file whose name ends in .gz is decompressed.

    Raises: the error of ``location``, one line, if a line or the decompressed file exceeds the
    limits, or if a compressed file is damaged or truncated.
    """
    with open_file(path, location) as file:
        if Path(path).suffix != ".gz":
            yield from _lines(file, location, None)
            return
        most = max(LEAST_UNPACKED, MOST_UNPACKED * os.fstat(file.fileno()).st_size)
        try:
            with gzip.open(file) as unpacked:
                yield from _lines(unpacked, location, most)
        except EOFError:
            location.fail("is cut off, or damaged: it ends in the middle of compressed data")
        except (zlib.error, gzip.BadGzipFile) as problem:
            location.fail(f"is damaged: {reason_of(problem)}")


def _lines(file: Any, location: Location, most: int | None) -> Iterator[bytes]:
    read = blank = 0
    while line := file.readline(JSON_BYTES + 1):
        read, blank = read + len(line), blank + (len(line) < 3)
        if blank > MOST_BLANK:
            location.fail(f"has more than {MOST_BLANK:,} lines with nothing in them")
        if len(line) > JSON_BYTES:
            location.fail(f"has a line of more than {JSON_BYTES:,} bytes, which no such file has")
        if most is not None and read > most:
            location.fail(f"unpacks to more than {most:,} bytes, which no such file does")
        yield line


# --- append-only files of lines ---
#
# A line counts only if it ends in a newline. Readers ignore whatever follows the last newline (for
# example, after a crash), and writers cut it off before they append, so that it never becomes part
# of a line. Both report it where data could be lost.


def whole_lines(path: str | Path, location: Location) -> list[bytes]:
    """Return the complete lines of a file, with newlines; an empty list if there is no file."""
    if not os.path.lexists(path):
        return []
    return [line for line in read_lines(path, location) if line.endswith(b"\n")]


def torn_end(path: str | Path, location: Location) -> int:
    """Return how many bytes follow the last newline of a file; 0 if there is no file."""
    if not os.path.lexists(path):
        return 0
    with open_file(path, location) as file:
        return _torn(file)


def _torn(file: IO[bytes]) -> int:
    """Return how many bytes follow the last newline, reading backward from the end."""
    size = end = file.seek(0, os.SEEK_END)
    while end > 0:
        begin = max(0, end - BLOCK)
        file.seek(begin)
        newline = file.read(end - begin).rfind(b"\n")
        if newline >= 0:
            return size - (begin + newline + 1)
        end = begin
    return size


def cut_torn_end(file: IO[bytes]) -> int:
    """Cut off the bytes after the last newline of an open file; return how many there were.

    Returns how many bytes that were.
    """
    torn = _torn(file)
    if torn:
        file.truncate(file.seek(-torn, os.SEEK_END))
    file.seek(0, os.SEEK_END)
    return torn


def write_all(file: IO[bytes], data: bytes) -> None:
    """Write all of ``data`` at the end of an unbuffered file.

    A nearly full disk accepts a part and reports the error on the next write. Raises: OSError.
    """
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[file.write(remaining) :]


def add_lines(path: str | Path, data: bytes, location: Location, hint: str = "") -> int:
    """Append whole lines to a file and sync it to disk; return how many torn bytes were cut off.

    Raises: the error of ``location``, one line, if the file cannot be written.
    """
    try:
        with Path(path).open("a+b", buffering=0) as file:
            torn = cut_torn_end(file)
            write_all(file, data)
            os.fsync(file.fileno())
    except OSError as problem:
        location.fail(f"cannot be written: {reason_of(problem)}{'; ' * bool(hint)}{hint}")
    return torn


# --- digests ---


def digest_of(value: Any) -> str:
    """Return the digest of plain data; the order of keys does not matter."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def with_digest(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document (or one line of a file) with its digest as the last key."""
    content = {key: value for key, value in document.items() if key != DIGEST}
    content = json.loads(json.dumps(content))  # as it will be read back
    return {**content, DIGEST: digest_of(content)}


def without_digest(
    document: Mapping[str, Any], location: Location, needed: bool = True, hint: str = ""
) -> dict[str, Any]:
    """Verify and remove the digest of :func:`with_digest`; if ``needed``, it must be present.

    Raises: the error of ``location``, one line, if the document has changed since.
    """
    content = {key: value for key, value in document.items() if key != DIGEST}
    remedy = f"; {hint}" if hint else ""
    if DIGEST not in document:
        if needed:
            location.fail(f"is damaged: it has no digest{remedy}")
        return content
    try:
        fits = digest_of(content) == document[DIGEST]
    except (RecursionError, ValueError):
        fits = False
    if not fits:
        location.fail(f"is damaged: its content does not fit its digest{remedy}")
    return content


def file_digest(file: IO[bytes]) -> str:
    """Return the SHA-256 of a file from the current position, read in blocks."""
    digest = hashlib.sha256()
    while block := file.read(BLOCK):
        digest.update(block)
    return digest.hexdigest()


# --- checking outputs before long work ---


def check_output(path: str | Path, location: Location) -> None:
    """Raise the error of ``location`` if a file could not be written.

    Creates its folder if needed. Call it before long work begins.
    """
    try:
        if os.path.lexists(path):
            _check_regular(Path(path).stat().st_mode)
            with Path(path).open("ab"):
                pass
        _check_writable(Path(path).parent)
    except (OSError, ValueError) as problem:
        location.fail(f"cannot be written: {reason_of(problem)}; name another file")


def check_output_folder(
    folder: str | Path, location: Location, names: Iterable[str] = (), keep: bool = True
) -> None:
    """Raise the error of ``location`` if files could not be written into a folder.

    Creates the folder if needed; with ``keep=False`` it is removed again. ``names`` are the files
    that will be written there.
    """
    try:
        new = [one for one in (Path(folder), *Path(folder).parents) if not one.exists()]
        _check_writable(Path(folder))
        if not keep:
            for one in new:
                one.rmdir()
    except FileExistsError:
        location.fail("is a file, and a folder is needed there; name another")
    except (OSError, ValueError) as problem:
        location.fail(f"cannot be written to: {reason_of(problem)}; name another folder")
    for path in (Path(folder) / name for name in names):
        kind = kind_of(path.stat().st_mode) if path.exists() else ""
        if kind:
            location.fail(f"{path.name} in it is {kind}, not a file; name another folder")


def _check_writable(folder: Path) -> None:
    """Create a folder, then write and remove a test file in it."""
    folder.mkdir(parents=True, exist_ok=True)
    trial = folder / f".trial-{os.getpid()}"
    try:
        with trial.open("wb") as file:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
    finally:
        trial.unlink(missing_ok=True)
