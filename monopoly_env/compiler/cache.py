"""Where compiled code is kept: in folders named by all that it can be made of.

The name is a hash of the sources that a module's code can be made of
(:mod:`monopoly_env.compiler.source_keys`), of Numba's and Python's versions, the kind of linking
and the flags, because Numba's own cache looks at one file at a time and would serve stale code when a rule or a
constant in another module changed.
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from pathlib import Path

import numba
import numpy as np

from monopoly_env.compiler.link_choice import LINKING
from monopoly_env.compiler.source_keys import SourceKeys, find_packages


def _root() -> Path:
    """The folder the user names, else the usual cache folder of the system."""
    named = os.environ.get("MONOPOLY_ENV_CACHE")
    if named:
        return Path(named)
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


def _cache_folder() -> Path:
    """The root, or a private temporary folder if that is read-only."""
    if _writable(_root()):
        return _root()
    user = getattr(os, "getuid", lambda: "user")()
    folder = Path(tempfile.gettempdir()) / f"monopoly-env-{user}"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return folder


BOUNDS_CHECKED: bool = bool(numba.config.BOUNDSCHECK)
FLAGS = (
    numba.__version__,
    np.__version__,
    platform.python_version(),
    LINKING.kind,
    str(BOUNDS_CHECKED),
)
SOURCE_KEYS = SourceKeys(FLAGS, find_packages())
CACHE_FOLDER: Path = _cache_folder()


def folder_of(module: str, file: str = "") -> Path:
    """Where the compiled code of a module is kept; see :meth:`SourceKeys.key`."""
    return CACHE_FOLDER / SOURCE_KEYS.key(module, file)
