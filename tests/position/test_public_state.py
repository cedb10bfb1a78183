"""What all players see, as people describe it."""

from __future__ import annotations

from typing import Any

import pytest

from monopoly_env import Game
from monopoly_env.engine.status import Status
from monopoly_env.errors import PositionError
from monopoly_env.position.public_state import UNSOUND, unsound_text
from tests.position.faults import fault_of


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"players": None}, "players: must be a whole number"),
        ({"D": {}}, "position: D: does not play: there are 3 players"),
        ({"A": {"cash": "5"}}, "A.cash: must be a whole number"),
        ({"A": {"deeds": ["nowhere"]}}, "A.deeds.nowhere: there is no such space"),
        ({"A": {"out": True}}, "turn: A is out of the game"),
        ({"B": {"out": True}, "C": {"out": True}}, "one player is left, so the game is over"),
        ({"A": {"at": "go_to_jail"}}, "rests on Go To Jail"),
        ({"A": {"cash": 2**31}}, "A.cash: must be from 0 to 2147483647"),
        ({"A": {"cash": 2_000_000_000}}, "come to $2,000,003,000; a game holds at most $2,000,000"),
        ({"engine": {"pot": 1_999_997_000}}, "all cash and the pot come to $2,000,000,005"),
        ({"rounds": 10**9 + 1}, "rounds: must be from 0 to 1000000000"),
    ],
)
def test_players_that_do_not_fit(change: dict[str, Any], says: str) -> None:
    assert says in fault_of(change)


def test_a_player_that_jail_rules_do_not_let_in() -> None:
    short = {"mode": "short", "players": 2, "A": {"jail": 1}}
    with pytest.raises(PositionError, match=r"A\.jail: must be from 0 to 0, not 1"):
        Game.from_position(short)


def test_every_invariant_has_its_words() -> None:
    assert set(UNSOUND) == set(Status)
    assert unsound_text(Status.MONEY | Status.DICE).count("; ") == 1
