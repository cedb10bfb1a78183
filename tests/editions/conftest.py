"""Edition files for a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write an edition file, from text or from what YAML can hold, and return its path."""

    def write_(text: object, name: str = "mine.yaml") -> Path:
        path = tmp_path / name
        content = text if isinstance(text, str) else yaml.safe_dump(text)
        path.write_text(content, encoding="utf-8")
        return path

    return write_
