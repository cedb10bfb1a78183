"""Fuzz runs that are kept: whatever stops one, it goes on to the total of one that never stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from monopoly_training import cli
from monopoly_training.fuzz import resumable_run
from monopoly_training.fuzz import run as runs
from monopoly_training.fuzz.cases import PER_CASE, Case, Seen
from monopoly_training.fuzz.run import Tally

from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.why import Why

pytestmark = pytest.mark.promise("resume")

HALF = 40 * PER_CASE  # decisions


def played(case: Case) -> Seen:
    """What a case comes to here, in no time: numbers that follow from the case."""
    number = case.number
    sizes = {"actions": N_ACTIONS, "reasons": len(Why), "phases": len(Phase)}
    counts = {name: np.arange(size) * number for name, size in sizes.items()}
    return Seen(1, number % 7 + 1, case.decisions, counts)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Cases take no time."""
    monkeypatch.setattr(runs, "play_case", played)
    return monkeypatch


def found(folder: Path) -> dict[str, Any]:
    """What is kept of a run, without what may differ."""
    content: dict[str, Any] = json.loads((folder / resumable_run.FILE).read_text(encoding="utf-8"))
    for key in ("seconds", "starts", "digest", "began", "ended"):
        del content[key]
    return content


def command(*words: object) -> int:
    """The status of ``monopoly-env fuzz``."""
    return cli.main(["fuzz", *map(str, words)])


def undisturbed(folder: Path) -> dict[str, Any]:
    """A run of two halves, in one go."""
    assert command("--out", folder, "--decisions", 2 * HALF, "--seed", 9) == 0
    return found(folder)


