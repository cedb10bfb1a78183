"""What actions cost and bring, found out on a copy of the game."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env.bots.explain import choices
from monopoly_env.bots.text_view import describe
from monopoly_env.view import View
from tests.agents.positions import bidding, buying, offered, seated, turn_over


def view_of(position: dict[str, Any]) -> View:
    return View.of(seated(position))


@pytest.mark.parametrize(
    ("position", "action", "effect"),
    [
        (buying("boardwalk", 1000), "buy", "pay $400"),
        (bidding("boardwalk", 1000, 50), "raise:10", "a bid of $60"),
        (bidding("boardwalk", 1000, 0), "raise:10", "a bid of $10"),
        (turn_over({"deeds": ["reading"]}), "mortgage:reading", "receive $100"),
        (turn_over({"deeds": ["reading*"]}), "lift:reading", "pay $110"),
        (turn_over({"deeds": ["park_place", "boardwalk"]}), "build:boardwalk", "pay $200"),
        (
            turn_over(
                {
                    "deeds": ["park_place", "boardwalk"],
                    "buildings": {"park_place": 1, "boardwalk": 1},
                }
            ),
            "sell:boardwalk",
            "receive $100",
        ),
        ({"A": {"jail": 0}}, "jail_pay", "pay $50"),
        ({}, "roll", ""),
        (
            offered({"cash": 500}, {"deeds": ["reading"]}, deal_give=["reading"], deal_ask_cash=50),
            "accept",
            "",
        ),
    ],
    ids=str,
)
def test_what_actions_cost_and_bring(position: dict[str, Any], action: str, effect: str) -> None:
    found = {choice.text: choice.effect for choice in choices(view_of(position))}
    assert found[action] == effect


def test_explaining_changes_nothing() -> None:
    view = view_of(turn_over({"deeds": ["park_place", "boardwalk"]}))
    before = view.games.tobytes()
    describe(view)
    assert view.games.tobytes() == before
