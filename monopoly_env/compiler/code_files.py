"""Files of compiled code: an index and a code file per function, in relocatable folders.

Numba's own cache names its files by the path of the source, checks the source's time stamp, and
reads only one folder, which must be writable. Here the folder's name identifies the sources
(:mod:`monopoly_env.compiler.cache`), and read-only folders are used, too, such as those of a
container image or another user.
"""

from __future__ import annotations

import hashlib
import logging
import marshal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

from monopoly_env.compiler.numba_trimming import quiet
from monopoly_env.compiler.portable import portable_target

BROKEN = (OSError, EOFError, ValueError, LookupError, ImportError, AttributeError, UnpicklingError)


class Locator:
    """Numba's interface for the location of a function's files."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._py_file = function.__code__.co_filename
        self._folder = folder

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return nothing, because the folder's name already identifies the sources."""
        return ""

    def ensure_cache_path(self) -> None:
        """Create the folder."""
        self._folder.mkdir(parents=True, exist_ok=True)


class CodeFilesImpl(CompileResultCacheImpl):  # type: ignore[misc]  # Numba is not typed
    """What is stored for a function, and the name of its files."""

    PREFIX = ""

    def __init__(self, function: Any, folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = Locator(function, folder)
        place = Path(function.__code__.co_filename)
        name = f"{place.stem}.{function.__qualname__}".replace("<", "").replace(">", "")
        mark = place_of(function)
        version = f"{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
        self._filename_base = f"{self.PREFIX}{name}-{mark}.py{version}"


def place_of(function: Any) -> str:
    """Return a function's line, or a digest of code from a notebook, where lines mean nothing."""
    code = function.__code__
    if Path(code.co_filename).is_file():
        return str(code.co_firstlineno)
    return hashlib.sha256(marshal.dumps(code)).hexdigest()[:10]


class OneFileEach(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's index and code files, safe to write from two processes.

    Numba numbers the code files, so that two processes may give one number to different signatures.
    """

    def save(self, key: Any, data: Any) -> None:
        """Write the code into a file named by its key, then add it to the index."""
        name = self._data_name(hashlib.sha256(self._dump(key)).hexdigest()[:16])
        self._save_data(name, data)
        self._save_index(self._load_index() | {key: name})

    def _data_name(self, number: Any) -> str:
        """Return the name of a code file."""
        return f"{self._index_name.removesuffix('.nbi')}.{number}.nbc"


class Files:
    """The files of one function in several folders, of which the first is written."""

    def __init__(self, folders: Sequence[Path], name: str) -> None:
        self.files = [OneFileEach(str(folder), name, "") for folder in folders]

    def load(self, key: Any) -> Any:
        """Return the content from the first folder that has it, or None."""
        return next(self.versions(key), None)

    def versions(self, key: Any) -> Iterator[Any]:
        """Yield the content from each folder; files that cannot be read are skipped."""
        for file in self.files:
            try:
                kept = file.load(key)
            except BROKEN:  # will be recompiled and overwritten
                continue
            if kept is not None:
                yield kept

    def save(self, key: Any, data: Any) -> None:
        """Write the content to the first folder."""
        try:
            self.files[0].save(key, data)
        except BROKEN:
            self.files[0].flush()
            self.files[0].save(key, data)

    def flush(self) -> None:
        """Clear the first folder's files."""
        self.files[0].flush()


class CodeFiles(FunctionCache):  # type: ignore[misc]
    """Caches the machine code of functions that Python calls."""

    _impl_class = CodeFilesImpl

    def __init__(self, function: Any, folders: Sequence[Path]) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = self._impl_class(function, folders[0])
        self._cache_path = str(folders[0])
        self._cache_file = Files(folders, self._impl.filename_base)
        self.enable()

    def _load_overload(self, signature: Any, target: Any) -> Any:
        """Return the cached code of a signature, for this processor or a compatible one."""
        if not self._enabled:
            return None
        key = self._index_key(signature, target.codegen())
        with quiet():
            for one in (key, *self.other_keys(key)):
                for kept in self._cache_file.versions(one):
                    result = self._impl.rebuild(target, kept)
                    if result is not None:
                        return result
        return None

    def other_keys(self, key: Any) -> Iterator[Any]:
        """Yield the keys of code for other processors that also runs on this one."""
        signature, target, code = key
        generic = portable_target(target)
        if generic is not None:
            yield signature, generic, code

    def _save_overload(self, signature: Any, data: Any) -> None:
        """Cache compiled code; a full disk or a missing folder only costs time."""
        try:
            super()._save_overload(signature, data)
        except OSError as problem:
            CodeFiles.warn_once(f"compiled code is not kept: {problem}")

    warned = False

    @classmethod
    def warn_once(cls, text: str) -> None:
        """Log only the first problem, because there may be hundreds."""
        if not CodeFiles.warned:
            CodeFiles.warned = True
            logging.getLogger(__name__).warning(text)
