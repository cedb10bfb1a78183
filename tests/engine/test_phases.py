"""Each decision, and who takes it."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env.engine.actions import ACTIONS
from monopoly_env.engine.phases import Phase, Task
from tests.engine.positions import LIGHT_BLUES, ORANGES, play, position

POWERS: dict[str, Any] = {"edition": "pokemon1999", "rules": {"power_doubles": True}}
SCARCE: dict[str, Any] = {
    "A": {"deeds": ORANGES}, "B": {"deeds": LIGHT_BLUES}, "bank": {"houses": 1, "hotels": 12}
}  # fmt: skip

# phase: position, what is played, who decides then
REACHED: dict[Phase, tuple[dict[str, Any], list[str], str | None]] = {
    Phase.TURN: ({}, [], "A"),
    Phase.BUY: ({"dice": [(1, 2)]}, ["A roll"], "A"),
    Phase.AUCTION: ({"dice": [(1, 2)]}, ["A roll", "A auction"], "B"),
    Phase.RENT: (
        {"B": {"deeds": ["baltic"]}, "dice": [(1, 2)], "rules": {"rent_asked": True}},
        ["A roll"], "B",
    ),
    Phase.TAX: ({"edition": "pokemon1999", "dice": [(1, 3)]}, ["A roll"], "A"),
    Phase.POWER: ({**POWERS, "A": {"at": "jail"}, "dice": [(5, 5)]}, ["A roll"], "A"),
    Phase.TELEPORT: (
        {**POWERS, "A": {"at": "chest_1"}, "dice": [(1, 1)]}, ["A roll", "A tax_flat", "A power"],
        "A",
    ),
    Phase.ATTACK: (
        {**POWERS, "A": {"at": "vermont"}, "B": {"deeds": ["baltic"]}, "dice": [(6, 6)]},
        ["A roll", "A power"], "A",
    ),
    Phase.DEBT: ({"A": {"cash": 199}, "dice": [(1, 3)]}, ["A roll"], "A"),
    Phase.DEED: (
        {"A": {"deeds": ["water*"]}},
        ["A deal:B", "A give:water", "A ask_cash:50", "A offer", "B accept"], "B",
    ),
    Phase.CLAIM: (SCARCE, ["A build:new_york"], "B"),
    Phase.PLACE: (SCARCE, ["A build:new_york", "B claim", "A open", "B pass"], "A"),
    Phase.DEAL: ({"A": {"deeds": ["water"]}}, ["A deal:B"], "A"),
    Phase.ANSWER: (
        {"A": {"deeds": ["water"]}}, ["A deal:B", "A give:water", "A ask_cash:50", "A offer"], "B",
    ),
    Phase.END: ({"A": {"deeds": ["water"]}, "dice": [(4, 6)]}, ["A roll"], "A"),
    Phase.BETWEEN: (
        {"players": 3, "C": {"deeds": ["water"]}, "dice": [(4, 6)]}, ["A roll", "A end_turn"], "C",
    ),
    Phase.OVER: ({"A": {"cash": 0}, "dice": [(1, 3)]}, ["A roll", "A bankrupt"], None),
}  # fmt: skip


@pytest.mark.parametrize("phase", REACHED, ids=lambda phase: phase.name)
def test_who_decides(phase: Phase) -> None:
    given, lines, actor = REACHED[phase]
    game = play(position(**given), *lines)
    assert game.phase is phase
    assert game.actor == actor


def test_no_phase_is_left_out() -> None:
    assert set(REACHED) == set(Phase)


def test_something_can_be_done_in_every_phase_but_the_last() -> None:
    assert {phase for action in ACTIONS for phase in action.phases} == set(Phase) - {Phase.OVER}


def test_the_frames_of_a_turn_are_the_first_tasks() -> None:
    """The agenda tells them apart by their number."""
    assert [task.name for task in Task if task <= Task.BETWEEN] == [
        "TURN", "THROWN", "END", "BETWEEN"
    ]  # fmt: skip
