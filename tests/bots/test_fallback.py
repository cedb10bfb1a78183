"""What is played for a player who gives no usable answer."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.bots.fallback import ORDER, safe_action
from monopoly_env.engine.actions import KINDS
from tests.agents.positions import bidding, buying, offered, owing, seated, turn_over


@pytest.mark.parametrize(
    ("position", "action"),
    [
        (turn_over({"deeds": ["reading"]}), "end_turn"),
        (buying("boardwalk", 1000), "auction"),
        (bidding("boardwalk", 1000, 50), "pass"),
        (offered({}, {"deeds": ["reading"]}, deal_give=["reading"], deal_ask_cash=50), "reject"),
        (owing(50, deeds=["reading", "boardwalk"]), "mortgage:reading"),
        (owing(5000, deeds=["reading*"]), "bankrupt"),
        ({}, "roll"),
        ({"A": {"jail": 0}}, "roll"),
    ],
    ids=str,
)
def test_what_is_played_for_a_silent_player(position: dict[str, object], action: str) -> None:
    game = seated(position)
    assert game.text(safe_action(game.legal_mask())) == action


def test_only_known_actions_are_safe() -> None:
    assert set(ORDER) <= set(KINDS)


def test_silent_players_finish_their_games() -> None:
    game = Game(players=3, seed=1, journal=False)
    while not game.over:
        game.play(safe_action(game.legal_mask()))
    assert game.winners
