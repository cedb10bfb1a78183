"""A rule case that passes, and what changes it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from monopoly_training.cli import main

from monopoly_env.cases import Outcome, load_cases, run_case

EXAMPLE: dict[str, Any] = {
    "id": "decliner_bids",
    "editions": ["classic", "kanto2014"],
    "say": "the player who declined may bid",
    "given": {
        "players": 3,
        "turn": "A",
        "A": {"at": "go", "cash": 500},
        "B": {
            "deeds": ["mediterranean", "baltic", "reading*"],
            "buildings": {"baltic": 1},
            "cards": ["card_chest"],
        },
        "C": {"jail": 1},
        "bank": {"houses": 2, "hotels": 12},
        "doubles": 0,
        "rounds": 0,
    },
    "dice": [[2, 4], [6, 4]],
    "chance": ["ch_go"],
    "chest": ["cc_doctor"],
    "do": [
        "A roll",
        "A auction",
        "B raise:20",
        "C pass",
        {"expect": {"phase": "AUCTION", "actor": "A"}},
        "A raise:20",
        "B pass",
    ],
    "expect": {"A": {"cash": 460, "has": ["oriental"]}, "actor": "A"},
}


def written(tmp_path: Path, *cases: Any) -> Path:
    """A file of these cases."""
    file = tmp_path / "cases.yaml"
    file.write_text(yaml.safe_dump(list(cases)), encoding="utf-8")
    return file


def changed(path: str, value: Any) -> dict[str, Any]:
    """The auction case with one entry replaced, or taken away if ``value`` is None."""
    case: Any = copy.deepcopy(EXAMPLE)
    *parents, last = path.split(".")
    here = case
    for key in parents:
        here = here[int(key)] if isinstance(here, list) else here[key]
    if value is None:
        del here[last]
    else:
        here[int(last) if isinstance(here, list) else last] = value
    result: dict[str, Any] = case
    return result


def outcome_of(tmp_path: Path, case: dict[str, Any]) -> Outcome:
    """What comes of a case in the classic edition."""
    (loaded,) = load_cases(written(tmp_path, case))
    return run_case(loaded, "classic")


def misfit_of(tmp_path: Path, case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that the command prints about a case that does not fit."""
    file = written(tmp_path, case)
    assert main(["cases", str(file), "--editions", "classic"]) == 2
    captured = capsys.readouterr()
    (line,) = captured.err.splitlines()
    assert line.startswith(f"error: {file}: decliner_bids")
    assert captured.out.splitlines()[-1] == "0 passed, 0 failed"
    return line
