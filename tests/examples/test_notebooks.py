"""The notebooks of examples/notebooks run, cell by cell, and hold what they showed when written."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
NEEDS = {"train_and_watch": ("sb3_contrib",), "analyze_a_tournament": ("pandas", "matplotlib")}
SHORTER = {"train_and_watch": [(r"STEPS = 100_000", "STEPS = 20_000")]}


def code_of(path: Path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def test_there_are_notebooks():
    names = {path.stem for path in NOTEBOOKS}
    assert {"look_at_a_game", "train_and_watch", "analyze_a_tournament"} <= names
    listed = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "examples/notebooks" in listed


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    for package in NEEDS.get(path.stem, ()):
        pytest.importorskip(package, reason="the notebook needs it")
    monkeypatch.chdir(tmp_path)
    module = type(sys)("notebook")
    monkeypatch.setitem(sys.modules, "__main__", module)  # where a notebook's names live
    for number, code in enumerate(code_of(path)):
        for old, new in SHORTER.get(path.stem, ()):
            code = re.sub(old, new, code)  # noqa: PLW2901 - the same cell, smaller
        exec(compile(code, f"{path.name}, cell {number}", "exec"), module.__dict__)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_keeps_what_it_showed(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    shown = [cell for cell in cells if cell["cell_type"] == "code" and cell["outputs"]]
    assert len(shown) >= 2
    text = json.dumps([cell["outputs"] for cell in shown])
    assert '"output_type": "error"' not in text
    assert str(ROOT) not in text
    assert str(Path.home()) not in text
    assert path.stat().st_size < 500_000
