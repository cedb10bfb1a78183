"""Games are the same however they are played: compiled, batched or sequential."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.matches.entrants import Entrant, entrant, entrants, of_model
from monopoly_training.matches.runner import Players, play_matches, play_seating
from monopoly_training.matches.schedule import Match, rotated
from monopoly_training.models.mlp import MLP
from monopoly_training.models.model import Model
from monopoly_training.models.model_agent import ModelAgent

from monopoly_env.agent import AgentSpec
from monopoly_env.bots.compiled_agent import CompiledAgent
from monopoly_env.engine.actions import KINDS, N_ACTIONS, TEXTS
from monopoly_env.envs import SingleSeatEnv
from monopoly_env.envs.options import TableOptions

SHORT = TableOptions(rules={"max_turns": 30, "deals": "off"}, skip_forced=True)


def from_python(name):
    """A compiled bot, asked from Python."""
    bot = entrant(name)
    return Entrant(name, AgentSpec(name, "", lambda: CompiledAgent(bot.policy, name)))


@pytest.mark.promise("everywhere")
def test_sequential_or_compiled_the_games_are_the_same():
    matches = rotated(3, 12, 40)
    names = ["fixed_a", "random", "background"]
    compiled = play_matches(entrants(names), matches, SHORT)
    for outside in ([0], [1, 2]):
        line_up = [
            from_python(name) if number in outside else entrant(name)
            for number, name in enumerate(names)
        ]
        batched = play_matches(line_up, matches, SHORT)
        np.testing.assert_array_equal(batched.ranks, compiled.ranks)
        np.testing.assert_array_equal(batched.turns, compiled.turns)
        np.testing.assert_array_equal(batched.truncated, compiled.truncated)
        assert not batched.faults.any()


def hybrid(rest):
    """A policy that leaves all phases of a classic game to another bot."""
    actions = np.arange(N_ACTIONS)
    layers = ((np.zeros((N_ACTIONS, 1), np.float32), np.zeros(N_ACTIONS, np.float32)),)
    card = {"table": {"decides": ["POWER"], "rest": rest}}
    return of_model(ModelAgent(Model(np.arange(1), actions, MLP(layers), card), f"all {rest}"))


@pytest.mark.parametrize("sequential", [False, True])
def test_who_plays_other_phases_remembers_each_game_apart(sequential):
    """Two of them at each of several tables at once play as the bot itself would."""
    matches = rotated(3, 12, 40)
    options = TableOptions(rules={"max_turns": 60}, skip_forced=True)
    compiled = play_matches(entrants(["strategist", "strategist", "fixed_a"]), matches, options)
    line_up = [*[hybrid("strategist")] * 2, entrant("fixed_a")]
    if sequential:
        line_up[2] = from_python("fixed_a")
    found = play_matches(line_up, matches, options)
    np.testing.assert_array_equal(found.ranks, compiled.ranks)
    np.testing.assert_array_equal(found.turns, compiled.turns)


def only_at(where):
    """A policy that takes the first legal action at some tables; the strategist plays at others."""
    actions = np.arange(N_ACTIONS)
    layers = ((np.zeros((N_ACTIONS, 1), np.float32), np.zeros(N_ACTIONS, np.float32)),)
    card = {"table": {"where": where, "rest": "strategist"}}
    return of_model(ModelAgent(Model(np.arange(1), actions, MLP(layers), card), "only there"))


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize(
    ("where", "edition", "its"),
    [
        ({"players": [2, 4]}, "classic", ["strategist"]),
        ({"deals": ["menu", "off"]}, "classic", ["strategist"]),
        ({"edition": ["kanto2014"]}, "random:test:0-2", ["strategist"]),
        ({"edition": ["random:test:1"]}, "random:test:0-2", ["strategist", "first"]),
        ({"edition": ["classic"], "mode": ["standard"], "players": [3]}, "classic", ["first"]),
    ],
)
def test_a_policy_plays_only_at_its_tables(where, edition, its, sequential):
    """At the others, each of them plays as its fallback bot would."""
    matches = rotated(3, 12, 40)
    options = TableOptions(edition=edition, rules={"max_turns": 60}, skip_forced=True)
    others = [from_python("fixed_a") if sequential else entrant("fixed_a"), entrant("random")]
    by_itself = {
        "strategist": play_matches([entrant("strategist"), *others], matches, options),
        "first": play_matches([only_at({}), *others], matches, options),
    }
    found = play_matches([only_at(where), *others], matches, options)
    used = set()
    for row, match in enumerate(matches):
        board = options.editions().for_seed(match.seed).id
        left = "edition" in where and board not in where["edition"]
        who = "strategist" if left or its == ["strategist"] else "first"
        used.add(who)
        assert found.decisions[row] == by_itself[who].decisions[row]
        np.testing.assert_array_equal(found.ranks[row], by_itself[who].ranks[row])
    assert used == set(its)


def choosy(leaves):
    """A policy that takes the first legal action, and leaves kinds of action to the strategist."""
    actions = np.arange(N_ACTIONS)
    layers = ((np.zeros((N_ACTIONS, 1), np.float32), np.zeros(N_ACTIONS, np.float32)),)
    card = {"table": {"leaves": leaves, "rest": "strategist"}}
    return of_model(ModelAgent(Model(np.arange(1), actions, MLP(layers), card), "choosy"))


LEFT = ["mortgage", "sell", "lift", "deal", "give", "ask", "give_cash", "ask_cash", "build"]


@pytest.mark.parametrize("names", [["fixed_a", "random"], ["fixed_a", "choosy"]])
def test_kinds_that_are_left_to_a_bot_are_left_however_the_game_is_played(names):
    matches = rotated(3, 12, 40)
    options = TableOptions(rules={"max_turns": 60}, skip_forced=True)

    def line_up(sequential):
        others = [choosy(LEFT) if name == "choosy" else entrant(name) for name in names]
        return [choosy(LEFT), from_python("fixed_a") if sequential else others[0], *others[1:]]

    batched, sequential = (play_matches(line_up(way), matches, options) for way in (False, True))
    np.testing.assert_array_equal(batched.ranks, sequential.ranks)
    np.testing.assert_array_equal(batched.decisions, sequential.decisions)
    kept, left = (play_matches(line_up(False), matches[:1], options) for _ in range(2))
    np.testing.assert_array_equal(kept.decisions, left.decisions)


def test_games_kept_by_their_answers_are_the_games_that_were_played():
    """Also where a bot takes some kinds of action for the policy."""
    players = Players([choosy(LEFT), entrant("fixed_a"), entrant("random")])
    options = TableOptions(rules={"max_turns": 60}, skip_forced=True)
    seeds = np.arange(6)
    for _, outcome in play_seating(players, (0, 1, 2), seeds, options, lambda _: True):
        assert len(outcome.actions) == outcome.decisions
    players.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_learner_that_leaves_all_but_one_kind_plays_as_the_bot_does(seed):
    left = [kind for kind in KINDS if kind != "end_turn"]
    env = SingleSeatEnv(["fixed_a", "random"], 0, rest="strategist", leaves=left)
    _, info = env.reset(seed=seed)
    done = False
    while not done:
        (action,) = np.flatnonzero(env.action_masks())
        assert TEXTS[action] == "end_turn"
        _, _, over, cut, info = env.step(int(action))
        done = over or cut
    match = [Match((0, 1, 2), seed)]
    found = play_matches(entrants(["strategist", "fixed_a", "random"]), match, TableOptions())
    assert info["rank"] == found.ranks[0, 0]
    assert info["decisions"] == found.decisions[0]


class Stubborn:
    """Answers what is never legal."""

    def reset(self, seed):
        pass

    def decide(self, view):  # noqa: ARG002
        return -5


@pytest.mark.promise("bots")
def test_illegal_answers_are_counted_and_replaced():
    stubborn = Entrant("stubborn", AgentSpec("stubborn", "", Stubborn))
    results = play_matches([entrant("random"), stubborn], rotated(2, 4, 0), SHORT)
    assert results.faults[0].sum() == 0
    assert results.faults[1, 0] > 0
    assert (results.ranks.min(axis=1) == 1).all()
