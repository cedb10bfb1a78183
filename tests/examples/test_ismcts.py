"""The ISMCTS bot: legal, the same for a seed, and blind to what is hidden."""

from __future__ import annotations

from pathlib import Path

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.bots import GameLoop, View

NAME = f"python:{Path(__file__).parents[2]}/examples/ismcts_bot.py:ISMCTS"


def bot(iterations, seed=1):
    made = make_agent(NAME)
    made.iterations = iterations
    made.reset(seed)
    return made


def test_it_plays_whole_games_by_legal_actions() -> None:
    game = Game(players=3, seed=4, rules={"deals": "menu", "max_turns": 30})
    GameLoop(game, [bot(10), make_agent("veteran"), make_agent("random")]).play()
    assert game.over


def test_the_same_seed_decides_the_same_whatever_is_hidden() -> None:
    position = {
        "players": 3, "turn": "A",
        "A": {"at": "go", "cash": 900, "deeds": ["oriental", "vermont", "connecticut"]},
    }  # fmt: skip
    game = Game.from_position(position, seed=3)
    other = game.copy()
    other.redraw(8)
    assert bot(60).decide(View.of(game)) == bot(60).decide(View.of(other))


def test_it_completes_a_group_that_decides_the_game() -> None:
    position = {
        "players": 2, "A": {"at": "short_line", "cash": 1200, "deeds": ["park_place"]},
        "B": {"cash": 300}, "hidden": {"dice": [[1, 3]]},
    }  # fmt: skip
    game = Game.from_position(position, seed=3)
    game.play("roll")
    assert game.legal_actions()[0] in ("buy", "auction")
    assert game.text(bot(200).decide(View.of(game))) == "buy"
