"""Errors for bad input: one line with the place, the problem and the remedy.

Every error of this kind is an :class:`InputError`, and so a ValueError; its class says whose input
it was. What is passed to a function in Python is named by its parameter.
"""

from __future__ import annotations

import contextlib
import difflib
import operator
import reprlib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

LONGEST = 500  # characters of a path that an error names whole
TRUTH_VALUES = ("bool", "bool_")  # the classes: Python's and NumPy's


class InputError(ValueError):
    """Something given that does not fit; the message is one line: where, what, and the remedy."""

    @classmethod
    def at(cls, where: str | Path) -> Location:
        """The location of a file or a parameter; what fails there raises this class."""
        return Location(str(where), (), cls)


class EditionError(InputError):
    """An edition, a mode or a rule override that does not fit."""


class NoSuchItem(InputError, IndexError, KeyError):  # noqa: N818 - what it says
    """A seat, a space, an action or a game that does not exist."""

    def __str__(self) -> str:
        return ValueError.__str__(self)  # KeyError would put it in quotes


class PositionError(InputError):
    """A position that does not fit, or that the rules cannot reach."""


class RecordError(InputError):
    """A saved game that cannot be read or replayed; it names the file, the line and the action."""


class CaseError(InputError):
    """A rule case that does not fit; it names the file, the case and the key."""


class AgentError(InputError):
    """A bot that does not exist or cannot be had."""


class CopyError(AgentError, TypeError):
    """Something that cannot be copied or pickled, such as a bot's running program.

    A TypeError too, as of other objects that Python cannot copy.
    """


class BotError(AgentError):
    """A bot whose own code raised an error when it was made."""


class MissingExtra(InputError, ImportError):  # noqa: N818 - what it says
    """A package that is needed for this, and is not installed; it belongs to an extra."""


class FileError(InputError):
    """A file or a folder that holds something else than it should, or cannot be read or written."""


def one_line(text: str) -> str:
    """``text`` without line breaks and control characters; what no screen can show is spelled out."""
    return " ".join("".join(c if c.isprintable() else _spelled(c) for c in text).split())


def _spelled(letter: str) -> str:
    r"""A letter that cannot be printed: a byte of a path that is no UTF-8 as ``\xff``."""
    if letter.isspace() or unicodedata.category(letter) == "Cc":
        return " "
    try:
        (byte,) = letter.encode("utf-8", "surrogateescape")
    except (UnicodeEncodeError, ValueError):
        return letter.encode("ascii", "backslashreplace").decode()
    return f"\\x{byte:02x}"


_shorter = reprlib.Repr()
_shorter.maxstring = _shorter.maxother = 50
_shorter.maxlevel = 2
_shorter.maxdict = _shorter.maxlist = 4


def show(value: object) -> str:
    """A value of any size as a short text."""
    try:
        return _shorter.repr(value)
    except Exception as problem:  # noqa: BLE001 - a stranger's __repr__, or whatever it is called
        if isinstance(problem, ValueError) and type(value) is int:
            return "a number of thousands of digits"  # which Python refuses to print
        return f"an object of the class {type(value).__name__}"


def in_words(problem: BaseException) -> str:
    """An error as ``ValueError: what``, whatever its own methods do."""
    kind = type(problem).__name__
    try:
        text = str(problem)
    except Exception:  # noqa: BLE001 - a stranger's __str__
        text = "an error that cannot be shown"
    return one_line(f"{kind}: {text}" if text else kind)


def suggest(word: str, known: Iterable[str]) -> str:
    """The remedy for an unknown word: the word that was meant, else all there are."""
    words = list(known)
    close = difflib.get_close_matches(word, words, 1)
    if close:
        return f"did you mean {close[0]!r}?"
    return "use one of " + ", ".join(words) if words else "leave it out"


def _as_text(raw: object) -> str:
    """The remedy for something that is no text."""
    if raw is None:
        return "give one, or leave the key out"
    return "give a single one" if isinstance(raw, list | Mapping) else "put it in quotes"


