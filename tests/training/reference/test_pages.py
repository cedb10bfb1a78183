"""The generated pages are current, and the index of rules finds its sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from monopoly_training.reference import rule_index
from monopoly_training.reference.pages import pages

ROOT = Path(__file__).parents[3]
WRITTEN = pages(ROOT / "tests/rulebook")


@pytest.mark.parametrize("name", WRITTEN)
def test_page_is_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == WRITTEN[name], (
        "run `make docs` and look at what changed"
    )


def test_lines_of_a_source() -> None:
    assert rule_index.lines_of("000 line 171; 001 lines 160 and 198") == {
        ("000", 171), ("001", 160), ("001", 198)
    }  # fmt: skip
    assert rule_index.lines_of("002_590a973e261557b6.txt lines 238 to 240") == {
        ("002", 238), ("002", 239), ("002", 240)
    }  # fmt: skip
    assert rule_index.lines_of("official US FAQ insert") == frozenset()


def test_every_rule_from_a_book_is_shown_by_a_case() -> None:
    known = rule_index.cases(ROOT / "tests/rulebook")
    bare = [
        f"{entry.module}: {entry.function}"
        for entry in rule_index.rules()
        if entry.lines and not rule_index.shown_by(entry, known)
    ]
    assert bare == []
