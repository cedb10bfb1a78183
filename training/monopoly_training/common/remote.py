"""Folders on remote storage, such as ``s3://bucket/run``: worked on here, and mirrored there.

Whatever is named by a URL that fsspec knows is brought here when a command begins, and what has
changed goes back: at each checkpoint, every half a minute, and at the end. Files go in the order in
which they were written, so that what lies there is always what a kill here could have left: the same
command goes on from it, on another machine too. A kill between two uploads costs what was done since
the last one.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from monopoly_env.errors import FileError, Location, one_line
from monopoly_env.extras import require

URL = re.compile(r"([a-z][a-z0-9+.-]+):/+(.+)")  # two letters at least: C:/ is a drive
HERE = ("file", "local")  # schemes whose paths begin at the root
UPLOAD_EVERY = 30.0  # seconds
SHARE = 0.1  # of the time, at most, that uploads take, but for those at checkpoints and the end
PART = ".part"  # a file that is being written
# Stores in which a file is there when it is there whole. Elsewhere it takes its name at last.
WHOLE = {"s3", "s3a", "gs", "gcs", "abfs", "az", "adl", "oci", "oss", "r2", "memory"}


def url_of(path: str | Path) -> str | None:
    """The URL that a path stands for; None for a path of this machine. A Path keeps one slash of two.

    >>> from pathlib import Path
    >>> url_of(Path("s3://bucket/run")), url_of("runs/first")
    ('s3://bucket/run', None)
    """
    match = URL.fullmatch(Path(path).as_posix())
    if match is None:
        return None
    return f"{match[1]}://{'/' if match[1] in HERE else ''}{match[2]}"


def file_system(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path there. Raises: MissingExtra, FileError, one line."""
    scheme = url.partition(":")[0]
    require(url, "fsspec")
    import fsspec

    options = {"auto_mkdir": True} if scheme in HERE else {}
    try:
        system, root = fsspec.core.url_to_fs(url, **options)
    except (ImportError, ValueError) as problem:  # no driver is installed, or there is none
        FileError.at(url).fail(f"cannot be used: {one_line(str(problem))}")
    return system, str(root).rstrip("/")


def refuse(location: Location, problem: Exception) -> NoReturn:
    """One line for whatever a driver raises."""
    words = one_line(str(problem)) or type(problem).__name__
    location.fail(f"cannot be reached: {words}; what is there is kept, `resume` continues from it")


class Mirror:
    """A folder here, and what it mirrors. Raises: FileError, one line, where that cannot be reached."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self._location = FileError.at(url)
        self.system, self._root = file_system(url)
        self._there: dict[str, tuple[int, int]] = {}  # time and size of each file as it went there
        self._began = time.monotonic()
        self._next = self._began + UPLOAD_EVERY

    def download(self) -> None:
        """Bring everything here."""
        try:
            for path in self.system.find(self._root):
                name = PurePosixPath(path).relative_to(PurePosixPath(self._root)).as_posix()
                if not name.endswith(PART):
                    target = self.folder / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    self.system.get_file(path, str(target))
        except FileNotFoundError:  # there is nothing yet
            pass
        except Exception as problem:  # noqa: BLE001 - drivers raise what they like
            refuse(self._location, problem)
        self._there = self._here()

    def upload(self) -> None:
        """Bring what has changed there, in the order in which it was written."""
        began, now = time.monotonic(), self._here()
        changed = [name for name, stamp in now.items() if self._there.get(name) != stamp]
        try:
            for name in sorted(changed, key=now.__getitem__):
                self._put(name)
                self._there[name] = now[name]
            for name in self._there.keys() - now.keys():
                self.system.rm_file(f"{self._root}/{name}")
                del self._there[name]
        except Exception as problem:  # noqa: BLE001 - drivers raise what they like
            refuse(self._location, problem)
        ended = time.monotonic()
        self._next = ended + max(UPLOAD_EVERY, (ended - began) / SHARE)

    def upload_if_due(self) -> None:
        """Upload now and then: often enough to lose little, so seldom that it takes little time."""
        if time.monotonic() >= self._next:
            self.upload()

    def _put(self, name: str) -> None:
        """Upload one file; it is there whole, or as it was."""
        here, there = self.folder / name, f"{self._root}/{name}"
        if self.url.partition(":")[0] in WHOLE:
            self.system.put_file(str(here), there)
        else:
            self.system.put_file(str(here), there + PART)
            self.system.mv(there + PART, there)

    def _here(self) -> dict[str, tuple[int, int]]:
        """The files here, with the times and sizes that tell whether they have changed."""
        found = {}
        for path in self.folder.rglob("*"):
            if path.is_file() and not path.name.endswith(PART) and not path.name.startswith("."):
                status = path.stat()
                name = path.relative_to(self.folder).as_posix()
                found[name] = (status.st_mtime_ns, status.st_size)
        return found


_mirrors: list[Mirror] = []
_names: dict[str, str] = {}  # the URL of each folder that mirrors one, or did


def mirror_of(path: Path) -> Mirror | None:
    """The mirror that a path here belongs to, if there is one."""
    return next((one for one in _mirrors if path.is_relative_to(one.folder)), None)


@contextmanager
def at_hand(path: Path) -> Iterator[Path]:
    """A folder here that stands for ``path``: itself, or for a URL one that is mirrored.

    Raises: MissingExtra, FileError, one line.
    """
    url = url_of(path)
    if url is None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="monopoly-env-") as name:
        mirror = Mirror(url, Path(name).resolve() / path.name)
        mirror.download()
        _mirrors.append(mirror)
        _names[str(mirror.folder)] = url
        try:
            yield mirror.folder
        finally:
            _mirrors.remove(mirror)
            mirror.upload()


def name_of(path: Path) -> str:
    """What a path is called by whoever named it: its URL, where it is mirrored."""
    mirror = mirror_of(path)
    if mirror is None:
        return str(path)
    more = path.relative_to(mirror.folder).as_posix()
    return mirror.url if more == "." else f"{mirror.url}/{more}"


def in_urls(text: str) -> str:
    """A message with URLs in place of the folders here that mirror them."""
    for folder, url in _names.items():
        text = text.replace(folder, url)
    return text


def written(path: Path) -> None:
    """A file was written: if it is mirrored, it is uploaded when that is due."""
    mirror = mirror_of(path)
    if mirror is not None:
        mirror.upload_if_due()


def checkpointed(folder: Path) -> None:
    """A checkpoint was written into a folder: if it is mirrored, it is uploaded now."""
    mirror = mirror_of(folder)
    if mirror is not None:
        mirror.upload()


_fetched: dict[str, tempfile.TemporaryDirectory[str]] = {}  # of this process, by URL


def fetched(path: str | Path, names: tuple[str, ...]) -> Path:
    """A path to read from here: itself, or of a URL a copy with files of these names.

    A copy is made once a process. Raises: MissingExtra, FileError, one line.
    """
    url = url_of(path)
    if url is None:
        return Path(path)
    if url not in _fetched:
        system, root = file_system(url)
        folder = tempfile.TemporaryDirectory(prefix="monopoly-env-")
        try:
            for name in names:
                system.get_file(f"{root}/{name}", str(Path(folder.name) / name))
        except FileNotFoundError:
            FileError.at(url).fail(f"holds no {name}")
        except Exception as problem:  # noqa: BLE001 - drivers raise what they like
            refuse(FileError.at(url), problem)
        _fetched[url] = folder
    return Path(_fetched[url].name)
