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
import re
from collections.abc import Iterable, Iterator, Mapping
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
    """A module's file, and what it may import: names of modules, whether there are such or not."""

    digest: bytes
    imports: tuple[str, ...]


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
        found = self._keys.get((module, file))
        if found is None:
            found = self._keys[module, file] = self._hash(self.reached(module, file))
        return found

    def key_of_packages(self, *packages: str) -> str:
        """One key of whole packages."""
        return self._hash(
            {module: path for name in packages for module, path in self.modules_of(name)}
        )

    def _hash(self, files: Mapping[str, Path]) -> str:
        digest = hashlib.sha256("\0".join(self.flags).encode())
        for name, path in sorted(files.items()):
            digest.update(f"\0{name}\0".encode() + self._source(name, path).digest)
        return digest.hexdigest()[:16]

    def modules_of(self, package: str) -> Iterator[tuple[str, Path]]:
        """Every module of one of our packages, with its file."""
        folder = self.packages[package]
        for path in folder.rglob("*.py"):
            parts = (package, *path.relative_to(folder).with_suffix("").parts)
            yield ".".join(parts).removesuffix(".__init__"), path

    def reached(self, module: str, file: str = "") -> dict[str, Path]:
        """The modules that a module is made of, itself among them, with their files."""
        start = self._file_of(module) or Path(file)
        if not start.is_file():
            return {name: path for one in self.packages for name, path in self.modules_of(one)}
        beside = None if module.partition(".")[0] in self.packages else _root(module, start)
        found = {module: start}
        waiting = [module]
        while waiting:
            name = waiting.pop()
            for other in self._source(name, found[name]).imports:
                path = None if other in found else self._file_of(other, beside)
                if path is not None:
                    found[other] = path
                    waiting.append(other)
        return found

    def _file_of(self, module: str, beside: Path | None = None) -> Path | None:
        """The file of a module of ours, or of one that lies in the folder ``beside``."""
        first, *rest = module.split(".")
        top = self.packages.get(first)
        if top is None and beside is not None:
            top = beside / first
        if top is None:
            return None
        path = top.joinpath(*rest)
        for one in (path.with_name(path.name + ".py"), path / "__init__.py"):
            if one.is_file():
                return one
        return None

    def _source(self, module: str, path: Path) -> Source:
        """What is in a file, read once."""
        found = self._sources.get(path)
        if found is None:
            data = path.read_bytes()
            names = imported(data.decode("utf-8", "replace"), _package(module, path))
            found = Source(hashlib.sha256(data).digest(), tuple(dict.fromkeys(names)))
            self._sources[path] = found
        return found


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
    found = {}
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            found[name] = Path(next(iter(spec.submodule_search_locations)))
    return found