@dataclass(frozen=True)
class Location:
    """Where a value stands: a file or a parameter, and the keys that lead to the value.

    ``location / key`` is one step further in; ``error`` is the class that :meth:`fail` raises.
    """

    file: str
    keys: tuple[str, ...] = ()
    error: type[InputError] = InputError

    def __truediv__(self, key: str) -> Location:
        return Location(self.file, (*self.keys, key), self.error)

    def fail(self, problem: str) -> NoReturn:
        """Raise the error: file, keys, problem."""
        keys = ".".join(key if len(key) < 50 else key[:47] + "..." for key in self.keys)
        file = self.file if len(self.file) < LONGEST else f"{self.file[:100]}…{self.file[-100:]}"
        raise self.error(one_line(": ".join(part for part in (file, keys, problem) if part)))

    def fail_unknown(self, word: str, what: str, known: Iterable[str]) -> NoReturn:
        """Raise the error for a word that does not exist."""
        (self / word).fail(f"there is no such {what}; {suggest(word, known)}")

    def mapping(self, raw: object, what: str = "", known: Iterable[str] = ()) -> dict[str, object]:
        """``raw`` as a mapping from text; its keys are of ``known``, if that is given."""
        if raw is None:
            return {}
        if not isinstance(raw, Mapping):
            self.fail(f"must be a mapping, 'key: value', not {show(raw)}")
        allowed = set(known)
        try:
            items = dict(raw)
        except Exception as problem:  # noqa: BLE001 - a stranger's mapping
            self.fail(f"{show(raw)} cannot be read: {in_words(problem)}; give a dict")
        for key in items:
            if not isinstance(key, str):
                self.fail(f"keys must be text, not {show(key)}; put it in quotes")
            if allowed and key not in allowed:
                self.fail_unknown(key, what, known)
        return items

    def text(self, raw: object) -> str:
        """``raw`` as text that can be printed."""
        if not isinstance(raw, str):
            self.fail(f"must be text, not {show(raw)}; {_as_text(raw)}")
        if not raw.strip() or not raw.isprintable() or len(raw) > 300:
            self.fail(f"must be one line of printable text, up to 300 characters, not {show(raw)}")
        return raw

    def texts(self, raw: object, count: int | None = None) -> list[str]:
        """``raw`` as a list of texts, ``count`` of them if that is given."""
        if not isinstance(raw, list) or (count is not None and len(raw) != count):
            size = "" if count is None else f"{count} "
            got = f"a list of {len(raw)}" if isinstance(raw, list) else show(raw)
            self.fail(f"must be a list of {size}texts, not {got}")
        return [self.text(item) for item in raw]

    def texts_by_key(self, raw: object, what: str, known: Iterable[str]) -> dict[str, str]:
        """``raw`` as a mapping from keys of ``known`` to texts."""
        items = self.mapping(raw, what, known)
        return {key: (self / key).text(value) for key, value in items.items()}

    def whole(self, raw: object, low: int, high: int) -> int:
        """``raw`` as a whole number from low to high."""
        if isinstance(raw, bool) or not isinstance(raw, int):
            self.fail(f"must be a whole number from {low} to {high}, not {show(raw)}")
        if not low <= raw <= high:
            self.fail(f"must be from {low} to {high}, not {show(raw)}")
        return raw

    def index(self, raw: object, low: int, high: int) -> int:
        """``raw`` as a whole number from low to high, also one of NumPy's."""
        whole = raw
        if type(raw).__name__ not in TRUTH_VALUES:
            with contextlib.suppress(Exception):  # a stranger's __index__, or none
                whole = operator.index(raw)  # type: ignore[arg-type]
        return self.whole(whole, low, high)

    def flag(self, raw: object) -> bool:
        """``raw`` as yes or no."""
        if type(raw).__name__ not in TRUTH_VALUES:
            self.fail(f"must be True or False, not {show(raw)}")
        return bool(raw)
