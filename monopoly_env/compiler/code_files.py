"""Files of compiled code: one index and one file of code a function, in folders that may be moved.

Numba's own cache names its files by the path of the source, asks the source for its age, and reads
one folder, which it must be able to write. Here the folder's name tells the sources
(:mod:`monopoly_env.compiler.cache`), and folders that cannot be written are read as well: those of
an image, or of another user.
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

from monopoly_env.compiler.portable import portable_target
from monopoly_env.compiler.quiet import quiet

BROKEN = (OSError, EOFError, ValueError, LookupError, ImportError, AttributeError, UnpicklingError)


class Locator:
    """What Numba's cache asks of one function: where its files lie, and whether they are of age."""

    def __init__(self, function: Any, folder: Path) -> None:
        self._py_file = function.__code__.co_filename
        self._folder = folder

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """The folder's name stands for the sources already."""
        return ""

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        self._folder.mkdir(parents=True, exist_ok=True)


class CodeFilesImpl(CompileResultCacheImpl):  # type: ignore[misc]  # Numba is not typed
    """What is kept of a function, and under which name."""

    PREFIX = ""

    def __init__(self, function: Any, folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = Locator(function, folder)
        place = Path(function.__code__.co_filename)
        name = f"{place.stem}.{function.__qualname__}".replace("<", "").replace(">", "")
        mark = str(self._lineno) if place.is_file() else _digest_of(function)
        version = f"{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"
        self._filename_base = f"{self.PREFIX}{name}-{mark}.py{version}"


def _digest_of(function: Any) -> str:
    """A mark for code from a notebook or a prompt, of which a line number says nothing."""
    return hashlib.sha256(marshal.dumps(function.__code__)).hexdigest()[:10]


class Files:
    """The files of one function in several folders, of which the first is written."""

    def __init__(self, folders: Sequence[Path], name: str) -> None:
        self.files = [IndexDataCacheFile(str(folder), name, "") for folder in folders]

    def load(self, key: Any) -> Any:
        """What is kept in the first folder that has it; None if none has."""
        return next(self.versions(key), None)

    def versions(self, key: Any) -> Iterator[Any]:
        """All that is kept, folder by folder; a file that cannot be read is passed over."""
        for file in self.files:
            try:
                kept = file.load(key)
            except BROKEN:  # compiled anew, and written over
                continue
            if kept is not None:
                yield kept

    def save(self, key: Any, data: Any) -> None:
        """Keep it in the first folder."""
        try:
            self.files[0].save(key, data)
        except BROKEN:
            self.files[0].flush()
            self.files[0].save(key, data)

    def flush(self) -> None:
        """Forget what the first folder has."""
        self.files[0].flush()


class CodeFiles(FunctionCache):  # type: ignore[misc]
    """Keeps the machine code of what Python calls."""

    _impl_class = CodeFilesImpl

    def __init__(self, function: Any, folders: Sequence[Path]) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = self._impl_class(function, folders[0])
        self._cache_path = str(folders[0])
        self._cache_file = Files(folders, self._impl.filename_base)
        self.enable()

    def _load_overload(self, signature: Any, target: Any) -> Any:
        """What is kept for a signature, made for this processor or for one that it can stand for."""
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
        """Keys of code that was made for another processor and runs on this one as well."""
        signature, target, code = key
        generic = portable_target(target)
        if generic is not None:
            yield signature, generic, code

    def _save_overload(self, signature: Any, data: Any) -> None:
        """Keep what was compiled; a full disk, or a folder that is gone, costs time alone."""
        try:
            super()._save_overload(signature, data)
        except OSError as problem:
            CodeFiles.tell_once(f"compiled code is not kept: {problem}")

    warned = False

    @classmethod
    def tell_once(cls, text: str) -> None:
        """Log the first of such problems: there may be hundreds."""
        if not CodeFiles.warned:
            CodeFiles.warned = True
            logging.getLogger(__name__).warning(text)