@pytest.mark.parametrize("at", [0, 1, 24, 25, 61, 79])
def test_an_interrupted_run_goes_on_to_the_same_total(
    at: int, tmp_path: Path, quick: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = undisturbed(tmp_path / "whole")

    def stopped(case: Case) -> Seen:
        if case.number == at:
            raise KeyboardInterrupt
        return played(case)

    folder = tmp_path / "stopped"
    quick.setattr(runs, "play_case", stopped)
    assert command("--out", folder, "--decisions", 2 * HALF, "--seed", 9) == 130
    assert f"resume with: monopoly-env fuzz --resume {folder}" in capsys.readouterr().err
    assert found(folder)["cases"] == at
    quick.setattr(runs, "play_case", played)
    assert command("--resume", folder) == 0
    out = capsys.readouterr().out
    assert f"{2 * HALF:,} of {2 * HALF:,} decisions, cases 0 to 79 of seed 9" in out
    assert "in 2 starts" in out
    assert found(folder) == whole


def test_what_follows_a_case_still_played_waits_for_it() -> None:
    tally = Tally(5)
    for number in (6, 8, 7):
        tally.add(number, Seen(1, 1, number))
    assert tally.seen.cases == 0
    assert tally.everything().decisions == 21
    tally.add(5, Seen(1, 1, 5))
    assert (tally.seen.decisions, tally.next, tally.later) == (26, 9, {})


@pytest.mark.usefixtures("quick")
def test_a_larger_target_goes_on_after_what_was_done(tmp_path: Path) -> None:
    whole = undisturbed(tmp_path / "whole")
    assert command("--out", tmp_path / "a", "--decisions", HALF - 1, "--seed", 9) == 0
    assert found(tmp_path / "a")["decisions"] == HALF
    assert command("--resume", tmp_path / "a", "--decisions", 2 * HALF) == 0
    assert found(tmp_path / "a") == whole


@pytest.mark.usefixtures("quick")
def test_a_run_without_an_end_goes_on_by_the_clock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--out", tmp_path / "a", "--minutes", 1e-9) == 0
    assert command("--resume", tmp_path / "a", "--minutes", 1e-9) == 0
    assert found(tmp_path / "a")["cases"] == 2
    assert command("--resume", tmp_path / "a") == 2
    assert "add --minutes, or --decisions" in capsys.readouterr().err


def test_cases_of_several_processes_are_the_same(tmp_path: Path) -> None:
    for folder, jobs in (("one", 1), ("two", 2)):
        assert command("--out", tmp_path / folder, "--decisions", 60_000, "--jobs", jobs) == 0
    assert found(tmp_path / "one") == found(tmp_path / "two")


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_killed_run_goes_on_to_the_same_total(tmp_path: Path) -> None:
    """``kill -9`` as soon as something has been resumable_run."""
    code = (
        "import sys\nfrom monopoly_training import cli\nfrom monopoly_training.fuzz import resumable_run\n"
        "resumable_run.EVERY = 1\nimport monopoly_training.fuzz.run as runs\nruns.EVERY = 1\n"
        "sys.exit(cli.main(sys.argv[1:]))"
    )
    words = ("--decisions", "400000", "--seed", "4")
    assert command("--out", tmp_path / "whole", *words) == 0
    folder = tmp_path / "killed"
    arguments = [sys.executable, "-c", code, "fuzz", "--out", str(folder), *words]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None:
        path = folder / resumable_run.FILE
        if path.exists() and json.loads(path.read_text(encoding="utf-8"))["cases"] > 0:
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    assert 0 < found(folder)["cases"] < 20
    assert command("--resume", folder) == 0
    assert found(folder) == found(tmp_path / "whole")


def test_other_rules_are_refused(
    tmp_path: Path, quick: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--out", tmp_path / "a", "--decisions", HALF) == 0
    before = (tmp_path / "a" / resumable_run.FILE).read_bytes()
    quick.setattr(resumable_run, "rules_digest", lambda: "0123456789abcdef")
    assert command("--resume", tmp_path / "a", "--decisions", 2 * HALF) == 2
    err = capsys.readouterr().err
    assert f"progress.json: has {HALF:,} decisions of other rules" in err
    assert "0123456789abcdef" in err
    assert (tmp_path / "a" / resumable_run.FILE).read_bytes() == before


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--out", "a"), "a/progress.json: belongs to another run; continue it with `--resume a`"),
        (("--resume", "b"), "b: holds no progress.json; start a run there with `--out b`"),
        (("--resume", "a", "--seed", 1), "--resume: keeps the run's seed"),
        (("--resume", "a", "--out", "a"), "--resume: keeps the run's seed"),
        (("--resume", "a", "--decisions", 1), "--decisions: are those of the whole run"),
        (("--resume", "a", "--minutes", 0), "minutes: must be more than 0"),
        (("--page", "docs"), "--page: needs a resumable run"),
    ],
)
def test_what_cannot_be_is_one_line(
    words: tuple[object, ...],
    what: str,
    tmp_path: Path,
    quick: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    quick.chdir(tmp_path)
    assert command("--out", "a", "--decisions", HALF) == 0
    before = (tmp_path / "a" / resumable_run.FILE).read_bytes()
    capsys.readouterr()
    assert command(*words) == 2
    err = capsys.readouterr().err
    assert what in err
    assert err.count("\n") == 1
    assert (tmp_path / "a" / resumable_run.FILE).read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


@pytest.mark.promise("checksums")
@pytest.mark.usefixtures("quick")
def test_a_damaged_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--out", tmp_path, "--decisions", HALF) == 0
    path = tmp_path / resumable_run.FILE
    text = path.read_text(encoding="utf-8")
    cases = f'"cases": {HALF // PER_CASE}'
    assert cases in text
    for damaged in (text.replace(cases, '"cases": 41'), text[:50], "", "[]", "{}"):
        path.write_text(damaged, encoding="utf-8")
        assert command("--resume", tmp_path) == 2
        err = capsys.readouterr().err
        assert err.startswith(f"error: {path}: ")
        assert err.count("\n") == 1


@pytest.mark.usefixtures("quick")
def test_a_page_tells_of_each_run_once(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    assert command("--out", tmp_path / "a", "--decisions", HALF, "--page", docs) == 0
    assert command("--resume", tmp_path / "a", "--decisions", 2 * HALF, "--page", docs) == 0
    assert command("--out", tmp_path / "b", "--decisions", HALF, "--seed", 2, "--page", docs) == 0
    entries = resumable_run.read_runs(docs / resumable_run.RUNS_FILE)
    assert [(one["seed"], one["decisions"]) for one in entries] == [(1, 2 * HALF), (2, HALF)]
