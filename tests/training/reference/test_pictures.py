"""The pictures of README and docs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from monopoly_training.reference.pictures import write_pictures
from monopoly_training.reference.play_picture import BROWSERS

ROOT = Path(__file__).parents[3]


def test_pictures_are_small_and_those_that_pages_show(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra render is not installed")
    pytest.importorskip("matplotlib", reason="the extra eval is not installed")
    pytest.importorskip("playwright", reason="the picture of a page needs playwright")
    if not any(map(shutil.which, BROWSERS)):
        pytest.skip("the picture of a page needs a browser: apt-get install chromium")
    written = write_pictures(tmp_path)
    most = {".png": 100_000, ".gif": 400_000}
    assert all(path.stat().st_size < most[path.suffix] for path in written)
    shown = set()
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        shown |= set(
            re.findall(r"pictures/([a-z-]+\.(?:png|gif))", page.read_text(encoding="utf-8"))
        )
    assert all((ROOT / "docs" / "pictures" / name).exists() for name in shown)
    charts = {"scaling.png"}  # drawn by the page that shows them, from what it measured
    assert {path.name for path in written} == shown - charts
    for path in written:
        kept, drawn = pixels(ROOT / "docs" / "pictures" / path.name), pixels(path)
        assert kept.shape == drawn.shape
        assert np.abs(kept - drawn).mean() < 1, "run `make pictures`"


def pixels(path: Path) -> np.ndarray:
    from PIL import Image

    return np.array(Image.open(path).convert("RGB")).astype(int)
