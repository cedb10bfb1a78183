"""Atomic file writes, damage checks, and the provenance recorded with results."""

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
    """A file was damaged, truncated or missing and has been repaired; the message says how."""


def warn_repaired(path: Path, what: str) -> None:
    """Issue a RepairWarning: the file is damaged or missing; ``what`` says how it is repaired."""
    warnings.warn(f"{path}: {what}", RepairWarning, stacklevel=3)


def check_written(path: Path, read: Callable[[Path], object], remedy: str) -> bool:
    """Return whether a file about to be rewritten is intact; warn if it is missing or damaged.

    ``read`` must raise an InputError for a damaged file.
    """
    if not path.exists():
        warn_repaired(path, f"is gone; {remedy}")
        return False
    try:
        read(path)
    except InputError as problem:  # the first part states the problem, the rest a remedy
        what = str(problem).partition("; ")[0]
        warn_repaired(path, f"{what.removeprefix(f'{path}: ')}; {remedy}")
        return False
    return True


def read_with_digest(path: Path, remedy: str = "") -> dict[str, Any]:
    """Read a JSON file that carries a digest. Raises: FileError if it is damaged."""
    location = FileError.at(path)
    document = read_json(path, location, remedy)
    if not isinstance(document, dict):
        location.fail(f"must be a mapping{'; ' * bool(remedy)}{remedy}")
    return without_digest(document, location, hint=remedy)


def write_atomic(path: Path, content: str | bytes) -> None:
    """Write a file atomically: after a kill, either the old or the new version is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a temporary file for writing and rename it to ``path`` when the block succeeds.

    Raises: OSError with the file's name, for example on a full disk; the partial file is deleted.
    FileError if ``path`` is a device, a pipe or a folder.
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
def cleanup_on_error(folder: Path) -> Iterator[None]:
    """If the block raises, remove the folder and parents that it created, if they are empty."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        yield
    except BaseException:
        for one in new:
            with suppress(OSError):  # not empty, or never created
                one.rmdir()
        raise


def as_json(value: Any) -> str:
    """Format a value as the text of a JSON file."""
    return json.dumps(value, indent=2) + "\n"


def provenance() -> dict[str, Any]:
    """Return the package versions behind a result, and the git revision in a checkout."""
    return {
        "git": git_revision(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: package_version(name) for name in PACKAGES},
    }


def package_version(name: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def git_revision() -> str | None:
    """Return the git revision of the checkout, with ``+`` if tracked files were modified."""
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
