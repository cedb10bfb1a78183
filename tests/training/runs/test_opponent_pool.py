"""Opponents are drawn the more often the harder they are."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env, make_learner, make_pool
from monopoly_training.runs.tally import LEAST_WEIGHT

PAST = ("pool.past=0.5", "pool.weights=beats")


def test_who_beats_the_learner_is_drawn_more_often():
    config = load_train_config("small", [*PAST, "opponents=[random, fixed_a]"])
    env = make_env(config)
    pool = make_pool(config, env, make_learner(config, env))
    np.testing.assert_allclose(pool.probabilities_now(), [0.5, 0.5, 0.0])
    for number, lost in ((0, False), (1, True)):
        for _ in range(98):
            pool.tally.record(number, lost)
    rates = np.maximum([1 / 100, 99 / 100], LEAST_WEIGHT)
    np.testing.assert_allclose(pool.probabilities_now()[:2], rates / rates.sum())
    pool.redraw()
    pool.apply_to(env.games.batch)
    chances = env.games.batch.kernel_config["chances"][0, :3]
    np.testing.assert_allclose(chances, [*(rates / rates.sum()).cumsum(), 1.0])


def test_opponents_in_fixed_seats_beside_a_bot_for_other_phases():
    """The environment numbers that bot first; games are noted for the opponent that was met."""
    changes = ["draw=false", "opponents=[random]", "table.decides=[BUY, TURN]"]
    config = load_train_config("small", [*changes, "table.rest=background"])
    env = make_env(config)
    learner = make_learner(config, env)
    pool = make_pool(config, env, learner)
    assert env.bots == ["background", "random"]
    pool.record({"seat": 0, "ranks": np.array([2, 1]), "line_up": np.array([0, 1])})
    assert pool.tally.met.tolist() == [3.0]
    assert pool.tally.lost.tolist() == [2.0]


def test_of_whole_tables_the_harder_one_is_drawn_more_often():
    tables = 'opponents=["fixed_a,random", fixed_b]'
    config = load_train_config("small", [tables, "table.players=3", "pool.weights=beats"])
    env = make_env(config)
    pool = make_pool(config, env, make_learner(config, env))
    bots = env.bots
    mixed, same = (
        np.array([bots.index(n) for n in t]) for t in (("fixed_a", "random"), ("fixed_b",) * 2)
    )
    for _ in range(98):
        pool.record(
            {"seat": 1, "ranks": np.array([2, 1, 3]), "line_up": np.array([mixed[1], 0, mixed[0]])}
        )
        pool.record({"seat": 0, "ranks": np.array([2, 1, 3]), "line_up": np.array([0, *same])})
    np.testing.assert_allclose(pool.tally.rates(), [1 / 100, 99 / 100])
    pool.redraw()
    pool.apply_to(env.games.batch)
    assert env.games.batch.kernel_config["chances"][0, 0] == pytest.approx(
        LEAST_WEIGHT / (LEAST_WEIGHT + 0.99)
    )
