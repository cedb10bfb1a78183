"""Ratios to an earlier run and to a revision."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from monopoly_training.bench import compare
from monopoly_training.bench.bench_run import BenchRun
from monopoly_training.bench.compare import commit_of, paired, with_file, with_revision, worktree
from monopoly_training.bench.timing import result
from monopoly_training.cli import main

from monopoly_env.errors import InputError

Capture = pytest.CaptureFixture[str]
IN_CHECKOUT = (compare.ROOT / ".git").exists()
BEFORE_ROOMS = "1f08512"  # modules have moved since
needs_git = pytest.mark.skipif(not IN_CHECKOUT, reason="not in a git checkout")


def test_ratio_to_a_file_and_its_spread(tmp_path: Path) -> None:
    before = [result("a", [1.0, 2.0, 4.0], "x/s", ""), result("gone", [1.0], "x/s", "")]
    BenchRun.here(1.0, before).write(tmp_path / "before.json")
    now = [result("a", [2.0, 4.0, 8.0], "x/s", ""), result("new", [1.0], "x/s", "")]
    (ratio,) = with_file(now, tmp_path / "before.json")
    assert (ratio.name, ratio.ours, ratio.theirs, ratio.ratio) == ("a", 4.0, 2.0, 2.0)
    assert (ratio.low, ratio.high) == (2.0 / 4.0, 8.0 / 1.0)


def test_the_command_compares_with_a_file(tmp_path: Path, capsys: Capture) -> None:
    path = str(tmp_path / "before.json")
    arguments = ["bench", "--only", "engine_mask", "--seconds", "0.05"]
    assert main([*arguments, "--json", path]) == 0
    assert main([*arguments, "--compare", path]) == 0
    assert "this tree ÷" in capsys.readouterr().out


def test_outside_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "ROOT", tmp_path)
    with pytest.raises(InputError, match="HEAD: there is no such file, and revisions need a git"):
        commit_of("HEAD")


@needs_git
def test_words_that_name_no_commit() -> None:
    for word in ("no-such-revision", "--help", "HEAD:README.md"):
        with pytest.raises(InputError, match="is neither a file nor a revision"):
            commit_of(word)


@needs_git
def test_a_worktree_goes_away_after_an_error() -> None:
    kept = []

    def fail_inside() -> None:
        with worktree("HEAD") as tree:
            assert (tree / "training/monopoly_training/bench/timing.py").exists()
            kept.append(tree)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_inside()
    assert not kept[0].exists()
    listed = subprocess.run(
        ["git", "worktree", "list"], cwd=compare.ROOT, capture_output=True, text=True, check=True
    )
    assert str(kept[0]) not in listed.stdout


def test_figures_of_one_name_and_unit_are_compared() -> None:
    ours = {
        "a": [result("a", [2.0], "x/s", ""), result("a", [6.0], "x/s", "")],
        "other unit": [result("other unit", [1.0], "x/s", "")],
        "new": [result("new", [1.0], "x/s", "")],
    }
    theirs = {
        "gone": [result("gone", [1.0], "x/s", "")],
        "other unit": [result("other unit", [1.0], "s", "")],
        "a": [result("a", [1.0], "x/s", ""), result("a", [2.0], "x/s", "")],
    }
    (ratio,) = paired(ours, theirs, "HEAD")
    assert (ratio.name, ratio.ours, ratio.theirs) == ("a", 4.0, 1.5)
    assert (ratio.low, ratio.ratio, ratio.high) == (2.0, 2.5, 3.0)
    with pytest.raises(InputError, match="HEAD: has none of the figures new"):
        paired({"new": ours["new"]}, theirs, "HEAD")


@needs_git
@pytest.mark.slow
def test_a_revision_is_measured_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "ROUNDS", 2)
    lines: list[str] = []
    (ratio,) = with_revision("HEAD", ["import_s"], 0.1, lines.append)
    assert ratio.low <= ratio.ratio <= ratio.high
    assert [text for text in lines if text.startswith("measuring")] == [
        "measuring this tree, round 1 of 2",
        "measuring HEAD, round 1 of 2",
        "measuring this tree, round 2 of 2",
        "measuring HEAD, round 2 of 2",
    ]


def is_known(revision: str) -> bool:
    try:
        return bool(commit_of(revision))
    except InputError:
        return False


PARTS = """
from importlib.metadata import entry_points
from importlib.resources import files
import monopoly_env, monopoly_agents, monopoly_training.bench as bench
print(monopoly_env.__file__, monopoly_agents.__file__, bench.__file__, sep="\\n")
print(files("monopoly_training.configs") / "train" / "default.yaml")
print([entry.value for entry in entry_points(group="monopoly_env.agents")])
"""


@needs_git
@pytest.mark.parametrize("revision", ["HEAD", BEFORE_ROOMS])
def test_all_of_the_other_tree_is_used(revision: str) -> None:
    """Its packages, its configs and its entry points, even where they have moved since."""
    if revision == BEFORE_ROOMS and not is_known(revision):
        pytest.skip("the checkout does not go back so far")
    with worktree(revision) as tree:
        done = subprocess.run(
            [sys.executable, "-c", PARTS], env=compare.environment_of(tree), cwd="/",
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        *paths, entries = done.stdout.splitlines()
        for path in map(Path, paths):
            assert path.is_relative_to(tree)
            assert path.is_file()
        text = (tree / "pyproject.toml").read_text(encoding="utf-8")
        assert all(f'"{entry}"' in text for entry in ast.literal_eval(entries))
