"""Use folders on remote storage, such as ``s3://bucket/run``, through a local mirror.

A folder named by an fsspec URL is downloaded when a command begins. Changed files are uploaded at
each checkpoint, every 30 seconds, and at the end, in the order in which they were written. The
remote folder is therefore always in a state that a kill of a local run could have left, and the
same command can resume from it on any machine. A kill between two uploads loses the work since the
last one.
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

URL = re.compile(r"([a-z][a-z0-9+.-]+):/+(.+)")  # two letters or more: C:/ is a drive
BARE_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:/*")  # such as s3://
HERE = ("file", "local")  # schemes with absolute paths
UPLOAD_EVERY = 30.0  # seconds
# largest fraction of time spent on periodic uploads (not on those at checkpoints and the end)
SHARE = 0.1
PART = ".part"  # suffix of a file that is being written
# Stores whose uploads are atomic. On others, a file is uploaded under another name and then
# renamed.
WHOLE = {"s3", "s3a", "gs", "gcs", "abfs", "az", "adl", "oci", "oss", "r2", "memory"}


def url_of(path: str | Path) -> str | None:
    """Return the URL that a path stands for, or None if it is local. Path collapses double slashes.

    >>> from pathlib import Path
    >>> url_of(Path("s3://bucket/run")), url_of("runs/first")
    ('s3://bucket/run', None)
    """
    match = URL.fullmatch(Path(path).as_posix())
    if match is None:
        return None
    return f"{match[1]}://{'/' if match[1] in HERE else ''}{match[2]}"


def file_system(url: str) -> tuple[Any, str]:
    """Return the file system of a URL and the path in it. Raises: MissingExtra, FileError."""
    scheme = url.partition(":")[0]
    require(url, "fsspec")
    import fsspec

    options = {"auto_mkdir": True} if scheme in HERE else {}
    try:
        system, root = fsspec.core.url_to_fs(url, **options)
    except Exception as problem:  # noqa: BLE001 - drivers may connect here and raise any error
        words = one_line(str(problem)) or type(problem).__name__
        FileError.at(url).fail(f"cannot be used: {words}")
    return system, str(root).rstrip("/")


def refuse(location: Location, problem: Exception) -> NoReturn:
    """Turn any driver error into a one-line error."""
    words = one_line(str(problem)) or type(problem).__name__
    location.fail(f"cannot be reached: {words}; what is there is kept, `resume` continues from it")


class Mirror:
    """A local folder and the remote one that it mirrors.

    Raises: FileError if the remote is unreachable.
    """

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder = url, folder
        self._location = FileError.at(url)
        self.system, self._root = file_system(url)
        self._there: dict[str, tuple[int, int]] = {}  # time and size of each uploaded file
        self._began = time.monotonic()
        self._next = self._began + UPLOAD_EVERY

    def download(self) -> None:
        """Download all files."""
        try:
            for path in self.system.find(self._root):
                name = PurePosixPath(path).relative_to(PurePosixPath(self._root)).as_posix()
                if not name.endswith(PART):
                    target = self.folder / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    self.system.get_file(path, str(target))
        except FileNotFoundError:  # the remote folder does not exist yet
            pass
        except Exception as problem:  # noqa: BLE001 - drivers raise errors of any type
            refuse(self._location, problem)
        self._there = self._here()

    def upload(self) -> None:
        """Upload changed files in the order in which they were written, and delete removed ones."""
        began, now = time.monotonic(), self._here()
        changed = [name for name, stamp in now.items() if self._there.get(name) != stamp]
        try:
            for name in sorted(changed, key=now.__getitem__):
                self._put(name)
                self._there[name] = now[name]
            for name in self._there.keys() - now.keys():
                self.system.rm_file(f"{self._root}/{name}")
                del self._there[name]
        except Exception as problem:  # noqa: BLE001 - drivers raise errors of any type
            refuse(self._location, problem)
        ended = time.monotonic()
        self._next = ended + max(UPLOAD_EVERY, (ended - began) / SHARE)

    def upload_if_due(self) -> None:
        """Upload if enough time has passed since the last upload."""
        if time.monotonic() >= self._next:
            self.upload()

    def _put(self, name: str) -> None:
        """Upload one file atomically."""
        here, there = self.folder / name, f"{self._root}/{name}"
        if self.url.partition(":")[0] in WHOLE:
            self.system.put_file(str(here), there)
        else:
            self.system.put_file(str(here), there + PART)
            self.system.mv(there + PART, there)

    def _here(self) -> dict[str, tuple[int, int]]:
        """Return the time and size of each local file, to detect changes."""
        found = {}
        for path in self.folder.rglob("*"):
            if path.is_file() and not path.name.endswith(PART) and not path.name.startswith("."):
                status = path.stat()
                name = path.relative_to(self.folder).as_posix()
                found[name] = (status.st_mtime_ns, status.st_size)
        return found


_mirrors: list[Mirror] = []
_names: dict[str, str] = {}  # the URL of each local mirror folder, including past ones


def mirror_of(path: Path) -> Mirror | None:
    """Return the mirror that a local path belongs to, or None."""
    return next((one for one in _mirrors if path.is_relative_to(one.folder)), None)


@contextmanager
def local_folder(path: Path) -> Iterator[Path]:
    """Yield a local folder for ``path``: the path itself, or the local mirror of a URL.

    Raises: MissingExtra, FileError.
    """
    if BARE_SCHEME.fullmatch(path.as_posix()):
        FileError.at(path).fail("names no folder; give one such as s3://bucket/run")
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
    """Return a path as the user named it: its URL if it is mirrored."""
    mirror = mirror_of(path)
    if mirror is None:
        return str(path)
    more = path.relative_to(mirror.folder).as_posix()
    return mirror.url if more == "." else f"{mirror.url}/{more}"


def in_urls(text: str) -> str:
    """Replace local mirror folders in a message by their URLs."""
    for folder, url in _names.items():
        text = text.replace(folder, url)
    return text


def written(path: Path) -> None:
    """Report that a file was written; upload its mirror if an upload is due."""
    mirror = mirror_of(path)
    if mirror is not None:
        mirror.upload_if_due()


def checkpointed(folder: Path) -> None:
    """Report that a checkpoint was written; upload its mirror now."""
    mirror = mirror_of(folder)
    if mirror is not None:
        mirror.upload()


_fetched: dict[str, tempfile.TemporaryDirectory[str]] = {}  # downloads of this process, by URL


def fetched(path: str | Path, names: tuple[str, ...]) -> Path:
    """Return a local path to read from: the path itself, or a download of a URL's files ``names``.

    A URL is downloaded once per process. Raises: MissingExtra, FileError.
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
        except Exception as problem:  # noqa: BLE001 - drivers raise errors of any type
            refuse(FileError.at(url), problem)
        _fetched[url] = folder
    return Path(_fetched[url].name)
