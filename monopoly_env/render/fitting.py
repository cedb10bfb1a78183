"""Fits text into boxes by wrapping, shrinking or cutting it, using the font's letter widths."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
LINE = 1.16  # line height, relative to the font size
STEP = 0.5  # decrement of the font size
WIDEST = 1.0  # relative width of a letter missing in the font


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines of text at a font size."""

    size: float
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """The total height of all lines."""
        return len(self.lines) * self.size * LINE


@lru_cache(maxsize=1)
def metrics() -> tuple[float, dict[bool, dict[str, float]]]:
    """Return the capital height and the letter widths (regular, bold) at font size 1."""
    data = json.loads((FONTS / "metrics.json").read_text(encoding="utf-8"))
    units = data["units"]
    widths = {
        bold: {letter: width / units for letter, width in data["advances"][name].items()}
        for bold, name in ((False, "regular"), (True, "bold"))
    }
    return data["capital"] / units, widths


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text."""
    widths = metrics()[1][bold]
    return size * sum(widths.get(letter, WIDEST) for letter in text)


@lru_cache(maxsize=4096)
def fit(
    text: str,
    width: float,
    height: float,
    size: float,
    least: float,
    bold: bool = False,
    lines: int = 3,
) -> Fitted:
    """Fit text into a box: as large as possible, from ``size`` down to ``least``.

    There are at most ``lines`` lines. Words are broken, and the end is cut off with an ellipsis,
    only if nothing else helps.

    >>> fit("Pennsylvania Avenue", 78, 44, 12, 7).lines
    ('Pennsylvania', 'Avenue')
    """
    text = " ".join(unicodedata.normalize("NFC", text).split())
    now = size
    while now >= least:
        wrapped = _wrap(text, width, now, bold)
        fits = len(wrapped) <= lines and len(wrapped) * now * LINE <= height
        if fits and all(width_of(line, now, bold) <= width for line in wrapped):
            return Fitted(now, tuple(wrapped))
        now -= STEP
    room = max(1, min(lines, int(height / (least * LINE))))
    return Fitted(least, tuple(_forced(text, width, least, bold, room)))


def fit_line(text: str, width: float, size: float, least: float, bold: bool = False) -> Fitted:
    """Fit text into a single line."""
    return fit(text, width, size * LINE, size, least, bold, 1)


def _wrap(text: str, width: float, size: float, bold: bool) -> list[str]:
    """Wrap words into lines; a word that is too wide gets its own line."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _forced(text: str, width: float, size: float, bold: bool, room: int) -> list[str]:
    """Cut text into full lines; the last one ends in an ellipsis."""
    lines: list[str] = []
    rest = text
    while rest and len(lines) < room:
        last = len(lines) == room - 1
        if width_of(rest, size, bold) <= width:
            lines.append(rest)
            break
        end = _most(rest, width, size, bold, "…" if last else "")
        space = rest.rfind(" ", 0, end + 1)
        if not last and space > 0:
            end = space
        lines.append(rest[:end].rstrip() + ("…" if last else ""))
        rest = rest[end:].lstrip()
    return lines


def _most(text: str, width: float, size: float, bold: bool, end: str) -> int:
    """Return how many letters fit before ``end``, at least one."""
    count = len(text)
    while count > 1 and width_of(text[:count].rstrip() + end, size, bold) > width:
        count -= 1
    return count
