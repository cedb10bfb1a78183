"""search: what it tries out, that trying is fair and repeatable, and that it helps."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_agents.search.agent import SearchAgent, rollouts_of
from monopoly_agents.search.candidates import MOST
from monopoly_agents.search.rollouts import (
    Room,
    halve,
    narrow,
    new_room,
    own_choice,
    redraw,
    try_out,
    verdict,
)
from monopoly_agents.strategist.policy import strategist

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.engine.actions import IDS
from monopoly_env.engine.policy import policy_address
from monopoly_env.errors import AgentError
from monopoly_env.view import View
from tests.agents.positions import Given, asked, bidding, buying, decide, seated, turn_over

ORANGE = ["st_james", "tennessee", "new_york"]


def room_for(given: Given, tries: int = 64) -> tuple[Room, int]:
    """Room for a position in which the strategist has made its choice, and the candidates."""
    game = seated(given)
    view = View.of(game)
    room = new_room(view.edition.rules, policy_address(strategist), tries)
    room.games[0] = view.games[0]
    room.mine["mask"][0] = view.mask
    return room, own_choice(room)


def tried(given: Given) -> list[str]:
    """The candidates as text, the strategist's own choice first."""
    room, count = room_for(given)
    game = seated(given)
    return [game.text(int(action)) for action in room.actions[:count]]


# --- by name ---


def test_a_budget_is_part_of_the_name() -> None:
    assert make_agent("search").name == "search:100"  # type: ignore[attr-defined]
    assert make_agent("search:7").name == "search:7"  # type: ignore[attr-defined]
    assert make_agent("search:time=0.5").name == "search:time=0.5"  # type: ignore[attr-defined]


@pytest.mark.parametrize("rest", ["x", "1", "-5", "2000000", "time=0", "time=x", "time=nan", "n=7"])
def test_a_budget_that_makes_no_sense_is_one_line(rest: str) -> None:
    with pytest.raises(AgentError, match="rollouts a decision, or search:time=SECONDS") as caught:
        make_agent(f"search:{rest}")
    assert "\n" not in str(caught.value)


# --- candidates ---


def test_tries_what_matters() -> None:
    assert set(tried(buying("new_york", 900))) == {"buy", "auction"}
    offer = asked({"deeds": ["reading"]}, {"cash": 900}, deal_give_cash=260, deal_ask=["reading"])
    assert set(tried(offer)) == {"accept", "reject"}
    inmate = {"A": {"cash": 500, "jail": 1}, "B": {"deeds": ORANGE}}
    assert set(tried(inmate)) == {"roll", "jail_pay"}
    building = turn_over({"cash": 900, "deeds": [*ORANGE, "mediterranean", "baltic"]})
    found = tried(building | {"rules": {"deals": "off"}})
    assert found[0].startswith("build:")
    assert "end_turn" in found
    assert len(found) == len(set(found)) == 3


def test_tries_nothing_where_there_is_no_question() -> None:
    assert len(tried(bidding("new_york", 900, 40))) == 1
    assert len(tried({"A": {"cash": 500}})) == 1
    gift = asked({"cash": 500}, {"deeds": ORANGE[:1]}, deal_give=ORANGE[:1], deal_ask_cash=1)
    assert len(tried(gift)) == 1


# --- trying out ---


def test_the_same_action_meets_the_same_luck() -> None:
    room, _ = room_for(buying("new_york", 900))
    room.actions[1] = room.actions[0]
    try_out(room, 2, 0, 12, 5)
    assert np.array_equal(room.values[0, :12], room.values[1, :12])
    assert len(set(room.values[0, :12].tolist())) > 3
    assert np.all((room.values[0, :12] >= 0) & (room.values[0, :12] <= 1))


def test_trying_leaves_the_position_alone() -> None:
    room, count = room_for(buying("new_york", 900))
    before = room.games[:1].tobytes()
    halve(room, count, 40, 1)
    assert room.games[:1].tobytes() == before


