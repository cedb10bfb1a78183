"""Files that bots are named by, as they travel to other machines: by the digest of what they hold."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from monopoly_env.errors import InputError
from monopoly_env.files import read_bytes

FILE_BYTES = 1 << 30  # the most of a file that a bot is named by
KEPT = Path(tempfile.gettempdir()) / "monopoly-env-bots"  # of files that came from elsewhere


@dataclass(frozen=True)
class Shipped:
    """A file or a folder that a bot is named by, as it travels."""

    digest: str
    name: str  # of the file or the folder
    files: dict[str, bytes]  # by path in the folder; "" for a file

    @classmethod
    def of(cls, path: Path) -> Shipped:
        """What is there. Raises: InputError for a file that is too large."""
        found = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        files = {}
        for one in found:
            key = "" if one == path else one.relative_to(path).as_posix()
            files[key] = read_bytes(one, InputError.at(str(one)), FILE_BYTES)
        digest = hashlib.sha256()
        for key, data in files.items():
            digest.update(f"{key}\0{len(data)}\0".encode() + data)
        return cls(digest.hexdigest(), path.name, files)

    def put(self, folder: Path) -> Path:
        """Write it below a folder, unless it is there already; where it is then."""
        target = folder / self.digest / self.name
        if not target.exists():
            folder.mkdir(parents=True, exist_ok=True)
            part = Path(tempfile.mkdtemp(dir=folder))
            for key, data in self.files.items():
                path = part / self.name / key if key else part / self.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            try:
                part.rename(folder / self.digest)
            except OSError:  # another process was faster
                shutil.rmtree(part)
        return target


def path_in(name: str) -> Path | None:
    """The file or folder that a bot is named by: ``model:PATH``, ``python:FILE:NAME``; or None."""
    scheme, colon, rest = name.partition(":")
    if not colon or scheme == "exec":
        return None
    for text in (rest, rest.rpartition(":")[0]):
        if text and Path(text).exists():
            return Path(text)
    return None


def shipped_files(names: Iterable[str]) -> dict[str, Shipped]:
    """The files of these bots, and what lies beside a file under the same name, by bot."""
    found = {}
    for name in dict.fromkeys(names):
        path = path_in(name)
        if path is None:
            continue
        if path.is_file() and (card := path.with_suffix(".json")) != path and card.exists():
            both = {one.name: read_bytes(one, InputError.at(str(one)), FILE_BYTES)
                    for one in (path, card)}  # fmt: skip
            digest = hashlib.sha256(b"".join(both[key] for key in sorted(both))).hexdigest()
            found[name] = Shipped(digest, "", both)
        else:
            found[name] = Shipped.of(path)
    return found


def local_name(name: str, shipped: Shipped) -> str:
    """The name by which a bot is found here, after its files have been put down."""
    path = path_in_text(name)
    put = shipped.put(KEPT)
    if not shipped.name:  # a file with its card
        put = KEPT / shipped.digest / Path(path).name
    return name.replace(path, str(put), 1)


def path_in_text(name: str) -> str:
    """The part of a bot's name that is a path on the machine that asked."""
    rest = name.partition(":")[2]
    scheme = name.partition(":")[0]
    return rest.rpartition(":")[0] if scheme == "python" else rest
