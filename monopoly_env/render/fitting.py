"""Text that fits its box: wrapped, then shrunk, then cut, by the widths of the font's letters."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
LINE = 1.16  # line height, in sizes
STEP = 0.5  # by which a size shrinks
WIDEST = 1.0  # of a letter that the font has not, in sizes


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines of text at a size."""

    size: float
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """Of all lines together."""
        return len(self.lines) * self.size * LINE


@lru_cache(maxsize=1)
def metrics() -> tuple[float, dict[bool, dict[str, float]]]:
    """Return the height of a capital, and the widths of letters, regular and bold, in sizes."""
    data = json.loads((FONTS / "metrics.json").read_text(encoding="utf-8"))
    units = data["units"]
    widths = {
        bold: {letter: width / units for letter, width in data["advances"][name].items()}
        for bold, name in ((False, "regular"), (True, "bold"))
    }
    return data["capital"] / units, widths


def width_of(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a line of text is."""
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
    """Text in a box: as large as it goes, from ``size`` down to ``least``, in at most ``lines``.

    Words are broken, and the end is cut off with an ellipsis, only where nothing else helps.

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
    """Text in one line."""
    return fit(text, width, size * LINE, size, least, bold, 1)


def _wrap(text: str, width: float, size: float, bold: bool) -> list[str]:
    """Words in lines as full as they get; a word that is too wide has its own line."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _forced(text: str, width: float, size: float, bold: bool, room: int) -> list[str]:
    """Lines cut where they are full; the last one ends in an ellipsis."""
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
    """Return how many letters fit before ``end``; one at least."""
    count = len(text)
    while count > 1 and width_of(text[:count].rstrip() + end, size, bold) > width:
        count -= 1
    return count
