"""Where compiled code is kept: in folders named by all that it can be made of.

The name is a hash of the sources that a module's code can be made of
(:mod:`monopoly_env.compiler.source_keys`), of Numba's and Python's versions, the kind of linking
and the flags, because Numba's own cache looks at one file at a time and would serve stale code when a rule or a
constant in another module changed. Paths are no part of it, so that a folder can be handed on.
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
IN_PACKAGE = Path(__file__).parent.parent / "compiled_code"  # what a wheel may bring


class Folders(NamedTuple):
    """Where compiled code is written, and where it is looked for besides, first come first."""

    written: Path
    shipped: tuple[Path, ...] = ()

    @property
    def all(self) -> tuple[Path, ...]:
        """All that are read, in order."""
        return (self.written, *self.shipped)


def _usual() -> Path:
    """The usual cache folder of the system."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "monopoly-env"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/monopoly-env"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "monopoly-env"


def _writable(folder: Path) -> bool:
    """Whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _temporary() -> Path:
    """A folder for temporary files that is this user's alone: what lies there is executed."""
    user = getattr(os, "getuid", lambda: "user")()
    folder = Path(tempfile.gettempdir()) / f"monopoly-env-{user}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    status = folder.lstat()
    others = stat.S_IWGRP | stat.S_IWOTH
    if os.name == "posix" and (status.st_uid != user or status.st_mode & others):
        return Path(tempfile.mkdtemp(prefix="monopoly-env-"))
    return folder


def find_folders(named: str, packaged: Path = IN_PACKAGE) -> Folders:
    """The folders for a value of MONOPOLY_ENV_CACHE, or none.

    The one that is named, else the usual one, is written. If it cannot be, it is read still, and a
    private temporary folder takes what is compiled.
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
    """Where the compiled code of a module is kept; see :meth:`SourceKeys.key`."""
    return CACHE_FOLDER / SOURCE_KEYS.key(module, file)


def folders_of(module: str, file: str = "") -> tuple[Path, ...]:
    """Where the compiled code of a module may lie, the folder that is written first."""
    key = SOURCE_KEYS.key(module, file)
    return tuple(folder / key for folder in FOLDERS.all)
