"""What begins with an underscore stays inside its package."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from monopoly_env.compiler.source_keys import find_packages

ABOVE = ("monopoly_agents", "monopoly_training")  # packages that use the library as users do
SYSTEM = {"os._exit"}  # a public function, in spite of its name


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def reached_privates(tree: ast.AST) -> Iterator[str]:
    """Private attributes of other objects than ``self`` and ``cls``, and private names imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            text = ast.unparse(node)
            if text.split(".")[0] not in {"self", "cls", "super()"} or text.count(".") > 1:
                yield text
        elif isinstance(node, ast.ImportFrom):
            parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from (f"from {node.module} import {part}" for part in parts if is_private(part))


@pytest.mark.parametrize("package", ABOVE)
def test_nobody_reaches_into_the_library(package: str) -> None:
    found = []
    for path in find_packages()[package].rglob("*.py"):
        for text in reached_privates(ast.parse(path.read_text(encoding="utf-8"))):
            if text not in SYSTEM:
                found += [f"{path.name}: {text}"]
    assert found == []


def test_it_would_be_seen() -> None:
    source = "from a._b import c\nx = env.games._tables.n\nself._mine = cls._ours or super()._theirs\nself.env._play()"
    assert sorted(reached_privates(ast.parse(source))) == [
        "env.games._tables", "from a._b import _b", "self.env._play",
    ]  # fmt: skip
