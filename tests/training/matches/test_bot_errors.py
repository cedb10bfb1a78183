"""The first error of each bot: shown once, kept in a file, whoever else plays."""

from __future__ import annotations

from pathlib import Path

import pytest
from monopoly_training.matches.bot_errors import (
    ErrorLog,
    faults_in_words,
    file_name,
    first_errors,
    traceback_of,
)

Capture = pytest.CaptureFixture[str]


def failed(text: str = "x") -> ValueError:
    """An error with a traceback."""
    try:
        raise ValueError(text)
    except ValueError as problem:
        return problem


def test_the_first_error_of_each_bot_is_shown_and_kept(tmp_path: Path, capsys: Capture) -> None:
    log = ErrorLog(tmp_path)
    assert not log.any
    for number in range(3):
        log.note("a", f"seed {number}", "crashed: ValueError: x", failed())
        log.note("b/c", f"seed {number}", "illegal: -1")
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 2
    assert shown[0].startswith("a: seed 0: crashed: ValueError: x; traceback: ")
    assert shown[1] == "b/c: seed 0: illegal: -1"
    first, second = log.files()
    assert "raise ValueError(text)" in first.read_text()
    assert second.read_text().startswith("b/c: seed 0: illegal: -1\n")
    assert first_errors(tmp_path) == [
        "a: seed 0: crashed: ValueError: x",
        "b/c: seed 0: illegal: -1",
    ]
    assert log.any


def test_several_processes_show_it_once(tmp_path: Path, capsys: Capture) -> None:
    logs = [ErrorLog(tmp_path), ErrorLog(tmp_path)]
    for number, log in enumerate(logs):
        log.note("a", f"process {number}", "crashed")
    assert capsys.readouterr().err == "a: process 0: crashed\n"
    assert logs[1].any


@pytest.mark.promise("resume")
def test_a_new_run_forgets_and_a_resumed_one_remembers(tmp_path: Path, capsys: Capture) -> None:
    ErrorLog(tmp_path).note("a", "seed 0", "crashed")
    capsys.readouterr()
    ErrorLog(tmp_path).begin(resumed=True)
    assert capsys.readouterr().err == "before: a: seed 0: crashed\n"
    ErrorLog(tmp_path).begin(resumed=False)
    assert ErrorLog(tmp_path).files() == []


def test_without_a_folder_the_traceback_is_shown(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "file").write_text("")
    for log in (ErrorLog(), ErrorLog(tmp_path / "file")):  # none, and one that cannot be made
        log.note("a", "seed 0", "crashed: ValueError: x", failed())
        said = capsys.readouterr().err
        assert said.startswith("a: seed 0: crashed: ValueError: x\nTraceback")
        assert log.any
    silent = ErrorLog(shows=False)
    silent.note("a", "seed 0", "crashed")
    assert capsys.readouterr().err == ""


def test_texts(tmp_path: Path) -> None:
    assert faults_in_words((0, 0, 0)) == ""
    assert faults_in_words((1200, 0, 3)) == "1,200 illegal, 3 crashed"
    assert file_name("a/b") != file_name("a_b")
    assert file_name("\udc80" * 500).isascii()
    assert traceback_of(None) == ""
    log = ErrorLog(tmp_path)
    log.note("\udc80\n", "x" * 10_000, "é" * 10_000, failed("\udc80"))
    assert len(first_errors(tmp_path)[0]) <= 2000
