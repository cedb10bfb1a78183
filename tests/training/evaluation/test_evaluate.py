"""Evaluations: the same games for the same arguments, whoever plays them how."""

from __future__ import annotations

import json

import pytest
from monopoly_training.evaluation.evaluate import EvaluationSpec, evaluate
from monopoly_training.matches.entrants import entrant, entrants
from monopoly_training.matches.workers import WorkOptions

from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import AgentError, InputError

SHORT = TableOptions(rules={"max_turns": 30, "deals": "off"}, skip_forced=True)
KEYS = {
    "agent", "games", "wins", "win_rate", "win_rate_finished", "ci95", "mean_rank", "truncated",
    "faults",
    "seeds", "win_rate_by_seed", "mean_rank_by_seed", "behavior",
}  # fmt: skip


def test_an_evaluation_has_exactly_the_keys_that_are_promised():
    found = evaluate(entrant("random"), entrants(["random"]), EvaluationSpec(6), SHORT).as_json()
    assert set(found) == KEYS
    assert json.loads(json.dumps(found))["seeds"] == {"first": 0, "count": 3}
    assert found["games"] == 6
    assert found["win_rate"] == found["wins"] / 6


@pytest.mark.promise("determinism")
@pytest.mark.parametrize("seats", ["rotate", "random"])
def test_the_same_arguments_give_the_same_games(seats):
    def play(seed):
        return evaluate(
            entrant("random"),
            entrants(["random", "fixed_a"]),
            EvaluationSpec(12, seats, seed),
            SHORT,
        ).as_json()

    assert play(4) == play(4)
    assert play(4) != play(5)


@pytest.mark.promise("determinism")
@pytest.mark.parametrize("luck_adjusted", [None, "formula"])
def test_processes_play_the_same_games(luck_adjusted):
    def play(jobs):
        return evaluate(
            entrant("strategist"),
            entrants(["random", "fixed_a"]),
            EvaluationSpec(13),
            SHORT,
            behavior=True,
            luck_adjusted=luck_adjusted,
            work=WorkOptions(jobs),
            keep=11,
        )

    assert play(2) == play(1)
    assert len(play(2).records) == 11


def test_the_interval_is_by_seed_where_seeds_are_rotated():
    """Seats without windows and deals: with fixed dice, rotated games of equal bots balance."""

    def play(games, seats):
        line_up = entrants(["random", "random"])
        return evaluate(entrant("random"), line_up, EvaluationSpec(games, seats), SHORT)

    rotated = play(60, "rotate")
    low, high = rotated.win_rate_by_seed
    assert low <= rotated.score.win_rate <= high
    assert rotated.win_rate_by_seed != rotated.score.ci95
    first, last = rotated.mean_rank_by_seed
    assert first <= rotated.score.mean_rank <= last
    assert play(60, "random").win_rate_by_seed is None
    assert play(3, "rotate").win_rate_by_seed is None  # one seed says nothing of others


def test_a_trained_agent_is_evaluated_against_bots_and_itself(small_run):
    name = f"model:{small_run}"
    alone = evaluate(entrant(name), entrants(["random", "random"]), EvaluationSpec(9), SHORT)
    again = evaluate(entrant(name), entrants(["random", "random"]), EvaluationSpec(9), SHORT)
    assert alone == again
    itself = evaluate(entrants([name])[0], entrants([name, "random"]), EvaluationSpec(6), SHORT)
    assert itself.score.games == 6


@pytest.mark.promise("bad_input")
def test_what_cannot_be_played_is_one_line():
    with pytest.raises(InputError, match="games: must be from 1 to 10000000, not 0"):
        EvaluationSpec(0)
    with pytest.raises(InputError, match="seats: must be one of rotate, random, not 'all'"):
        EvaluationSpec(1, "all")
    with pytest.raises(InputError, match="seed: must be from 0 to 9223370937343148032, not -1"):
        EvaluationSpec(1, seed=-1)
    with pytest.raises(AgentError, match="did you mean 'random'"):
        entrants(["randm"])
