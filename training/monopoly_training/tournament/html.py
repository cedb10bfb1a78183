"""Build plain HTML from Python values; all text is escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from monopoly_env.errors import FileError
from monopoly_env.files import read_bytes

MOST_BYTES = 64 << 20  # maximum size of a picture

STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; margin-bottom: .2rem; }
h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem;
  margin: .8rem 0; }
caption { text-align: left; opacity: .85; padding-bottom: .3rem; min-width: min(42rem, 88vw); }
caption span { display: block; position: sticky; left: 0; max-width: calc(100vw - 2rem); }
th, td { padding: .3rem .5rem; text-align: right; border-bottom: 1px solid var(--line);
  white-space: nowrap; }
thead th { vertical-align: bottom; }
th[scope=row], .text { text-align: left; font-weight: 600; }
tbody tr:hover { background: var(--soft); }
figure { margin: 1.2rem 0; }
figure img { max-width: 100%; height: auto; background: white; border-radius: 4px; }
figcaption { font-size: .9rem; opacity: .85; max-width: 45rem; }
dl { font-size: .9rem; display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 4px; }
@media print { body { max-width: none; font-size: 12px; } th, td { white-space: normal; }
  h2 { break-after: avoid; } figure { break-inside: avoid; } }
"""


def page(title: str, parts: Iterable[str]) -> str:
    """Return a self-contained page that loads nothing."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def heading(text: str, level: int = 2) -> str:
    """Return a heading."""
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str) -> str:
    """Return a paragraph."""
    return f"<p>{escape(text)}</p>"


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first column holds the row headers."""
    top = "".join(
        f'<th scope="col"{_left(column)}>{escape(name)}</th>' for column, name in enumerate(head)
    )
    body = "\n".join(
        "<tr>"
        + "".join(
            f"<td>{escape(cell)}</td>" if column else f'<th scope="row">{escape(cell)}</th>'
            for column, cell in enumerate(row)
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0"><table>\n<caption><span>{escape(caption)}</span></caption>\n'
        f"<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _left(column: int) -> str:
    return "" if column else ' class="text"'


def picture(path: Path, title: str, text: str) -> str:
    """Embed a PNG file in the page, with its description."""
    data = base64.b64encode(read_bytes(path, FileError.at(path), MOST_BYTES)).decode()
    return (
        f'<figure><img alt="{escape(title)}. {escape(text)}" src="data:image/png;base64,{data}">\n'
        f"<figcaption>{escape(text)}</figcaption></figure>"
    )


def links(rows: Iterable[tuple[str, str, str]]) -> str:
    """Return a list of links from (address, text, description) rows."""
    items = "\n".join(
        f'<li><a href="{escape(address)}">{escape(text)}</a>: {escape(about)}</li>'
        for address, text, about in rows
    )
    return f"<ul>\n{items}\n</ul>"


def definitions(entries: Iterable[tuple[str, str]]) -> str:
    """Return a definition list of names and meanings."""
    lines = (f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in entries)
    return "<dl>\n" + "\n".join(lines) + "\n</dl>"


def code(text: str) -> str:
    """Return preformatted text."""
    return f"<pre>{escape(text)}</pre>"
