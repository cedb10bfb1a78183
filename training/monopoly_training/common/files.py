"""Files that are whole or not there, and where a result came from."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from monopoly_env.errors import FileError, InputError
from monopoly_env.files import kind_of, read_json, without_digest
from monopoly_training.common.remote import written
from monopoly_training.common.stopping import removing

PACKAGES = (
    "monopoly-env",
    "numpy",
    "numba",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "gymnasium",
    "pettingzoo",
    "cma",
)


class RepairWarning(UserWarning):
    """A file that was damaged, cut off or gone, and is mended; the message says how."""


def tell_repair(path: Path, what: str) -> None:
    """Warn that a file is not as it was written, and say what is done about it."""
    warnings.warn(f"{path}: {what}", RepairWarning, stacklevel=3)


def check_written(path: Path, read: Callable[[Path], object], remedy: str) -> bool:
    """Whether a file that is about to be written anew is whole; if not, it is told.

    ``read`` raises an InputError for a damaged file.
    """
    if not path.exists():
        tell_repair(path, f"is gone; {remedy}")
        return False
    try:
        read(path)
    except InputError as problem:  # its first part says what is wrong, the rest what to do
        what = str(problem).partition("; ")[0]
        tell_repair(path, f"{what.removeprefix(f'{path}: ')}; {remedy}")
        return False
    return True


def read_with_digest(path: Path, remedy: str = "") -> dict[str, Any]:
    """A JSON file that carries a digest. Raises: FileError, one line, if it is damaged."""
    location = FileError.at(path)
    document = read_json(path, location, remedy)
    if not isinstance(document, dict):
        location.fail(f"must be a mapping{'; ' * bool(remedy)}{remedy}")
    return without_digest(document, location, hint=remedy)


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file in one go: after a kill at any moment the old or the new one is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write into that takes its name when all has been written, and not before.

    Raises: OSError with the file's name, as on a full disk; what was written is taken away.
    FileError for a device, a pipe or a folder, which a file must not replace.
    """
    kind = kind_of(path.stat().st_mode) if path.exists() else ""
    if kind:
        FileError.at(path).fail(f"cannot be written: it is {kind}, not a file; name another file")
    part = path.with_name(path.name + ".part")
    try:
        with removing(part.parent, part.name):
            with part.open("w+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        written(path)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror or str(problem), str(path)) from problem


@contextmanager
def taking_back(folder: Path) -> Iterator[None]:
    """If the block raises an error, take away a folder that was made in it and is empty.

    What is refused leaves nothing behind.
    """
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        yield
    except BaseException:
        for one in new:
            with suppress(OSError):  # there is something in it, or it was never made
                one.rmdir()
        raise


def as_json(value: Any) -> str:
    """The text of a JSON file."""
    return json.dumps(value, indent=2) + "\n"


def provenance() -> dict[str, Any]:
    """The versions a result was made with, and the git revision, if the code is in a checkout."""
    return {
        "git": git_revision(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: package_version(name) for name in PACKAGES},
    }


def package_version(name: str) -> str | None:
    """The version of an installed package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def git_revision() -> str | None:
    """The revision of the checkout that this code is in, with ``+`` if files differ from it."""
    folder = Path(__file__).resolve().parent
    try:
        head = _git(folder, "rev-parse", "HEAD")
        return head + ("+" if _git(folder, "status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=10
    )
    return done.stdout.strip()
