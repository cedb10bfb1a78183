"""Which code on disk still fits: a key for each module, made of all sources that can shape it.

A compiled function holds more than its own module: what it calls, and every constant that it
reads, come from modules that its module imports, directly or not. So the key of a module is a hash
of its source and of all sources that its imports reach, inside these packages and beside the
module itself. Nothing else is looked at: no list of files has to be kept, and a change in one bot
leaves the compiled rules and the other bots alone.
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
INSTALLED = ("site-packages", "dist-packages")  # folders that hold other people's packages

# An import statement, wherever it stands; in a text that looks like one it does no harm.
IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|(?:[^\n#;\\]|\\\n)*)"
    r"|import[ \t]+((?:[^\n#;\\]|\\\n)*))",
    re.MULTILINE,
)
COMMENT = re.compile(r"#[^\n]*")
ALIAS = re.compile(r"[ \t]+as[ \t]+\w+")


class Source(NamedTuple):
    """What is in a module's file: a digest of it, and the modules that it imports, with their files."""

    digest: bytes
    imports: dict[str, Path]


class SourceKeys:
    """Keys of modules.

    ``packages`` are the folders of our packages by name; ``flags`` is whatever else decides what
    a compiler makes of a source, such as its version.
    """

    def __init__(self, flags: Iterable[str], packages: Mapping[str, Path]) -> None:
        self.flags = tuple(flags)
        self.packages = dict(packages)
        self._sources: dict[Path, Source] = {}
        self._keys: dict[tuple[str, str], str] = {}

    def key(self, module: str, file: str = "") -> str:
        """The key of a module: 16 hexadecimal digits.

        ``file`` is where a module lies that is none of ours, such as a bot of somebody's own.
        Code without a file, from a notebook or a prompt, may have imported anything: its key is
        that of all our packages together.
        """
        key = self._keys.get((module, file))
        if key is None:
            key = self._keys[module, file] = self.key_of_files(self.reached(module, file))
        return key

    def key_of_packages(self, *packages: str) -> str:
        """One key of whole packages."""
        return self.key_of_files(
            {module: path for name in packages for module, path in self.modules_of(name)}
        )

    def key_of_files(self, files: Mapping[str, Path]) -> str:
        """One key of some files, by the names that are hashed with them."""
        digest = hashlib.sha256("\0".join(self.flags).encode())
        for name, path in sorted(files.items()):
            digest.update(f"\0{name}\0".encode() + self._source(name, path).digest)
        return digest.hexdigest()[:16]

    def modules_of(self, package: str) -> Iterator[tuple[str, Path]]:
        """Every module of one of our packages, with its file."""
        top = self.packages[package]
        for folder, _, names in os.walk(top):
            parts = (package, *Path(folder).relative_to(top).parts)
            for name in names:
                if name.endswith(".py"):
                    module = ".".join((*parts, name.removesuffix(".py")))
                    yield module.removesuffix(".__init__"), Path(folder, name)

    def reached(self, module: str, file: str = "") -> dict[str, Path]:
        """The modules that a module is made of, itself among them, with their files."""
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
        """The file of a module of ours, or of one that lies in the folder ``beside``."""
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
        """What is in a file, read once."""
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
    r"""The names of all modules that a source may import, given the package it belongs to.

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
    """The names in a list of imports, without what they are called here."""
    plain = ALIAS.sub("", COMMENT.sub("", text).strip("()").replace("\\\n", " "))
    return [name for name in (part.strip() for part in plain.split(",")) if name]


def _absolute(origin: str, package: str) -> str:
    """The full name of what stands between ``from`` and ``import``."""
    name = origin.lstrip(".")
    up = len(origin) - len(name)
    if up == 0:
        return name
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - up + 1], *([name] if name else [])])


def _package(module: str, path: Path) -> str:
    """The package that a module's relative imports start from."""
    return module if path.name == "__init__.py" else module.rpartition(".")[0]


def _root(module: str, path: Path) -> Path | None:
    """The folder that a module of somebody's own is imported from; None in a pile of packages."""
    up = module.count(".") + (path.name == "__init__.py")
    folder = path.resolve().parents[up]
    return None if folder.name in INSTALLED else folder


def find_packages() -> dict[str, Path]:
    """The folders of our packages, as far as they are installed."""
    packages = {}
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            packages[name] = Path(next(iter(spec.submodule_search_locations)))
    return packages
