"""The examples of the pages about environments and learners run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = [
    (page, example)
    for page in ("environments.md", "your_own_learner.md", "language_models.md", "search.md")
    for example in re.findall(
        r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL
    )
]


@pytest.mark.parametrize(("page", "example"), EXAMPLES)
def test_example(page, example):
    if "monopoly_training" in example:
        pytest.importorskip("sb3_contrib")
    exec(compile(example, page, "exec"), {})


def test_there_are_examples():
    assert len(EXAMPLES) == 17
