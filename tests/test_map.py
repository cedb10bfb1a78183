"""The map in CONTRIBUTING.md: whatever it names is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`((?:monopoly_env|agents|training|tests|configs|docs)/[\w/.-]*)`", PAGE)


def files_of_folders() -> Iterator[str]:
    """The files that a row names without a folder, in the folder that the row named before."""
    for row in PAGE.partition("| to add | do this |")[0].splitlines():
        folder = None
        for span in re.findall(r"`([\w/.-]+)`", row) if row.startswith("| ") else ():
            if span in NAMED:
                folder = span if span.endswith("/") else f"{Path(span).parent.as_posix()}/"
            elif folder is not None and re.fullmatch(r"\w+\.(py|js|json)", span):
                yield folder + span


@pytest.mark.parametrize("path", sorted({*NAMED, *files_of_folders()}))
def test_what_the_map_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_the_map_names_every_room() -> None:
    """Those of training at least by their folder."""
    rooms = [
        folder
        for package in ("monopoly_env", "agents/monopoly_agents", "training/monopoly_training")
        for folder in (ROOT / package).iterdir()
        if (folder / "__init__.py").exists()
    ]
    assert len(rooms) > 25
    drawn = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for room in rooms:
        assert f"| `{room.name}` |" in drawn, room
