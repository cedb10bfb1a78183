"""Send bots' files to other machines, identified by a digest of their contents."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from monopoly_env.errors import InputError
from monopoly_env.files import read_bytes

FILE_BYTES = 1 << 30  # maximum size of a bot's file
KEPT = Path(tempfile.gettempdir()) / "monopoly-env-bots"  # cache of files received from elsewhere


@dataclass(frozen=True)
class Shipped:
    """The contents of a bot's file or folder, ready to be sent."""

    digest: str
    name: str  # name of the file or folder
    files: dict[str, bytes]  # contents by path in the folder; "" for a file

    @classmethod
    def of(cls, path: Path) -> Shipped:
        """Read a file or folder. Raises: InputError for a file that is too large."""
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
        """Write the contents below a folder, unless they are there; return their path."""
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
    """Return the path in a bot's name, ``model:PATH`` or ``python:FILE:NAME``, if it exists."""
    scheme, colon, rest = name.partition(":")
    if not colon or scheme == "exec":
        return None
    for text in (rest, rest.rpartition(":")[0]):
        if text and Path(text).exists():
            return Path(text)
    return None


def shipped_files(names: Iterable[str]) -> dict[str, Shipped]:
    """Read the files of these bots, by bot name; a model file includes its card (``.json``)."""
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
    """Write a bot's files to this machine and return the name that refers to them here."""
    path = path_in_text(name)
    put = shipped.put(KEPT)
    if not shipped.name:  # a file with its card
        put = KEPT / shipped.digest / Path(path).name
    return name.replace(path, str(put), 1)


def path_in_text(name: str) -> str:
    """Return the part of a bot's name that is a path on the driver machine."""
    rest = name.partition(":")[2]
    scheme = name.partition(":")[0]
    return rest.rpartition(":")[0] if scheme == "python" else rest
