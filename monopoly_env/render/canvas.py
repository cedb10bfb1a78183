"""Builds SVG from shapes and text, with plain attributes that a page's styles do not affect."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import ceil, floor
from xml.sax.saxutils import escape, quoteattr

from monopoly_env.render.board_data import Box, Seat
from monopoly_env.render.fitting import LINE, Fitted, metrics

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ANCHORS = {"left": "start", "middle": "middle", "right": "end"}


def safe(text: str) -> str:
    """Return text escaped for XML; invalid characters are replaced."""
    return escape(_NOT_XML.sub("\ufffd", text))


def number(value: float) -> str:
    """Return a number with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass(slots=True)
class Tile:
    """A self-contained part of the picture, which can be rendered separately."""

    box: Box  # in the coordinates of the whole picture
    shift: tuple[float, float]  # offset of its content
    parts: list[str] = field(default_factory=list)

    def markup(self) -> str:
        """Return its content as SVG in the coordinates of the whole picture."""
        x, y = self.shift
        inside = "".join(self.parts)
        return f'<g transform="translate({number(x)} {number(y)})">{inside}</g>'


class Canvas:
    """A list of tiles of SVG elements; drawing methods add to the newest tile."""

    def __init__(self, theme: dict[str, str]) -> None:
        self.theme = theme
        self.tiles: list[Tile] = []
        self.shift = (0.0, 0.0)  # offset of new tiles
        self.parts: list[str] = []

    def tile(self, box: Box, around: float = 2) -> None:
        """Start a tile; everything drawn next lies within ``around`` of ``box``."""
        x, y = self.shift
        grown = box.inset(-around)
        tile = Tile(Box(grown.x + x, grown.y + y, grown.w, grown.h), self.shift)
        self.tiles.append(tile)
        self.parts = tile.parts

    def color(self, name: str) -> str:
        """Return a color of the theme by name, or any other color unchanged."""
        return self.theme.get(name, name)

    def _style(self, fill: str, stroke: str, width: float, opacity: float = 1) -> str:
        style = f' fill="{self.color(fill) if fill else "none"}"'
        if stroke:
            style += f' stroke="{self.color(stroke)}" stroke-width="{number(width)}"'
        return style + (f' opacity="{number(opacity)}"' if opacity < 1 else "")

    def rect(
        self,
        box: Box,
        fill: str,
        stroke: str = "",
        width: float = 1,
        radius: float = 0,
        opacity: float = 1,
    ) -> None:
        """Draw a rectangle with corner radius ``radius``."""
        rounded = f' rx="{number(radius)}"' if radius else ""
        self.parts.append(
            f'<rect x="{number(box.x)}" y="{number(box.y)}" width="{number(box.w)}" '
            f'height="{number(box.h)}"{rounded}{self._style(fill, stroke, width, opacity)}/>'
        )

    def circle(
        self, x: float, y: float, radius: float, fill: str, stroke: str = "", width: float = 1
    ) -> None:
        """Draw a disk."""
        self.parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
            f"{self._style(fill, stroke, width)}/>"
        )

    def path(
        self, path: str, fill: str, stroke: str = "", width: float = 1, opacity: float = 1
    ) -> None:
        """Draw an SVG path."""
        self.parts.append(f'<path d="{path}"{self._style(fill, stroke, width, opacity)}/>')

    def line(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        fill: str = "ink",
        bold: bool = False,
        anchor: str = "left",
    ) -> None:
        """Draw a line of text with its capitals centered on ``y``."""
        base = y + metrics()[0] * size / 2
        weight = ' font-weight="700"' if bold else ""
        place = "" if anchor == "left" else f' text-anchor="{ANCHORS[anchor]}"'
        self.parts.append(
            f'<text x="{number(x)}" y="{number(base)}" font-size="{number(size)}"{weight}{place} '
            f'fill="{self.color(fill)}">{safe(text)}</text>'
        )

    def text(
        self,
        fitted: Fitted,
        box: Box,
        fill: str = "ink",
        bold: bool = False,
        anchor: str = "middle",
        at: str = "middle",
    ) -> None:
        """Draw fitted lines in a box; ``at`` is the vertical alignment."""
        x = {"left": box.x, "middle": box.x + box.w / 2, "right": box.x + box.w}[anchor]
        spare = box.h - fitted.height
        y = box.y + {"top": 0, "middle": spare / 2, "bottom": spare}[at]
        for k, line in enumerate(fitted.lines):
            self.line(line, x, y + (k + 0.5) * fitted.size * LINE, fitted.size, fill, bold, anchor)

    def open(self, **data: object) -> None:
        """Start a group; ``data`` become its data attributes."""
        attributes = "".join(
            f" data-{name}={quoteattr(_NOT_XML.sub('', str(value)))}"
            for name, value in data.items()
        )
        self.parts.append(f"<g{attributes}>")

    def close(self) -> None:
        """End the group."""
        self.parts.append("</g>")

    def disk(self, x: float, y: float, radius: float, seat: Seat, letter: str) -> None:
        """Draw a player's token: a disk in its color with its letter."""
        self.circle(x, y, radius, seat.fill, "building_edge", max(1.2, radius * 0.12))
        self.line(letter, x, y, radius * 1.15, seat.ink, True, "middle")


@dataclass(frozen=True, slots=True)
class Picture:
    """A finished picture, available as one SVG or tile by tile."""

    width: int  # pixels
    height: int
    units: tuple[float, float]
    font: str
    title: str
    tiles: list[Tile]

    def svg(self) -> str:
        """Return the whole picture as an SVG document."""
        body = "".join(tile.markup() for tile in self.tiles)
        box = Box(0, 0, *self.units)
        return _document(body, self.width, self.height, box, self.font, self.title)

    def tile_svgs(self) -> list[tuple[int, int, str]]:
        """Return each tile as (left pixel, top pixel, SVG document of whole pixels)."""
        scale = self.width / self.units[0]
        rows = []
        for tile in self.tiles:
            box = tile.box
            left, top = max(0, floor(box.x * scale)), max(0, floor(box.y * scale))
            right = min(self.width, ceil((box.x + box.w) * scale))
            low = min(self.height, ceil((box.y + box.h) * scale))
            width, height = right - left, low - top
            view = Box(left / scale, top / scale, width / scale, height / scale)
            rows.append((left, top, _document(tile.markup(), width, height, view, self.font, "")))
        return rows


def _document(body: str, width: int, height: int, view: Box, font: str, title: str) -> str:
    """Return an SVG document."""
    box = " ".join(
        f"{value:.4f}".rstrip("0").rstrip(".") for value in (view.x, view.y, view.w, view.h)
    )
    named = f"<title>{safe(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{box}" role="img">{named}'
        f'<g font-family="{escape(font)}" font-kerning="none">{body}</g></svg>'
    )
