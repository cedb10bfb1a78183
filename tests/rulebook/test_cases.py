"""Every rule case holds in every edition it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from monopoly_env.cases import Case, load_cases, run_case

pytestmark = pytest.mark.promise("rules")

FOLDERS = [Path(__file__).parent / name for name in ("cases", "more")]


FILES = sorted(file for folder in FOLDERS for file in folder.glob("*.yaml"))


def cases_of(file: Path) -> list[Case]:
    return load_cases(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_rule_cases_hold(file: Path) -> None:
    outcomes = [run_case(case, name) for case in cases_of(file) for name in case.editions]
    assert outcomes
    assert [str(outcome) for outcome in outcomes if outcome.problem] == []


def test_every_rule_book_and_mode_has_cases() -> None:
    seen = {
        (name, case.mode) for file in FILES for case in cases_of(file) for name in case.editions
    }
    names = ("classic", "kanto2014", "pokemon1999", "pokemon_fr2000", "nintendo2010", "yugioh2016")
    assert {name for name, _ in seen} == set(names)
    assert {mode for _, mode in seen} == {"standard", "short", "time_limit"}
