"""Whole games inside one compiled call, by policies that are as plain as can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from monopoly_env.bots import whole_games
from monopoly_env.editions import load_edition
from monopoly_env.engine import entry_points, policy_loop
from monopoly_env.engine.actions import IDS, KINDS, N_ACTIONS, N_KINDS
from monopoly_env.engine.board import NOBODY, PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import ViewState, new_views, policy
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState, new_games
from tests.engine.positions import position

ALL_SEATS = (1 << PLAYERS) - 1


@policy
def first(_game: GameState, _rules: RuleSet, view: ViewState) -> int:
    """The first legal action."""
    for action in range(N_ACTIONS):
        if view.mask[action] != 0:
            return action
    return -1


@policy
def thief(game: GameState, _rules: RuleSet, view: ViewState) -> int:
    """The first legal action, after helping itself to a million."""
    game.cash[view.seat] = 1_000_000
    for action in range(N_ACTIONS):
        if view.mask[action] != 0:
            return action
    return -1


@policy
def silent(_game: GameState, _rules: RuleSet, _view: ViewState) -> int:
    """No action at all."""
    return -1


def play_games(one: Any, seeds: list[int], **rules: object) -> tuple[Any, ...]:
    """The last game, places, facts and illegal answers of three-player games by one policy."""
    games, ranks = new_games(1), np.zeros((len(seeds), PLAYERS), np.int8)
    facts, loop = np.zeros((len(seeds), 4), np.int64), policy_loop.new_loop([one])
    edition = load_edition("classic", rules={"max_turns": 60, **rules})
    whole_games.play_games(
        games, edition.rules, new_journals(1, on=False), new_views(1),
        loop, 3, np.array(seeds, np.int64), ranks, facts,
    )  # fmt: skip
    assert entry_points.status(games, 0, edition.rules) == 0
    assert loop["illegal"][0] == loop["faults"].sum()
    return games, ranks, facts, loop["faults"][0]


# --- legal actions by kind ---


def bits(**kinds: int) -> np.ndarray:
    made = np.zeros(N_KINDS, np.int64)
    for name, value in kinds.items():
        made[KINDS.index(name)] = value
    return made


def test_an_action_that_is_alone_is_found() -> None:
    assert policy_loop.only_action(bits(roll=1)) == IDS["roll"]
    assert policy_loop.only_action(bits(mortgage=1 << 27)) == IDS["mortgage:boardwalk"]
    assert policy_loop.only_action(bits(mortgage=0b11)) == -1
    assert policy_loop.only_action(bits(roll=1, mortgage=1)) == -1


def test_kinds_are_looked_for_and_left_out() -> None:
    roll, deal = 1 << KINDS.index("roll"), 1 << KINDS.index("deal")
    some = bits(roll=1, deal=0b110)
    assert policy_loop.offers_some(some, deal)
    assert not policy_loop.offers_some(some, 1 << KINDS.index("buy"))
    policy_loop.leave_out(some, deal)
    assert not policy_loop.offers_some(some, deal)
    assert policy_loop.offers_some(some, roll)


def test_the_first_action_of_a_kind() -> None:
    assert policy_loop.first_action(bits(deal=0b110), KINDS.index("deal")) == IDS["deal:left2"]


# --- whole games ---


def test_games_are_played_to_their_end() -> None:
    games, ranks, facts, illegal = play_games(first, [1, 2, 3])
    assert int(games[0]["phase"]) == Phase.OVER
    assert (ranks[:, :3] >= 1).all()
    assert not ranks[:, 3:].any()
    assert (facts[:, 0] >= facts[:, 1]).all()  # a turn is a decision at least
    assert (facts[:, 1] <= 60).all()
    assert (facts[facts[:, 3] == 1, 1] == 60).all()  # what a limit ended reached it
    assert not illegal.any()


@pytest.mark.promise("determinism")
def test_equal_seeds_are_equal_games_whatever_was_played_before() -> None:
    games, ranks, facts, _ = play_games(first, [5])
    again, ranks_again, facts_again, _ = play_games(first, [9, 5])
    assert games.tobytes() == again.tobytes()
    assert (ranks[0] == ranks_again[1]).all()
    assert (facts[0] == facts_again[1]).all()


@pytest.mark.promise("isolation")
def test_what_a_policy_does_to_its_copy_of_the_game_changes_nothing() -> None:
    honest, stolen = play_games(first, [4]), play_games(thief, [4])
    assert honest[0].tobytes() == stolen[0].tobytes()


@pytest.mark.promise("bots")
def test_an_answer_that_is_not_legal_is_replaced_and_counted() -> None:
    games, _, facts, illegal = play_games(silent, [6])
    assert illegal[:3].sum() == facts[0, 0] == int(games[0]["decisions"])
    assert not illegal[3:].any()


# --- players outside ---


def play_on(
    game: Any, outside: int, decides: int, skip_forced: bool = False, leaves: int = 0
) -> tuple[int, Any]:
    """How many decisions ``first`` took, and the legal actions of the one that waits."""
    waiting, loop = np.zeros(N_KINDS, np.int64), policy_loop.new_loop([first], skip_forced)
    loop["external"] = loop["learners"] = outside
    loop["decides"], loop["leaves"] = decides, leaves
    taken = policy_loop.play_on(
        game.state, game.edition.rules[0], new_journals(1, on=False)[0], new_views(1)[0],
        loop[0], waiting,
    )  # fmt: skip
    return taken, waiting


def test_the_loop_stops_where_a_player_outside_must_decide() -> None:
    """B; A throws, and buys, the first of two choices."""
    game = position(dice=[(1, 2)], rules={"deals": "off"})
    taken, waiting = play_on(game, 0b10, policy_loop.ALL_PHASES)
    assert (game.actor, game.phase) == ("B", Phase.TURN)
    assert game.owner("baltic") == "A"
    assert taken == int(game.state["decisions"]) == 3  # roll, buy, end_turn
    assert waiting[KINDS.index("roll")] == 1


def test_in_phases_that_are_not_theirs_their_policy_decides() -> None:
    game = position(dice=[(1, 2)])
    play_on(game, 0b11, 1 << Phase.BUY)
    assert (game.actor, game.phase) == ("A", Phase.BUY)


@pytest.mark.parametrize(("skip", "phase"), [(False, Phase.TURN), (True, Phase.BUY)])
def test_decisions_without_a_choice_are_taken_where_that_is_asked(skip: bool, phase: Phase) -> None:
    game = position(dice=[(1, 2)])
    play_on(game, ALL_SEATS, policy_loop.ALL_PHASES, skip)
    assert (game.actor, game.phase) == ("A", phase)


def test_a_kind_that_is_left_to_the_policy_is_its_to_take_or_to_leave() -> None:
    """``first`` wants to throw: left to it, it does; if deals are left to it, the player decides."""
    roll, deal = 1 << KINDS.index("roll"), 1 << KINDS.index("deal")
    game = position(dice=[(1, 2)])
    play_on(game, 0b11, policy_loop.ALL_PHASES, leaves=roll)
    assert (game.actor, game.phase) == ("A", Phase.BUY)
    game = position(dice=[(1, 2)])
    taken, waiting = play_on(game, 0b11, policy_loop.ALL_PHASES, leaves=deal)
    assert (game.phase, taken) == (Phase.TURN, 0)
    assert waiting[KINDS.index("roll")] == 1
    assert waiting[KINDS.index("deal")] == 0


def test_external_seats_that_are_no_learners_leave_nothing() -> None:
    game = position(dice=[(1, 2)])
    loop, waiting = policy_loop.new_loop([first]), np.zeros(N_KINDS, np.int64)
    loop["external"], loop["leaves"], loop["decides"] = 0b11, -1, 0
    log, rules, views = new_journals(1, on=False)[0], game.edition.rules[0], new_views(1)[0]
    assert policy_loop.play_on(game.state, rules, log, views, loop[0], waiting) == 0
    loop["learners"] = 0b01
    assert policy_loop.play_on(game.state, rules, log, views, loop[0], waiting) > 0
    assert game.actor == "B"


def test_the_loop_ends_where_its_seat_is_bankrupt() -> None:
    game = position(players=3, B={"out": True})
    assert not policy_loop.is_over(game.state, NOBODY)
    assert not policy_loop.is_over(game.state, 0)
    assert policy_loop.is_over(game.state, 1)


def test_each_game_begins_with_blank_memories_and_random_numbers_of_its_own() -> None:
    views = new_views(1)[0]
    views["memory"] = 5
    policy_loop.seat_players(views, 3)
    assert not views["memory"].any()
    assert views["seat"].tolist() == list(range(PLAYERS))
    assert len(set(views["rng"].tolist())) == PLAYERS
    before = views["rng"].tolist()
    policy_loop.seat_players(views, 4)
    assert not set(before) & set(views["rng"].tolist())
