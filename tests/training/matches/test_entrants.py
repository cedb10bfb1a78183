"""Bots by name, ready to be given a seat."""

from __future__ import annotations

import pytest
from monopoly_training.matches.entrants import entrant, entrants
from monopoly_training.matches.runner import Players, loop_kind

from monopoly_env.errors import AgentError


def test_a_bot_named_twice_is_loaded_once() -> None:
    one, _, other = entrants(["random", "fixed_a", "random"])
    assert one is other


def test_people_take_part_in_no_tournament() -> None:
    with pytest.raises(AgentError, match="people play at the terminal"):
        entrant("human")


def test_the_slowest_bot_decides_how_games_are_played() -> None:
    assert loop_kind(entrants(["random", "fixed_a"])) == "compiled"
    assert loop_kind(entrants(["random", "search:4"])) == "sequential"


def test_each_bot_is_made_once_and_closed_at_the_end() -> None:
    players = Players(entrants(["random", "search:4"]))
    first = players.agents((0, 1))
    assert players.agents((1, 0)) == first[::-1]
    players.close()
    assert players.agents((0, 1)) != first
