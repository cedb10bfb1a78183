"""The one place that the author of a bot imports from."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from monopoly_env import bots

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "write_a_bot.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python.*?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = set(re.findall(r"^```\w+ (\w+)\.py$", PAGE, re.MULTILINE))


def imports(source: str) -> list[tuple[str, str]]:
    """Modules imported, each with a name that is taken from it, or an empty one."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found += [(node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
    return found


def test_all_that_it_lists_is_there_and_all_that_is_there_is_listed() -> None:
    modules = {name for name, value in vars(bots).items() if type(value) is type(sys)}
    public = {name for name in vars(bots) if not name.startswith("_")} - modules
    assert public == set(bots.__all__)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0][:40])
def test_the_tutorial_imports_from_one_place(block: str) -> None:
    for module, name in imports(block):
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names or top in FILES:
            continue
        assert module in ("monopoly_env", "monopoly_env.bots", "monopoly_env.learners", "numpy")
        if module == "monopoly_env.bots":
            assert name in bots.__all__


def test_the_page_says_what_compiled_bots_import() -> None:
    table = PAGE.partition("| in `monopoly_env.bots` |")[2].partition("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    named = {name for cell in cells for name in re.findall(r"`(\w+)", cell)}
    assert len(named) > 20
    assert named <= set(bots.__all__)


def test_examples_import_from_it_too() -> None:
    for path in [*(ROOT / "examples" / "bots").rglob("*.py"), ROOT / "examples" / "llm_bot.py"]:
        for module, _ in imports(path.read_text(encoding="utf-8")):
            if module.partition(".")[0] not in sys.stdlib_module_names:
                assert module in ("monopoly_env", "monopoly_env.bots"), (path, module)
