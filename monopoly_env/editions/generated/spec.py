"""Names of generated editions, such as ``random:test:17:dial=0.3``: parsing and formatting."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NoReturn

from monopoly_env.errors import Location, show, suggest

PREFIX = "random"
VERSION = 1  # increases when a name would give another edition; older records are then refused
TRAIN, TEST = "train", "test"
SPLITS = (TRAIN, TEST)
NAMINGS = ("new", "classic")
DIAL = 0.5  # default
MOST_NUMBER = 2**63 - 1
MOST_EDITIONS = 100_000  # limit for a set
ALL = range(1000)  # default numbers of a split
FORM = "random:train:17, random:test:17:dial=0.3 or random:train:0-199"
_DIAL = re.compile(r"[01](\.[0-9]{1,6})?")
_NUMBERS = re.compile(r"([0-9]{1,19})(?:-([0-9]{1,19}))?")
_VERSION = re.compile(r"v[0-9]{1,9}")


@dataclass(frozen=True)
class Spec:
    """The meaning of a name: the editions, their distance from classic, and their names.

    Attributes:
        split: ``train`` or ``test``; no edition is in both.
        first: the number of the edition, or of the first one of a set.
        last: the number of the last edition of a set; None for a single edition.
        dial: the distance from classic, from 0 (equal numbers) to 1 (the full ranges).
        names: ``new``, or ``classic`` for the names of the classic edition.
    """

    split: str
    first: int
    last: int | None = None
    dial: float = DIAL
    names: str = "new"

    @property
    def is_set(self) -> bool:
        """Whether this is a set of editions, from which each game draws one."""
        return self.last is not None

    @property
    def count(self) -> int:
        """The number of editions."""
        return 1 if self.last is None else self.last - self.first + 1

    def one(self, index: int) -> Spec:
        """Return one edition of the set, by index."""
        return replace(self, first=self.first + index, last=None)

    @property
    def id(self) -> str:
        """A short name, which omits defaults."""
        return ":".join([self._head(), *self._options(full=False)])

    @property
    def reference(self) -> str:
        """The full name, including the version of the generator."""
        return ":".join([self._head(), *self._options(full=True), f"v{VERSION}"])

    def _head(self) -> str:
        numbers = f"{self.first}" if self.last is None else f"{self.first}-{self.last}"
        return f"{PREFIX}:{self.split}:{numbers}"

    def _options(self, full: bool) -> list[str]:
        options = []
        if full or self.dial != DIAL:
            options.append(f"dial={self.dial:.6f}".rstrip("0").rstrip("."))
        if full or self.names != "new":
            options.append(f"names={self.names}")
        return options


def is_generated(edition: object) -> bool:
    """Return whether this is the name of a generated edition, valid or not."""
    return isinstance(edition, str) and edition.partition(":")[0] == PREFIX


def parse_spec(text: str, location: Location) -> Spec:
    """Return the editions of a name. Raises: the error of ``location``, one line."""
    _, *parts = text.split(":")
    split = parts.pop(0) if parts and parts[0] in SPLITS else TRAIN
    bare = not parts or _NUMBERS.fullmatch(parts[0]) is None
    if bare and text.split(":")[1:2] != [split]:
        _fail(text, f"says neither {TRAIN}, {TEST} nor a number", location)
    first, last = (ALL.start, ALL.stop - 1) if bare else _numbers(text, parts.pop(0), location)
    spec = Spec(split, first, last)
    said: set[str] = set()
    for part in parts:
        key = "v" if _VERSION.fullmatch(part) else part.partition("=")[0]
        if key in said:
            _fail(text, f"says {key} twice", location)
        said.add(key)
        spec = _with_option(spec, text, part, location)
    return spec


def _numbers(text: str, part: str, location: Location) -> tuple[int, int | None]:
    """Return first and last number from ``17`` (last is None) or ``0-199``."""
    found = _NUMBERS.fullmatch(part)
    assert found is not None  # checked by the caller
    first, last = int(found[1]), None if found[2] is None else int(found[2])
    if max(first, last or 0) > MOST_NUMBER:
        _fail(text, f"has a number above {MOST_NUMBER}", location)
    if last is not None and not first <= last < first + MOST_EDITIONS:
        _fail(text, f"must go up, and name at most {MOST_EDITIONS:,} editions", location)
    return first, last


def _with_option(spec: Spec, text: str, part: str, location: Location) -> Spec:
    """Return the spec with one more part of the name: dial, names or version."""
    key, _, value = part.partition("=")
    if key == "dial":
        if not _DIAL.fullmatch(value) or float(value) > 1:
            _fail(text, f"has the dial {show(value)}; give 0 to 1, such as 0.3", location)
        return replace(spec, dial=float(value))
    if key == "names":
        if value not in NAMINGS:
            _fail(text, f"has the names {show(value)}; {suggest(value, NAMINGS)}", location)
        return replace(spec, names=value)
    if _VERSION.fullmatch(part):
        if part != f"v{VERSION}":
            location.fail(
                f"{text} is of version {part[1:]} of the generator, this is version {VERSION}, which "
                "draws other boards; use the monopoly-env that it comes from"
            )
        return spec
    return _fail(
        text, f"has the part {show(part)}; use dial=0.3, names=classic or v{VERSION}", location
    )


def _fail(text: str, problem: str, location: Location) -> NoReturn:
    location.fail(f"{show(text)} {problem}; generated editions are named like {FORM}")
