"""random does everything there is to do, each kind of action alike."""

from __future__ import annotations

import numpy as np

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.engine.actions import KINDS, N_ACTIONS
from monopoly_env.view import View


def test_random_does_everything_there_is_to_do() -> None:
    done: set[str] = set()
    settings: dict[str, dict[str, object]] = {
        "pokemon_fr2000": {"power_doubles": True, "houses": 8, "deals": "menu"},
        "pokemon1999": {"rent_asked": True, "power_doubles": True, "houses": 4},
    }
    for number, (edition, rules) in enumerate(settings.items()):
        game = Game(edition, 4, number, rules=rules, journal=False)
        bot = make_agent("random")
        bot.reset(number)
        for _ in range(20_000):
            if game.over:
                break
            game.play(bot.decide(View.of(game)))
        done |= {game.text(action).partition(":")[0] for _, action in game.history}
    assert set(KINDS) - done <= {"claim"}  # two complete groups and few houses: rare


def test_random_takes_every_kind_alike() -> None:
    game = Game.from_position({"players": 2, "A": {"deeds": ["kentucky", "reading"]}}, seed=1)
    bot = make_agent("random")
    bot.reset(3)
    counts = np.zeros(N_ACTIONS, np.int64)
    view = View.of(game)
    for _ in range(3000):
        counts[bot.decide(view)] += 1
    taken = {game.text(action): int(counts[action]) for action in np.flatnonzero(counts).tolist()}
    assert set(taken) == {"roll", "mortgage:kentucky", "mortgage:reading", "deal:B"}
    assert abs(taken["roll"] - 1000) < 150
    assert abs(taken["mortgage:kentucky"] - 500) < 120
