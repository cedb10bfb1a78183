"""What holds for every scripted bot: legal, never stuck, blind to what is hidden."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env import Game, load_edition
from monopoly_env.agent import find_agent, make_agent
from monopoly_env.bots.whole_games import play_games
from monopoly_env.editions import Edition
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.engine.state import new_games
from monopoly_env.view import View
from tests.engine.fuzz import SETTINGS

SCRIPTED = ("fixed_a", "fixed_b", "fixed_c", "background")
BOTS = ("random", *SCRIPTED)
STUCK = 30_000  # decisions; games of scripted bots take a few thousand


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


@pytest.mark.parametrize(
    ("edition", "mode", "rules"), SETTINGS, ids=lambda part: str(part).replace(" ", "")
)
def test_never_illegal_and_never_stuck(edition: str, mode: str, rules: dict[str, object]) -> None:
    loaded = load_edition(edition, mode, rules)
    for players in range(2, loaded.max_players + 1):
        names = [SCRIPTED[(seat + players) % len(SCRIPTED)] for seat in range(players)]
        _, facts, illegal = play(loaded, names, [1, 2, 3, 4])
        assert illegal == 0
        assert facts[:, 0].max() < STUCK
        names[players // 2] = "random"
        assert play(loaded, names, [5])[2] == 0


@pytest.mark.promise("isolation")
@pytest.mark.parametrize("name", BOTS)
def test_no_decision_changes_with_what_is_hidden(name: str) -> None:
    rules = {"max_decisions": 2000, "houses": 6}
    game = Game("classic", 4, 3, rules=rules, journal=False)
    seeing, blind = make_agent(name), make_agent(name)
    seeing.reset(5)
    blind.reset(5)
    decisions = 0
    while not game.over:
        other = game.copy()
        other.redraw(decisions)
        action = seeing.decide(View.of(game))
        assert blind.decide(View.of(other)) == action
        game.play(action)
        decisions += 1
    assert decisions > 300
