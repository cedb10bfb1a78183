"""The RULES record: what an edition may say, and how its single values are shown."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env.compiler.records import fields
from monopoly_env.editions import load_edition
from monopoly_env.engine import rules
from monopoly_env.engine.rules import SWITCHES, Rule, RuleSet
from tests.engine.positions import EDITIONS


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_value_of_an_edition_lies_within_its_bounds(edition: str) -> None:
    record = load_edition(edition).rules[0]
    for name, rule in fields(RuleSet).items():
        if isinstance(rule, Rule):
            values = np.atleast_1d(record[name])
            assert rule.low <= values.min(), name
            assert values.max() <= rule.high, name


def test_a_switch_is_shown_from_nought_to_one() -> None:
    assert [rules.scaled("rent_asked", value) for value in (0, 1)] == [0, 1]
    assert rules.scaled("jail_tries", 3) == 0.3  # a share of the ten it may be
    assert rules.scaled("lift_percent", 10) == 0.1


def test_large_numbers_are_shown_with_room_at_the_top() -> None:
    assert rules.scaled("salary", 0) == 0
    assert rules.scaled("start_cash", 1000) == 0.5
    assert rules.scaled("start_cash", 1_000_000) < 1


def test_the_switches_are_the_single_values_in_their_order() -> None:
    record = load_edition("classic", rules={"salary": 1000, "rent_asked": True}).rules[0]
    assert record["switches"][SWITCHES.index("salary")] == 0.5
    assert record["switches"][SWITCHES.index("rent_asked")] == 1
    assert not record["switches"][len(SWITCHES) :].any()
    assert "price" not in SWITCHES
    assert "switches" not in SWITCHES


def test_new_rules_are_blank() -> None:
    assert not rules.new_rules().tobytes().strip(b"\0")


def test_editions_differ_in_their_rules_and_nowhere_else() -> None:
    """What the engine is told of an edition is the record: its name is no part of it."""
    kanto, nintendo = (load_edition(edition).rules for edition in ("kanto2014", "nintendo2010"))
    assert kanto.tobytes() == nintendo.tobytes()  # one rule text, one board of prices
    assert kanto.tobytes() != load_edition("pokemon1999").rules.tobytes()
