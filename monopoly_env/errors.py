"""Error classes for bad input. Each message is one line: the place, the problem and the remedy.

All of them derive from :class:`InputError`, which is a ValueError; the class says what kind of
input was wrong. An invalid function argument is named by its parameter.
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

LONGEST = 500  # error messages shorten longer paths
TRUTH_VALUES = ("bool", "bool_")  # class names of Python's and NumPy's booleans


class InputError(ValueError):
    """Invalid input. The message is one line: the place, the problem and the remedy."""

    @classmethod
    def at(cls, where: str | Path) -> Location:
        """Return the location of a file or parameter whose failures raise this class."""
        return Location(str(where), (), cls)


class EditionError(InputError):
    """An invalid edition, mode or rule override."""


class NoSuchItem(InputError, IndexError, KeyError):  # noqa: N818 - the name says what it is
    """A seat, a space, an action or a game that does not exist."""

    def __str__(self) -> str:
        return ValueError.__str__(self)  # KeyError would put it in quotes


class PositionError(InputError):
    """A position that is invalid, or that the rules cannot reach."""


class RecordError(InputError):
    """A saved game that cannot be read or replayed; names the file, line and action."""


class CaseError(InputError):
    """An invalid rule case; the message names the file, the case and the key."""


class AgentError(InputError):
    """A bot that does not exist or cannot be created."""


class CopyError(AgentError, TypeError):
    """Something that cannot be copied or pickled, such as a bot's running process.

    Also a TypeError, which is what Python raises for other objects that cannot be copied.
    """


class BotError(AgentError):
    """A bot whose own code raised an error while it was created."""


class MissingExtra(InputError, ImportError):  # noqa: N818 - the name says what it is
    """A required package that is not installed; it belongs to an optional extra."""


class FileError(InputError):
    """A file or folder that has the wrong content, or that cannot be read or written."""


def one_line(text: str) -> str:
    """Return ``text`` as one line; unprintable characters are escaped."""
    return " ".join("".join(c if c.isprintable() else _escaped(c) for c in text).split())


def _escaped(letter: str) -> str:
    r"""Return a space for whitespace and control characters, else an escape such as ``\xff``."""
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
    """Return any value as a short text."""
    try:
        return _shorter.repr(value)
    except Exception as problem:  # noqa: BLE001 - a third-party __repr__ may raise anything
        if isinstance(problem, ValueError) and type(value) is int:
            return "a number of thousands of digits"  # Python refuses to print such numbers
        return f"an object of the class {type(value).__name__}"


def in_words(problem: BaseException) -> str:
    """Return an error as ``ValueError: message``, even if its own ``__str__`` fails."""
    kind = type(problem).__name__
    try:
        text = str(problem)
    except Exception:  # noqa: BLE001 - a third-party __str__ may raise anything
        text = "an error that cannot be shown"
    return one_line(f"{kind}: {text}" if text else kind)


def suggest(word: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown word: the closest known word, or else all of them."""
    words = list(known)
    close = difflib.get_close_matches(word, words, 1)
    if close:
        return f"did you mean {close[0]!r}?"
    return "use one of " + ", ".join(words) if words else "leave it out"


def _text_remedy(raw: object) -> str:
    """Return the remedy for a value that is not text."""
    if raw is None:
        return "give one, or leave the key out"
    return "give a single one" if isinstance(raw, list | Mapping) else "put it in quotes"


@dataclass(frozen=True)
class Location:
    """The place of a value: a file or parameter, and the keys that lead to the value.

    ``location / key`` is the place of a nested value. ``error`` is the class that :meth:`fail`
    raises.
    """

    file: str
    keys: tuple[str, ...] = ()
    error: type[InputError] = InputError

    def __truediv__(self, key: str) -> Location:
        return Location(self.file, (*self.keys, key), self.error)

    def fail(self, problem: str) -> NoReturn:
        """Raise the error, with the file, the keys and the problem."""
        keys = ".".join(key if len(key) < 50 else key[:47] + "..." for key in self.keys)
        file = self.file if len(self.file) < LONGEST else f"{self.file[:100]}…{self.file[-100:]}"
        raise self.error(one_line(": ".join(part for part in (file, keys, problem) if part)))

    def fail_unknown(self, word: str, what: str, known: Iterable[str]) -> NoReturn:
        """Raise the error for an unknown word, with a suggestion."""
        (self / word).fail(f"there is no such {what}; {suggest(word, known)}")

    def mapping(self, raw: object, what: str = "", known: Iterable[str] = ()) -> dict[str, object]:
        """Return ``raw`` as a dict with text keys, which must be in ``known`` if given."""
        if raw is None:
            return {}
        if not isinstance(raw, Mapping):
            self.fail(f"must be a mapping, 'key: value', not {show(raw)}")
        allowed = set(known)
        try:
            items = dict(raw)
        except Exception as problem:  # noqa: BLE001 - a third-party mapping may raise anything
            self.fail(f"{show(raw)} cannot be read: {in_words(problem)}; give a dict")
        for key in items:
            if not isinstance(key, str):
                self.fail(f"keys must be text, not {show(key)}; put it in quotes")
            if allowed and key not in allowed:
                self.fail_unknown(key, what, known)
        return items

    def text(self, raw: object) -> str:
        """Return ``raw`` if it is one line of printable text."""
        if not isinstance(raw, str):
            self.fail(f"must be text, not {show(raw)}; {_text_remedy(raw)}")
        if not raw.strip() or not raw.isprintable() or len(raw) > 300:
            self.fail(f"must be one line of printable text, up to 300 characters, not {show(raw)}")
        return raw

    def texts(self, raw: object, count: int | None = None) -> list[str]:
        """Return ``raw`` if it is a list of texts, with ``count`` items if that is given."""
        if not isinstance(raw, list) or (count is not None and len(raw) != count):
            size = "" if count is None else f"{count} "
            got = f"a list of {len(raw)}" if isinstance(raw, list) else show(raw)
            self.fail(f"must be a list of {size}texts, not {got}")
        return [self.text(item) for item in raw]

    def texts_by_key(self, raw: object, what: str, known: Iterable[str]) -> dict[str, str]:
        """Return ``raw`` as a dict from keys in ``known`` to texts."""
        items = self.mapping(raw, what, known)
        return {key: (self / key).text(value) for key, value in items.items()}

    def whole(self, raw: object, low: int, high: int) -> int:
        """Return ``raw`` if it is an int from ``low`` to ``high``."""
        if isinstance(raw, bool) or not isinstance(raw, int):
            self.fail(f"must be a whole number from {low} to {high}, not {show(raw)}")
        if not low <= raw <= high:
            self.fail(f"must be from {low} to {high}, not {show(raw)}")
        return raw

    def index(self, raw: object, low: int, high: int) -> int:
        """Return ``raw`` as an int from ``low`` to ``high``; NumPy integers are accepted."""
        whole = raw
        if type(raw).__name__ not in TRUTH_VALUES:
            with contextlib.suppress(Exception):  # __index__ is missing or fails
                whole = operator.index(raw)  # type: ignore[arg-type]
        return self.whole(whole, low, high)

    def flag(self, raw: object) -> bool:
        """Return ``raw`` as a bool; NumPy booleans are accepted."""
        if type(raw).__name__ not in TRUTH_VALUES:
            self.fail(f"must be True or False, not {show(raw)}")
        return bool(raw)
