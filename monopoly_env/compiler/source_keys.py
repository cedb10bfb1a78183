"""Keys of cached code: a hash for each module of all sources that can affect its compiled code.

A compiled function includes what it calls and every constant that it reads, which come from modules
that its module imports, directly or indirectly. The key of a module is therefore a hash of its
source and of all sources that its imports reach, inside these packages and next to the module
itself. No list of files is needed, and a change in one bot does not invalidate the rules or other
bots.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("monopoly_env", "monopoly_agents", "monopoly_training")
INSTALLED = ("site-packages", "dist-packages")  # folders of installed packages

# Matches import statements anywhere; a match inside a string does no harm.
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n#;\\]|\\\n)*)"
    r"|import[ \t]+((?:[^\n#;\\]|\\\n)*))",
    re.MULTILINE,
)
COMMENT = re.compile(r"#[^\n]*")
ALIAS = re.compile(r"[ \t]+as[ \t]+\w+")


class Source(NamedTuple):
    """A digest of a module's file, and the modules that it imports, with their files."""

    digest: bytes
    imports: dict[str, Path]


class SourceKeys:
    """Computes the keys of modules.

    ``packages`` are the folders of our packages by name. ``flags`` are other inputs of the
    compiler, such as its version.
    """

    def __init__(self, flags: Iterable[str], packages: Mapping[str, Path]) -> None:
        self.flags = tuple(flags)
        self.packages = dict(packages)
        self._sources: dict[Path, Source] = {}
        self._keys: dict[tuple[str, str], str] = {}

    def key(self, module: str, file: str = "") -> str:
        """Return the key of a module: 16 hexadecimal digits.

        ``file`` is the path of a module outside our packages, such as a user's bot. Code without a
        file, from a notebook or a prompt, may have imported anything: its key is that of all our
        packages together.
        """
        key = self._keys.get((module, file))
        if key is None:
            key = self._keys[module, file] = self.key_of_files(self.reached(module, file))
        return key

    def key_of_packages(self, *packages: str) -> str:
        """Return one key for whole packages."""
        return self.key_of_files(
            {module: path for name in packages for module, path in self.modules_of(name)}
        )

    def key_of_files(self, files: Mapping[str, Path]) -> str:
        """Return one key for a set of files by module name."""
        digest = hashlib.sha256("\0".join(self.flags).encode())
        for name, path in sorted(files.items()):
            digest.update(f"\0{name}\0".encode() + self._source(name, path).digest)
        return digest.hexdigest()[:16]

    def modules_of(self, package: str) -> Iterator[tuple[str, Path]]:
        """Yield every module of one of our packages, with its file."""
        top = self.packages[package]
        for folder, _, names in os.walk(top):
            parts = (package, *Path(folder).relative_to(top).parts)
            for name in names:
                if name.endswith(".py"):
                    module = ".".join((*parts, name.removesuffix(".py")))
                    yield module.removesuffix(".__init__"), Path(folder, name)

    def reached(self, module: str, file: str = "") -> dict[str, Path]:
        """Return a module and all modules that it imports, with their files."""
        start = self._file_of(module) or Path(file)
        if not start.is_file():
            return self._files
        beside = None if module.partition(".")[0] in self.packages else _root(module, start)
        reached = {module: start}
        waiting = [module]
        while waiting:
            name = waiting.pop()
            mine = name.partition(".")[0] in self.packages
            source = self._source(name, reached[name], None if mine else beside)
            for other, path in source.imports.items():
                if other not in reached:
                    reached[other] = path
                    waiting.append(other)
        return reached

    def _file_of(self, module: str, beside: Path | None = None) -> Path | None:
        """Return the file of one of our modules, or of a module in the folder ``beside``."""
        if module.partition(".")[0] in self.packages:
            return self._files.get(module)
        if beside is None:
            return None
        path = beside.joinpath(*module.split("."))
        for one in (path.with_name(path.name + ".py"), path / "__init__.py"):
            if one.is_file():
                return one
        return None

    @cached_property
    def _files(self) -> dict[str, Path]:
        """Every module of our packages, with its file."""
        return {name: path for one in self.packages for name, path in self.modules_of(one)}

    def _source(self, module: str, path: Path, beside: Path | None = None) -> Source:
        """Return the digest and imports of a file, which is read once."""
        source = self._sources.get(path)
        if source is None:
            data = path.read_bytes()
            names = imported(data.decode("utf-8", "replace"), _package(module, path))
            files = {name: self._file_of(name, beside) for name in dict.fromkeys(names)}
            source = Source(
                hashlib.sha256(data).digest(),
                {name: file for name, file in files.items() if file is not None},
            )
            self._sources[path] = source
        return source


def imported(source: str, package: str) -> Iterator[str]:
    r"""Yield the names of all modules that a source may import, given its package.

    >>> list(imported("from .rent import rent_due as due\nimport os, sys", "rules"))
    ['rules.rent', 'rules.rent.rent_due', 'os', 'sys']
    """
    for origin, names, modules in IMPORT.findall(source):
        if modules:
            yield from _names(modules)
            continue
        base = _absolute(origin, package)
        yield base
        yield from (f"{base}.{name}" for name in _names(names))


def _names(text: str) -> list[str]:
    """Return the names in a list of imports, without aliases."""
    plain = ALIAS.sub("", COMMENT.sub("", text).strip("()").replace("\\\n", " "))
    return [name for name in (part.strip() for part in plain.split(",")) if name]


def _absolute(origin: str, package: str) -> str:
    """Return the absolute name of the module after ``from``."""
    name = origin.lstrip(".")
    up = len(origin) - len(name)
    if up == 0:
        return name
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - up + 1], *([name] if name else [])])


def _package(module: str, path: Path) -> str:
    """Return the package from which a module's relative imports start."""
    return module if path.name == "__init__.py" else module.rpartition(".")[0]


def _root(module: str, path: Path) -> Path | None:
    """Return the folder from which a user's module is imported; None for installed packages."""
    up = module.count(".") + (path.name == "__init__.py")
    folder = path.resolve().parents[up]
    return None if folder.name in INSTALLED else folder


def find_packages() -> dict[str, Path]:
    """Return the folders of those of our packages that are installed."""
    packages = {}
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            packages[name] = Path(next(iter(spec.submodule_search_locations)))
    return packages
