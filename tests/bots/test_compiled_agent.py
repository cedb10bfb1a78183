"""A compiled policy that Python asks plays the game that the compiled loop plays."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from monopoly_env import Game, load_edition
from monopoly_env.agent import Agent, find_agent, make_agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.bots.whole_games import play_games
from monopoly_env.editions import Edition
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.engine.state import new_games
from monopoly_env.view import View


def play(edition: Edition, names: list[str], seeds: list[int]) -> tuple[object, np.ndarray, int]:
    """Whole compiled games: the last one's record, int64[n, 4] facts, illegal answers."""
    loop = new_loop([find_agent(name)[0].policy for name in names])
    games, ranks = new_games(1), np.zeros((len(seeds), PLAYERS), np.int8)
    facts = np.zeros((len(seeds), 4), np.int64)
    play_games(
        games,
        edition.rules,
        new_journals(1, on=False),
        new_views(1),
        loop,
        len(names),
        np.array(seeds, np.int64),
        ranks,
        facts,
    )
    return games, facts, int(loop["illegal"][0])


@pytest.mark.parametrize("rules", [{}, {"deals": "menu"}, {"windows": "own"}], ids=str)
def test_python_plays_the_game_that_the_compiled_loop_plays(rules: dict[str, object]) -> None:
    edition = load_edition("classic", "standard", {"max_decisions": 1500, **rules})
    names = ["background", "random", "fixed_b", "fixed_a", "fixed_c"]
    games, _, _ = play(edition, names, [11])
    game = Game(edition, len(names), 11, journal=False)
    bots = [make_agent(name) for name in names]
    for seat, bot in enumerate(bots):
        bot.reset(bot_seed(11, seat))
    while not game.over:
        game.play(bots[game.actor_seat].decide(View.of(game)))
    assert game == Game.from_record(games, edition)


@pytest.mark.promise("copies")
@pytest.mark.parametrize("name", ["background", "fixed_c", "strategist", "random"])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda bot: pickle.loads(pickle.dumps(bot))])
def test_a_copy_made_in_mid_game_decides_in_every_seat_as_the_original(
    name: str, copied: Callable[[Agent], Agent]
) -> None:
    game = Game(players=4, seed=5)
    bot = make_agent(name)
    twin = copied(bot)
    for number in range(600):
        if game.over:
            break
        if number % 50 == 0:
            twin = copied(bot)
        view = View.of(game)
        action = bot.decide(view)
        assert twin.decide(View.of(game)) == action
        game.play(action)
    assert number > 300
