"""Helpers for writing the generated Markdown pages."""

from __future__ import annotations

from collections.abc import Iterable

NOTE = "<!-- Written by `monopoly-env docs`. Do not edit. -->\n\n"


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Format a Markdown table."""
    columns = list(head)
    lines = ["| " + " | ".join(columns) + " |", "| " + " | ".join("---" for _ in columns) + " |"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
