"""Files that are whole or not there, and where a result came from."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

from monopoly_env.errors import FileError
from monopoly_env.files import kind_of
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
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror or str(problem), str(path)) from problem


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
