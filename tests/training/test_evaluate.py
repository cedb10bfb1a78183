"""Evaluations: the same games for the same arguments, whoever plays them how."""

from __future__ import annotations

import json

import numpy as np
import pytest
from monopoly_agents.base import CompiledAgent
from monopoly_training.agents import ModelAgent
from monopoly_training.evaluate import evaluate
from monopoly_training.lineup import Entrant, entrant, entrants, of_model, split_names
from monopoly_training.models import Model
from monopoly_training.networks import Layers
from monopoly_training.play import play_matches
from monopoly_training.schedule import rotated
from monopoly_training.settings import ConfigError

from monopoly_env.agent import AgentError, AgentSpec
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.envs.options import TableOptions

SHORT = TableOptions(rules={"max_turns": 30, "deals": "off"}, skip_forced=True)
KEYS = {
    "agent", "games", "wins", "win_rate", "win_rate_finished", "ci95", "mean_rank", "truncated",
    "seeds",
}  # fmt: skip


def from_python(name):
    """A compiled bot, asked from Python."""
    bot = entrant(name)
    return Entrant(name, AgentSpec(name, "", lambda: CompiledAgent(bot.policy, name)))


def test_an_evaluation_has_exactly_the_keys_that_are_promised():
    found = evaluate(entrant("random"), entrants(["random"]), 6, SHORT).as_json()
    assert set(found) == KEYS
    assert json.loads(json.dumps(found))["seeds"] == {"first": 0, "count": 3}
    assert found["games"] == 6
    assert found["win_rate"] == found["wins"] / 6


@pytest.mark.parametrize("seats", ["rotate", "random"])
def test_the_same_arguments_give_the_same_games(seats):
    def play(seed):
        return evaluate(
            entrant("random"), entrants(["random", "fixed_a"]), 12, SHORT, seats, seed
        ).as_json()

    assert play(4) == play(4)
    assert play(4) != play(5)


def test_asked_from_python_or_compiled_the_games_are_the_same():
    matches = rotated(3, 12, 40)
    names = ["fixed_a", "random", "background"]
    compiled = play_matches(entrants(names), matches, SHORT)
    for outside in ([0], [1, 2]):
        line_up = [
            from_python(name) if number in outside else entrant(name)
            for number, name in enumerate(names)
        ]
        abreast = play_matches(line_up, matches, SHORT)
        np.testing.assert_array_equal(abreast.ranks, compiled.ranks)
        np.testing.assert_array_equal(abreast.turns, compiled.turns)
        np.testing.assert_array_equal(abreast.truncated, compiled.truncated)
        assert not abreast.illegal.any()


def hybrid(rest):
    """A policy that leaves all phases of a classic game to another bot."""
    actions = np.arange(N_ACTIONS)
    layers = ((np.zeros((N_ACTIONS, 1), np.float32), np.zeros(N_ACTIONS, np.float32)),)
    card = {"table": {"decides": ["POWER"], "rest": rest}}
    return of_model(ModelAgent(Model(np.arange(1), actions, Layers(layers), card), f"all {rest}"))


@pytest.mark.parametrize("asked", [False, True])
def test_who_plays_other_phases_remembers_each_game_apart(asked):
    """Two of them at each of several tables at once play as the bot itself would."""
    matches = rotated(3, 12, 40)
    options = TableOptions(rules={"max_turns": 60}, skip_forced=True)
    compiled = play_matches(entrants(["strategist", "strategist", "fixed_a"]), matches, options)
    line_up = [*[hybrid("strategist")] * 2, entrant("fixed_a")]
    if asked:
        line_up[2] = from_python("fixed_a")
    found = play_matches(line_up, matches, options)
    np.testing.assert_array_equal(found.ranks, compiled.ranks)
    np.testing.assert_array_equal(found.turns, compiled.turns)


class Stubborn:
    """Answers what is never legal."""

    def reset(self, seed):
        pass

    def decide(self, view):  # noqa: ARG002
        return -5


def test_illegal_answers_are_counted_and_replaced():
    stubborn = Entrant("stubborn", AgentSpec("stubborn", "", Stubborn))
    results = play_matches([entrant("random"), stubborn], rotated(2, 4, 0), SHORT)
    assert results.illegal[0] == 0
    assert results.illegal[1] > 0
    assert (results.ranks.min(axis=1) == 1).all()


def test_a_trained_agent_is_evaluated_against_bots_and_itself(small_run):
    name = f"model:{small_run}"
    alone = evaluate(entrant(name), entrants(["random", "random"]), 9, SHORT)
    again = evaluate(entrant(name), entrants(["random", "random"]), 9, SHORT)
    assert alone == again
    itself = evaluate(entrants([name])[0], entrants([name, "random"]), 6, SHORT)
    assert itself.score.games == 6


def test_what_cannot_be_played_is_one_line():
    bots = entrants(["random"])
    with pytest.raises(ConfigError, match="--games: must be from 1 to 10000000, not 0"):
        evaluate(bots[0], bots, 0, SHORT)
    with pytest.raises(ConfigError, match="--seats: must be one of rotate, random, not 'all'"):
        evaluate(bots[0], bots, 1, SHORT, "all")
    with pytest.raises(AgentError, match="did you mean 'random'"):
        entrants(["randm"])
    with pytest.raises(AgentError, match="--against: must be bots with commas between them"):
        split_names("random,,random", "--against")
