"""Ratios to an earlier run and to a revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from monopoly_training.bench import compare
from monopoly_training.bench.compare import commit_of, with_file, with_revision, worktree
from monopoly_training.bench.measured import BenchError, Measured
from monopoly_training.bench.timing import result
from monopoly_training.cli import main

Capture = pytest.CaptureFixture[str]
IN_CHECKOUT = (compare.ROOT / ".git").exists()
needs_git = pytest.mark.skipif(not IN_CHECKOUT, reason="not in a git checkout")


def test_ratio_to_a_file_and_its_spread(tmp_path: Path) -> None:
    before = [result("a", [1.0, 2.0, 4.0], "x/s", ""), result("gone", [1.0], "x/s", "")]
    Measured.here(1.0, before).write(tmp_path / "before.json")
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
    with pytest.raises(BenchError, match="HEAD: there is no such file, and revisions need a git"):
        commit_of("HEAD")


@needs_git
def test_words_that_name_no_commit() -> None:
    for word in ("no-such-revision", "--help", "HEAD:README.md"):
        with pytest.raises(BenchError, match="is neither a file nor a revision"):
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


@needs_git
@pytest.mark.slow
def test_a_revision_is_measured_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare, "ROUNDS", 2)
    told: list[str] = []
    (ratio,) = with_revision("HEAD", ["import_s"], 0.1, told.append)
    assert ratio.low <= ratio.ratio <= ratio.high
    assert [text for text in told if text.startswith("measuring")] == [
        "measuring this tree, round 1 of 2",
        "measuring HEAD, round 1 of 2",
        "measuring this tree, round 2 of 2",
        "measuring HEAD, round 2 of 2",
    ]


@needs_git
def test_the_other_tree_is_the_one_imported() -> None:
    with worktree("HEAD") as tree:
        code = "import monopoly_env, monopoly_agents, monopoly_training.bench as b; "
        code += "print(*[m.__file__ for m in (monopoly_env, monopoly_agents, b)], sep='\\n')"
        done = subprocess.run(
            [compare.sys.executable, "-c", code], env=compare.environment_of(tree), cwd="/",
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert all(Path(line).is_relative_to(tree) for line in done.stdout.split())