def test_what_is_hidden_is_drawn_anew() -> None:
    game = Game("classic", 2, 3)
    first, second = game.copy(), game.copy()
    decks = []
    for number, twin in enumerate((first, second)):
        record = twin.state.reshape(1).copy()
        redraw(record[0], np.uint64(number))
        decks.append(record["deck"][0, 0].tolist())
        assert sorted(decks[-1]) == sorted(game.state["deck"][0].tolist())
    assert decks[0] != decks[1]


def test_the_own_choice_stands_unless_another_is_surely_better() -> None:
    room, _ = room_for(buying("new_york", 900))
    rng = np.random.default_rng(1)
    room.actions[:3] = IDS["buy"], IDS["auction"], IDS["pass"]
    room.values[0, :40] = 0.5
    room.values[1, :40] = 0.5 + rng.normal(0, 0.1, 40) - 0.05
    room.values[2, :40] = 0.5 + np.tile([0.3, -0.3], 20)
    assert verdict(room, 3, 40) == IDS["buy"]
    better = room.actions[:3].tolist().index(IDS["auction"])
    room.values[better, :40] += 0.2
    assert verdict(room, 3, 40) == IDS["auction"]


def test_the_best_stay_when_candidates_drop_out() -> None:
    room, _ = room_for(buying("new_york", 900))
    room.actions[:5] = np.arange(5)
    room.values[:5, :8] = np.array([[0.5], [0.1], [0.9], [0.2], [0.7]])
    narrow(room, 5, 3, 8)
    assert room.actions[:3].tolist() == [0, 2, 4]
    assert sorted(room.actions[:5].tolist()) == [0, 1, 2, 3, 4]
    assert room.values[:3, 0].tolist() == [0.5, 0.9, 0.7]
    assert room.values.shape[0] == MOST


# --- deciding ---


def test_the_same_seed_decides_alike() -> None:
    def game_of(seed: int) -> list[int]:
        game = Game("classic", 2, 4, rules={"max_turns": 24}, journal=False)
        bots = [SearchAgent(rollouts=6), make_agent("strategist")]
        for bot in bots:
            bot.reset(seed)
        while not game.over:
            game.play(bots[game.actor_seat].decide(View.of(game)))
        return [action for _, action in game.history]

    assert game_of(3) == game_of(3)


def test_no_decision_changes_with_what_is_hidden() -> None:
    game = Game("classic", 3, 3, rules={"max_turns": 16}, journal=False)
    seeing, blind = SearchAgent(rollouts=6), SearchAgent(rollouts=6)
    while not game.over:
        other = game.copy()
        other.redraw(7)
        action = seeing.decide(View.of(game))
        assert blind.decide(View.of(other)) == action
        game.play(action)


def test_a_time_budget_is_kept_to() -> None:
    bot = SearchAgent(seconds=0.05)
    assert decide(bot, seated(buying("new_york", 900))) in ("buy", "auction")


@pytest.mark.parametrize("edition", ["pokemon_fr2000", "yugioh2016"])
def test_plays_other_editions_and_tables(edition: str) -> None:
    game = Game(edition, 5, 2, rules={"max_turns": 30, "deals": "menu"}, journal=False)
    bot = SearchAgent(rollouts=4)
    while not game.over:
        game.play(bot.decide(View.of(game)))
    assert game.state["turns"] >= 30


def test_counts_its_rollouts() -> None:
    game = Game("classic", 4, 3)
    assert rollouts_of(game.state, game.edition.rules, 12) == 12


@pytest.mark.slow
def test_beats_the_strategist() -> None:
    won = 0
    for number in range(40):
        game = Game("classic", 2, number // 2, journal=False)
        bots = [SearchAgent(rollouts=40), make_agent("strategist")]
        for bot in bots:
            bot.reset(number)
        mine = number % 2
        while not game.over:
            game.play(bots[game.actor_seat ^ mine].decide(View.of(game)))
        won += game.standings()[0].player == "AB"[mine]
    assert won > 22
