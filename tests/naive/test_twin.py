"""The engine equals the slow twin, decision by decision; `compare` plays many more games."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from monopoly_env.engine.dice import mix
from monopoly_env.engine.journal import Event
from monopoly_env.engine.phases import Phase

from . import table
from .compare import EVENT_FIELDS, Difference, Plan, compare_game, compare_setting, main
from .settings import DRIVERS, Setting, mixture, named_settings
from .twin import Twin

pytestmark = pytest.mark.promise("rules")

DECISIONS = 1000  # of each game, at most: enough to come to auctions, deals, debts, the end
MIXTURES = 40
PHASES = {phase.name for phase in Phase} - {"OVER"}


@pytest.mark.parametrize(("number", "setting"), list(enumerate(named_settings())), ids=str)
def test_every_edition_mode_and_switch(number: int, setting: Setting) -> None:
    compare_setting(setting, Plan(games=1, first=number, decisions=DECISIONS))


@pytest.mark.parametrize("players", range(2, 9))
def test_whole_classic_games(players: int) -> None:
    rules = Setting().load()
    game = compare_game(rules, players, 100 + players, DRIVERS["late"], 5000)
    assert game.decisions


def test_rules_drawn_at_random_meet_every_decision() -> None:
    seen: Counter[str] = Counter()
    for number in range(MIXTURES):
        setting = mixture(number + 1)
        plan = Plan(games=1, first=number, decisions=DECISIONS, groups=number % 2 == 1)
        seen += compare_setting(setting, plan)
    assert {entry.split()[0] for entry in seen} == PHASES


@pytest.mark.parametrize("max_turns", [1, 2, 7, 40])
def test_truncated_games(max_turns: int) -> None:
    rules = Setting("classic", "standard", {"max_turns": max_turns}).load()
    for players in (2, 5, 8):
        game = compare_game(rules, players, max_turns, DRIVERS["any"])
        assert game.turns == max_turns
        assert not game.finished


def test_a_difference_is_reported() -> None:
    rules = Setting().load()
    twin_rules = Setting("classic", "standard", {"salary": 199}).load()
    with pytest.raises(Difference, match="differences:\n    bank: engine"):
        compare_game(rules, 2, 1, DRIVERS["late"], twin_rules=twin_rules)


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "3", "--players", "3-4", "--decisions", "60", "--seen"]) == 0
    assert "3 games equal" in capsys.readouterr().out


def test_every_event_is_compared() -> None:
    assert list(EVENT_FIELDS) == [event.name for event in Event]


def test_the_twin_has_the_projects_generator() -> None:
    for state in (0, 1, 2**63 + 12345):
        with np.errstate(over="ignore"):
            assert table.mix(state) == int(mix(np.uint64(state)))


def test_the_twin_refuses_what_is_not_legal() -> None:
    twin = Twin(Setting().load(), 2, 0)
    with pytest.raises(ValueError, match="not legal"):
        twin.play("buy")
