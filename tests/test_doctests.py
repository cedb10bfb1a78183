"""The examples in docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = (
    ROOT / "monopoly_env",
    ROOT / "agents" / "monopoly_agents",
    ROOT / "training" / "monopoly_training",
)


def modules_with_examples() -> list[str]:
    """The names of all modules whose source has an example."""
    found = []
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            if ">>> " in path.read_text(encoding="utf-8"):
                parts = path.relative_to(package.parent).with_suffix("").parts
                found.append(".".join(part for part in parts if part != "__init__"))
    return found


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_of(name: str) -> None:
    if name.startswith("monopoly_training.sb3"):
        pytest.importorskip("sb3_contrib")
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.attempted > 0
    assert results.failed == 0
