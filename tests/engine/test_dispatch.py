"""One table of actions behind the mask, the reasons and the moves: they say the same."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Why
from monopoly_env.engine.actions import ACTIONS, N_ACTIONS, TEXTS
from monopoly_env.engine.phases import Phase
from tests.engine.positions import play, position
from tests.engine.test_phases import REACHED

DECIDED = [phase for phase in REACHED if phase is not Phase.OVER]


@pytest.mark.parametrize("phase", DECIDED, ids=lambda phase: phase.name)
def test_the_mask_holds_the_actions_without_a_reason_against_them(phase: Phase) -> None:
    given, lines, _ = REACHED[phase]
    game = play(position(**given), *lines)
    mask = game.legal_mask()
    for action in range(N_ACTIONS):
        assert bool(mask[action]) is (game.why(action) is Why.OK), TEXTS[action]


@pytest.mark.parametrize("phase", DECIDED, ids=lambda phase: phase.name)
def test_only_actions_of_the_phase_are_legal(phase: Phase) -> None:
    given, lines, _ = REACHED[phase]
    game = play(position(**given), *lines)
    known = {action.name for action in ACTIONS if phase in action.phases}
    assert {text.partition(":")[0] for text in game.legal_actions()} <= known


@pytest.mark.parametrize("phase", DECIDED, ids=lambda phase: phase.name)
def test_every_legal_action_leads_to_a_sound_position(phase: Phase) -> None:
    given, lines, _ = REACHED[phase]
    game = play(position(**given), *lines)
    for action in game.legal_ids():
        after = game.copy()
        after.state["forced_only"] = 0
        after.play(action)
        assert not after.status(), TEXTS[action]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, False),
        ({"A": {"deeds": ["water"]}}, True),  # to mortgage
        ({"A": {"deeds": ["water*"]}, "rules": {"deals": "off"}}, True),  # to lift
        ({"A": {"deeds": ["water*"], "cash": 82}, "rules": {"deals": "off"}}, False),
        ({"B": {"deeds": ["water"]}}, True),  # to ask B for it
        ({"B": {"deeds": ["water"]}, "rules": {"deals": "off"}}, False),
        ({"B": {"deeds": ["water"]}, "rules": {"deals": "menu"}}, True),
    ],
)
def test_a_window_is_open_when_more_than_passing_it_is_legal(
    given: dict[str, Any], asked: bool
) -> None:
    game = play(position(**given, dice=[(4, 6)]), "A roll")
    assert (game.phase is Phase.END) is asked


def test_seats_are_told_from_the_actors_left() -> None:
    """The same number is another player for another actor."""
    game = position(3, B={"deeds": ["water"]}, turn="B")
    assert game.legal_actions()[-2:] == ["deal:C", "deal:A"]
    assert [TEXTS[action] for action in game.legal_ids()[-2:]] == ["deal:left1", "deal:left2"]
