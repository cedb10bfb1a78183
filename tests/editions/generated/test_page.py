"""docs/generated_editions.md: its programs run, its names are names, its outputs come."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from monopoly_env.editions.generated import numbers
from monopoly_env.editions.generated.spec import parse_spec
from monopoly_env.errors import EditionError

PAGE = (Path(__file__).parents[3] / "docs" / "generated_editions.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
NAME = re.compile(r"random:[a-z0-9][\w:.=-]*[\w]")


def test_programs_run_and_print_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    printed = ""
    for kind, text in BLOCKS:
        if kind == "python":
            exec(compile(text, "generated_editions.md", "exec"), names)
            printed = capsys.readouterr().out
        elif kind == "text":
            for line in text.splitlines():
                assert line in printed


def test_every_name_on_the_page_is_one() -> None:
    found = {name for name in NAME.findall(PAGE) if not name.endswith(("N", "N:names=classic"))}
    assert len(found) > 10
    for name in found:
        parse_spec(name, EditionError.at("page"))


def test_the_table_has_the_ranges_of_the_code() -> None:
    table = PAGE[PAGE.index("| drawn |") : PAGE.index("Amounts are rounded")]
    for most in (
        numbers.GROUP_RANGE,
        numbers.DEED_RANGE,
        numbers.STEEPNESS,
        numbers.BUILDING_RANGE,
        numbers.CASH_RANGE,
        numbers.RULE_RANGE,
        numbers.MONEY_RANGE,
    ):
        assert f"1/{most:g} to {most:g}" in table
    assert f"left out with probability {numbers.LEFT_OUT:g}" in table
