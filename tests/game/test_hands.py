"""What players have, and where they stand."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.engine.phases import Phase
from monopoly_env.hands import Hand


def test_hands() -> None:
    position = {
        "players": 3,
        "A": {
            "cash": 12,
            "deeds": ["mediterranean", "baltic", "reading*"],
            "buildings": {"baltic": 1},
            "cards": ["card_chest"],
            "jail": 1,
        },
        "C": {"out": True},
    }
    game = Game.from_position(position, seed=1)
    assert game.hand("A") == Hand(
        player="A", cash=12, at="jail", deeds=("mediterranean", "baltic", "reading"),
        mortgaged=("reading",), buildings={"baltic": 1}, cards=("card_chest",), in_jail=True,
        jail_tries=1, out=False, worth=12 + 60 + 60 + 100 + 50,
    )  # fmt: skip
    assert [hand.player for hand in game.hands()] == ["A", "B", "C"]
    assert game.hands()[2].out
    assert game.cash == (12, 1500, 0)
    assert (game.owner("baltic"), game.owner("boardwalk")) == ("A", None)
    assert (game.turn, game.players, game.phase) == ("A", 3, Phase.TURN)
    with pytest.raises(ValueError, match="no player 'D'"):
        game.hand("D")
    with pytest.raises(IndexError):
        game.hand(3)
    with pytest.raises(KeyError):
        game.owner("nowhere")


def test_standings_share_places() -> None:
    position = {"players": 3, "A": {"cash": 100}, "B": {"deeds": ["reading"]}, "C": {"cash": 1700}}
    rows = Game.from_position(position, seed=1).standings()
    assert [(row.player, row.rank, row.worth) for row in rows] == [
        ("B", 1, 1700), ("C", 1, 1700), ("A", 3, 100),
    ]  # fmt: skip
