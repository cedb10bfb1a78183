"""Compiled code is used again only while every source that can shape it is as it was."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import grimp
import pytest

from monopoly_env.compiler.cache import SOURCE_KEYS
from monopoly_env.compiler.jit import JIT
from monopoly_env.compiler.source_keys import SourceKeys, find_packages, imported

PACKAGES = ("monopoly_env", "monopoly_agents", "monopoly_training")
KERNEL = "monopoly_env.envs._kernel"


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Who imports whom, by another program's reading of the sources."""
    return grimp.build_graph(*PACKAGES, cache_dir=None)


@pytest.fixture
def tree(tmp_path: Path) -> dict[str, Path]:
    """A copy of the packages."""
    for name, folder in find_packages().items():
        shutil.copytree(folder, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return {name: tmp_path / name for name in PACKAGES}


def keys(tree: dict[str, Path]) -> dict[str, str]:
    """The key of every module, read anew."""
    fresh = SourceKeys(["test"], tree)
    return {
        module: fresh.key(module) for package in PACKAGES for module, _ in fresh.modules_of(package)
    }


def test_a_key_is_made_of_all_that_a_module_imports(graph: grimp.ImportGraph) -> None:
    for package in PACKAGES:
        for module, _ in SOURCE_KEYS.modules_of(package):
            reached = set(SOURCE_KEYS.reached(module))
            expected = {module, *graph.find_upstream_modules(module)}
            assert expected <= reached, f"{module}: {sorted(expected - reached)}"


def test_the_rules_are_made_of_the_rules_alone() -> None:
    """What is changed above them, such as a bot, leaves what was compiled of them as it is."""
    for module, _ in SOURCE_KEYS.modules_of("monopoly_env"):
        if module.startswith("monopoly_env.engine."):
            rooms = ("monopoly_env.engine", "monopoly_env.compiler")
            others = [name for name in SOURCE_KEYS.reached(module) if not name.startswith(rooms)]
            assert others == [], module


def test_each_source_moves_the_keys_that_it_shapes(tree: dict[str, Path]) -> None:
    before = keys(tree)
    fresh = SourceKeys([], tree)
    files = {module: path for package in PACKAGES for module, path in fresh.modules_of(package)}
    for module in [*fresh.reached(KERNEL), *(name for name in files if "agents." in name)]:
        source = files[module].read_bytes()
        files[module].write_bytes(source + b"\nMORE = 1\n")
        after = SourceKeys(["test"], tree)
        for name in (module, *([KERNEL] if module in fresh.reached(KERNEL) else [])):
            assert after.key(name) != before[name], f"{name} does not heed {module}"
        files[module].write_bytes(source)
    assert keys(tree) == before


def test_a_change_in_a_bot_leaves_the_rules_alone(tree: dict[str, Path]) -> None:
    before = keys(tree)
    bot = next(tree["monopoly_agents"].rglob("fixed_policy.py"))
    bot.write_text(bot.read_text() + "\nMORE = 1\n")
    moved = {name for name, key in keys(tree).items() if key != before[name]}
    assert moved
    assert not any(name.startswith("monopoly_env") for name in moved)


def test_flags_move_every_key(tree: dict[str, Path]) -> None:
    module = "monopoly_env.engine.rent"
    assert SourceKeys(["0.68"], tree).key(module) != SourceKeys(["0.69"], tree).key(module)


def test_a_bot_of_ones_own_has_its_imports_in_its_key(tmp_path: Path) -> None:
    """Its own file, what lies beside it, and what it takes from the library."""
    (tmp_path / "helper.py").write_text("LIMIT = 3\n")
    bot = tmp_path / "bot.py"
    bot.write_text("from helper import LIMIT\nfrom monopoly_env.engine.rent import rent_due\n")

    def key() -> str:
        return SourceKeys([], SOURCE_KEYS.packages).key("bot_1234", str(bot))

    first = key()
    assert key() == first
    (tmp_path / "helper.py").write_text("LIMIT = 4\n")
    second = key()
    assert second != first
    bot.write_text(bot.read_text() + "MORE = 1\n")
    assert key() not in {first, second}


def test_code_without_a_file_may_have_imported_anything(tree: dict[str, Path]) -> None:
    before = SourceKeys([], tree).key("__main__", "<stdin>")
    path = tree["monopoly_training"] / "cli.py"
    path.write_text(path.read_text() + "\nMORE = 1\n")
    assert SourceKeys([], tree).key("__main__", "<stdin>") != before


def test_imports_are_read_in_every_form() -> None:
    source = """
    import a.b as c, d
    from e import (  # why
        f as g,
        h,
    )
    from i import j, \\
        k
    from . import l
    from ..m import n
    if True: pass; import missed_but_nobody_writes_so
    """
    assert list(imported(textwrap.dedent(source), "x.y")) == (
        "a.b d e e.f e.h i i.j i.k x.y x.y.l x.m x.m.n".split()
    )


LOOK = """
import numpy as np
from monopoly_env.editions import load_edition
from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OFFSETS
from monopoly_env.encoding.observation import observe
from monopoly_env.engine.state import new_games

games, row = new_games(1), np.zeros(OBSERVATION_SIZE, np.float32)
games["players"], games["owner"], games["cash"][0, 0] = 2, -1, 1500
observe(games, 0, load_edition("classic").rules, 0, row)
print(float(row[OFFSETS["cash"]]), float(row[OFFSETS["worth"]]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_blocks_that_change_places_are_found_at_their_new_places(
    tree: dict[str, Path], tmp_path: Path
) -> None:
    """With warm compiled code of the old order on disk."""
    places = [str(path.parent) for path in dict.fromkeys(tree.values())]
    environment = os.environ | {
        "MONOPOLY_ENV_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join(places),
    }

    def look() -> str:
        return subprocess.run(
            [sys.executable, "-c", LOOK],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    first = look()
    assert first.split() == ["0.6000000238418579", "0.27272728085517883"]  # $1,500 of 1000, of 4000
    blocks = tree["monopoly_env"] / "encoding" / "blocks.py"
    lines = blocks.read_text().splitlines(keepends=True)
    cash, worth = (
        next(k for k, line in enumerate(lines) if f'("{name}", SEATS,' in line)
        for name in ("cash", "worth")
    )
    lines[cash], lines[worth] = lines[worth], lines[cash]
    blocks.write_text("".join(lines))
    assert look() == first
