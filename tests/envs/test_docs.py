"""The examples of docs/environments.md run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example):
    if "monopoly_training" in example:
        pytest.importorskip("sb3_contrib")
    exec(compile(example, str(PAGE), "exec"), {})


def test_there_are_examples():
    assert len(EXAMPLES) == 5
