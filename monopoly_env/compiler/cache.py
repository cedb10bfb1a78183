"""Finds the cache folders of compiled code, which are named by everything that determines the code.

The name is a hash of the sources that can affect a module's code
(:mod:`monopoly_env.compiler.source_keys`), of Numba's and Python's versions, the kind of linking
and the flags. Numba's own cache checks only one file at a time, and would use stale code after a
change of a rule or constant in another module. Paths are not part of the hash, so that a folder can
be moved.
"""

from __future__ import annotations

import os
import platform
import stat
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

from monopoly_env.compiler.link_choice import LINKING
from monopoly_env.compiler.source_keys import SourceKeys, find_packages

VARIABLE = "MONOPOLY_ENV_CACHE"
IN_PACKAGE = Path(__file__).parent.parent / "compiled_code"  # compiled code included in a wheel


class Folders(NamedTuple):
    """The folder to which compiled code is written, and further ones to read, in order."""

    written: Path
    shipped: tuple[Path, ...] = ()

    @property
    def all(self) -> tuple[Path, ...]:
        """All folders to read, in order."""
        return (self.written, *self.shipped)


def _usual() -> Path:
    """Return the default cache folder of the system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "monopoly-env"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/monopoly-env"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "monopoly-env"


def _writable(folder: Path) -> bool:
    """Return whether files can be created in a folder, which is created if needed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _temporary() -> Path:
    """Return a temporary folder that only this user can write to, because its files are run."""
    user = getattr(os, "getuid", lambda: "user")()
    folder = Path(tempfile.gettempdir()) / f"monopoly-env-{user}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    status = folder.lstat()
    others = stat.S_IWGRP | stat.S_IWOTH
    if os.name == "posix" and (status.st_uid != user or status.st_mode & others):
        return Path(tempfile.mkdtemp(prefix="monopoly-env-"))
    return folder


def find_folders(named: str, packaged: Path = IN_PACKAGE) -> Folders:
    """Return the folders for a value of MONOPOLY_ENV_CACHE, or for none.

    Compiled code is written to the named folder, or else the default one. If that folder is not
    writable, it is only read, and new code goes to a private temporary folder.
    """
    brought = (packaged,) if packaged.is_dir() else ()
    first = Path(named).absolute() if named else _usual()
    if _writable(first):
        return Folders(first, brought)
    return Folders(_temporary(), (first, *brought))


NAMED = os.environ.get(VARIABLE, "")
BOUNDS_CHECKED: bool = bool(numba.config.BOUNDSCHECK)
FLAGS = (
    numba.__version__,
    np.__version__,
    platform.python_version(),
    LINKING.kind,
    str(BOUNDS_CHECKED),
)
SOURCE_KEYS = SourceKeys(FLAGS, find_packages())
FOLDERS = find_folders(NAMED)
CACHE_FOLDER: Path = FOLDERS.written


def folder_of(module: str, file: str = "") -> Path:
    """Return the cache folder of a module; see :meth:`SourceKeys.key`."""
    return CACHE_FOLDER / SOURCE_KEYS.key(module, file)


def folders_of(module: str, file: str = "") -> tuple[Path, ...]:
    """Return all folders that may hold a module's compiled code, the written one first."""
    key = SOURCE_KEYS.key(module, file)
    return tuple(folder / key for folder in FOLDERS.all)
