"""Rule cases played: what is passed over, and the line that goes wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from monopoly_training.cli import main

from monopoly_env.cases import run_paths
from tests.cases.example import EXAMPLE, changed, outcome_of, written


def test_the_example_passes(tmp_path: Path) -> None:
    assert outcome_of(tmp_path, EXAMPLE).problem == ""


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("do.4.expect.actor", "B", "do 5, expect: actor: should be B, is A"),
        ("dice", [], "do 1 (A roll): a throw is made, and the case has no dice left"),
        ("do.0", "B roll", "do 1 (B roll): is not possible: A decides, TURN; legal: roll, deal:B"),
        (
            "do.5",
            "A raise:500",
            "A raise:500): is not possible (in AUCTION: not enough cash): B decides",
        ),
    ],
)
def test_a_failure_names_the_line(tmp_path: Path, path: str, value: Any, says: str) -> None:
    outcome = outcome_of(tmp_path, changed(path, value))
    assert says in outcome.problem
    assert not outcome.misfit


def test_windows_are_passed_over(tmp_path: Path) -> None:
    case = changed("do", ["A roll", "A buy", "B roll", "B end_turn", "C roll"])
    case["dice"] = [[2, 4], [2, 3], [1, 2]]
    case["expect"] = {"turn": "C", "C": {"jail": 2}}
    assert outcome_of(tmp_path, case).problem == ""


def test_a_dealt_start(tmp_path: Path) -> None:
    case: dict[str, Any] = {
        "id": "dealt",
        "mode": "short",
        "given": {
            "players": 2,
            "start": True,
            "deal": {"A": ["baltic", "reading", "water"], "B": ["bno", "states", "virginia"]},
        },
        "dice": [[1, 2], [6, 5]],
        "expect": {"actor": "B", "A": {"cash": 1500, "deeds": ["baltic", "reading", "water"]}},
    }
    assert outcome_of(tmp_path, case).problem == ""
    case["given"]["deal"]["A"] = ["baltic"]
    assert "given.deal.A: this mode deals 3 deeds" in outcome_of(tmp_path, case).problem
    case["given"]["deal"]["A"] = ["baltic", "reading", "bno"]
    assert "bno is dealt twice" in outcome_of(tmp_path, case).problem
    case["given"]["deal"] = {"C": []}
    assert "given.deal.C" in str(next(iter(run_paths([written(tmp_path, case)]))))


def test_too_few_opening_throws(tmp_path: Path) -> None:
    case = {"id": "x", "given": {"players": 2, "start": True}, "dice": [[1, 2]], "do": ["A roll"]}
    assert "opening throws need more dice" in outcome_of(tmp_path, case).problem


def test_the_command_counts_and_exits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path, EXAMPLE)
    assert main(["cases", str(good)]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"

    bad = written(tmp_path, EXAMPLE, changed("expect.A.cash", 1) | {"id": "wrong"})
    assert main(["cases", str(bad), "--editions", "kanto2014"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{bad}: wrong [kanto2014]: expect: A.cash: should be 1, is 460"
    assert lines[1] == "1 passed, 1 failed"

    assert main(["cases", str(tmp_path / "nosuch")]) == 2
    assert main(["cases", str(good), "--editions", "clasic"]) == 2
    captured = capsys.readouterr()
    assert "there is no such file or folder" in captured.err
    assert "did you mean 'classic'" in captured.err
