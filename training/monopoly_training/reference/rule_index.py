"""Index of the rules, read from the docstrings of rule functions and the sources of rule cases.

A rule function says ``Source: 000 line 171; 001 lines 160 and 198``. A rule case names the lines it
is taken from. A case demonstrates a rule if they share a line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from monopoly_env import engine

BOOKS = {
    "000": "Pokémon Kanto Edition, 2014",
    "001": "Pokémon Collector's Edition, United States 1999",
    "002": "Pokémon, édition de collection, France 2000",
    "003": "Nintendo Collector's Edition, 2010",
    "004": "Yu-Gi-Oh!, 2016",
}
# Short names of the books, in sources and in the names of rule cases.
LETTERS = {"000": "K", "001": "P", "002": "F", "003": "N", "004": "Y"}
_BOOK = re.compile(r"\b(00[0-4])(?:_[0-9a-f]+\.txt)?,?\s+lines?\s+([\d, and to-]+)")
_NUMBERS = re.compile(r"(\d+)(?:\s*(?:to|-)\s*(\d+))?")

Line = tuple[str, int]


@dataclass(frozen=True)
class RuleEntry:
    """A rule function and its docstring's content."""

    module: str
    function: str
    rule: str
    source: str
    differs: str

    @property
    def lines(self) -> frozenset[Line]:
        """The rule-book lines in its source."""
        return lines_of(self.source)


def lines_of(text: str) -> frozenset[Line]:
    """Return every (book, line) named in a source, with ranges expanded."""
    lines: set[Line] = set()
    for book, numbers in _BOOK.findall(text):
        for first, last in _NUMBERS.findall(numbers):
            lines.update((book, line) for line in range(int(first), int(last or first) + 1))
    return frozenset(lines)


def _part(docstring: str, name: str) -> str:
    """Return the text after ``Source:`` or ``Differs:``, up to the next such word."""
    match = re.search(rf"{name}:\s*(.+?)(?=\n\s*(?:Source|Differs):|\Z)", docstring, re.DOTALL)
    return " ".join(match.group(1).split()) if match else ""


def rules() -> Iterator[RuleEntry]:
    """Yield every engine function that names its source, file by file."""
    for path in sorted(Path(engine.__file__).parent.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            docstring = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
            if docstring and ("Source:" in docstring or "Differs:" in docstring):
                assert isinstance(node, ast.FunctionDef)
                yield RuleEntry(
                    path.name,
                    node.name,
                    docstring.split("\n\n")[0].replace("\n", " "),
                    _part(docstring, "Source"),
                    _part(docstring, "Differs"),
                )


def cases(folder: Path) -> dict[str, frozenset[Line]]:
    """Return the rule cases of a folder: their lines by id."""
    lines_by_id: dict[str, frozenset[Line]] = {}
    for path in sorted(folder.rglob("*.yaml")):
        rows: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
        for row in rows:
            lines_by_id[row["id"]] = lines_of(str(row.get("source", "")))
    return lines_by_id


def shown_by(entry: RuleEntry, known: dict[str, frozenset[Line]]) -> list[str]:
    """Return the cases that share a line with a rule."""
    return [name for name, lines in known.items() if lines & entry.lines]
