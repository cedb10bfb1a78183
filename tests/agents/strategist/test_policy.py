"""strategist: building, Jail, and whole games, which it wins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from monopoly_env import Game, load_edition
from monopoly_env.agent import find_agent, make_agent
from monopoly_env.bots.whole_games import play_games
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.engine.state import new_games
from monopoly_env.view import View
from tests.agents.positions import between, choose, turn_over
from tests.engine.fuzz import SETTINGS

STUCK = 80_000  # decisions; a game of eight that reaches its limit of turns takes half of that
ORANGE = ["st_james", "tennessee", "new_york"]
LIGHT_BLUE = ["oriental", "vermont", "connecticut"]


def share_of_wins(names: list[str], seeds: int, rules: dict[str, Any] | None = None) -> float:
    """How often the first of the bots wins, from every seat."""
    loaded = load_edition("classic", "standard", rules or {}).rules
    players, won = len(names), 0.0
    policies = [find_agent(name)[0].policy for name in names]
    for turned in range(players):
        seated_ = [policies[(seat + turned) % players] for seat in range(players)]
        loop = new_loop(seated_, skip_forced=True)
        ranks, facts = np.zeros((seeds, PLAYERS), np.int8), np.zeros((seeds, 4), np.int64)
        play_games(
            new_games(1),
            loaded,
            new_journals(1, on=False),
            new_views(1),
            loop,
            players,
            np.arange(seeds),
            ranks,
            facts,
        )
        assert loop["illegal"][0] == 0
        first = ranks[:, :players] == 1
        won += float((first / first.sum(1, keepdims=True))[:, (players - turned) % players].sum())
    return won / (players * seeds)


def test_builds_evenly_to_three_houses_before_a_fourth() -> None:
    levels = dict.fromkeys(ORANGE, 3)
    mine = {"cash": 900, "deeds": [*ORANGE, *LIGHT_BLUE], "buildings": levels}
    action = choose("strategist", turn_over(mine, B={"cash": 0}))
    assert action.partition(":")[0] == "build"
    assert action.partition(":")[2] in LIGHT_BLUE


def test_does_not_build_before_its_own_throw() -> None:
    assert choose("strategist", {"A": {"cash": 900, "deeds": ORANGE}, "B": {"cash": 0}}) == "roll"


def test_mortgages_idle_deeds_to_build() -> None:
    mine = {"cash": 60, "deeds": [*ORANGE, "electric", "reading"]}
    assert choose("strategist", turn_over(mine, B={"cash": 0})).startswith("mortgage:")


def test_keeps_houses_short_while_another_player_waits_for_them() -> None:
    levels = dict.fromkeys(ORANGE, 4)
    mine = {"cash": 1500, "deeds": ORANGE, "buildings": levels}
    waiting = {"cash": 0, "deeds": LIGHT_BLUE}
    few = {"rules": {"houses": 14}}
    assert not choose("strategist", turn_over(mine, B=waiting) | few).startswith("build:")
    assert choose("strategist", turn_over(mine, B=waiting)).startswith("build:")
    assert choose("strategist", turn_over(mine, B={"cash": 0}) | few).startswith("build:")


def test_builds_between_turns_with_cash_that_it_can_spare() -> None:
    given = between({"cash": 700, "deeds": ORANGE}, A={"cash": 0}, C={"cash": 0})
    assert choose("strategist", given).startswith("build:")


def test_stays_in_jail_when_moving_is_dear_and_leaves_while_deeds_are_free() -> None:
    houses = {"deeds": ORANGE, "buildings": dict.fromkeys(ORANGE, 4)}
    inmate = {"cash": 1000, "jail": 1}
    assert choose("strategist", {"A": inmate, "B": {"cash": 0, **houses}}) == "roll"
    assert choose("strategist", {"A": inmate, "B": {"cash": 0}}) == "jail_pay"


@pytest.mark.parametrize(
    "others",
    [["fixed_a", "fixed_b", "fixed_c"], ["background"] * 3, ["fixed_b"], ["background"]],
    ids=str,
)
def test_wins_far_more_than_its_part(others: list[str]) -> None:
    names = ["strategist", *others]
    assert share_of_wins(names, 120 // len(names)) > 1 / len(names) + 0.2


@pytest.mark.parametrize(
    "rules", [{"deals": "menu"}, {"windows": "own"}, {"deals": "off"}], ids=str
)
def test_wins_with_other_forms_of_deals_and_windows(rules: dict[str, Any]) -> None:
    names = ["strategist", "fixed_a", "fixed_b", "fixed_c"]
    assert share_of_wins(names, 30, rules) > (0.3 if rules == {"deals": "off"} else 0.4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("edition", "mode", "rules"), SETTINGS, ids=lambda part: str(part).replace(" ", "")
)
def test_never_illegal_and_never_stuck(edition: str, mode: str, rules: dict[str, object]) -> None:
    loaded = load_edition(edition, mode, rules)
    for players in range(2, loaded.max_players + 1):
        lineup = [find_agent("strategist")[0].policy] * PLAYERS
        lineup[1] = find_agent("random" if players % 2 else "fixed_a")[0].policy
        facts, loop = np.zeros((2, 4), np.int64), new_loop(lineup)
        play_games(
            new_games(1),
            loaded.rules,
            new_journals(1, on=False),
            new_views(1),
            loop,
            players,
            np.array([1, 2]),
            np.zeros((2, PLAYERS), np.int8),
            facts,
        )
        assert loop["illegal"][0] == 0
        assert facts[:, 0].max() < STUCK


@pytest.mark.promise("isolation")
def test_no_decision_changes_with_what_is_hidden() -> None:
    game = Game("classic", 3, 3, rules={"max_decisions": 1000}, journal=False)
    seeing, blind = make_agent("strategist"), make_agent("strategist")
    seeing.reset(5)
    blind.reset(5)
    while not game.over:
        other = game.copy()
        other.redraw(7)
        action = seeing.decide(View.of(game))
        assert blind.decide(View.of(other)) == action
        game.play(action)
