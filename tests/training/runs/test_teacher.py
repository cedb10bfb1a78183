"""A bot in the learner's seats."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env
from monopoly_training.runs.teacher import Teacher

from monopoly_env.engine.actions import TEXTS
from monopoly_env.engine.phases import Phase


def test_a_teacher_that_is_the_fallback_bot_too_knows_what_it_did_there():
    """It has begun the offer itself, so it goes through with it."""
    changes = ["table.deals=steps", "table.windows=all", "table.decides=[DEAL, BUY]"]
    leaves = "table.leaves=[deal, give, ask, give_cash, ask_cash]"
    config = load_train_config("small", [*changes, leaves, "table.rest=strategist"])
    env = make_env(config)
    env.reset()
    teacher = Teacher("strategist", env)
    batch, offers = env.games.batch, 0
    for _ in range(60):
        actions = teacher.decide()
        dealing = batch.games["phase"] == Phase.DEAL
        texts = [TEXTS[env.action_ids[action]] for action in actions[dealing]]
        assert set(texts) <= {"offer"}
        offers += len(texts)
        *_, dones, _ = env.step(actions)
        teacher.begin_games(dones)
    assert offers > 10


def test_what_it_remembers_can_be_kept():
    env = make_env(load_train_config("small"))
    env.reset()
    teacher = Teacher("fixed_a", env)
    for _ in range(20):
        *_, dones, _ = env.step(teacher.decide())
        teacher.begin_games(dones)
    kept = teacher.state()
    actions = teacher.decide().copy()
    other = Teacher("fixed_a", env)
    other.set_state(kept)
    np.testing.assert_array_equal(other.decide(), actions)
    assert other.state().equal(teacher.state())
