"""Imitation: the learner comes to do as its teacher does."""

from __future__ import annotations

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env, make_learner
from monopoly_training.runs.imitation import imitate
from monopoly_training.runs.teacher import Teacher


def test_a_learner_comes_to_do_as_its_teacher_does():
    changes = ["ppo.n_steps=64", "imitation.batch_size=64", "imitation.steps=4096"]
    statistics = []
    for rate in (0.0, 0.01):
        config = load_train_config("small", [*changes, f"imitation.learning_rate={rate}"])
        env = make_env(config)
        learner = make_learner(config, env)
        learner.start()
        teacher = Teacher("fixed_a", env)
        rounds = [imitate(learner, env, teacher, config.imitation, lambda _: True) for _ in "123"]
        statistics.append(rounds[-1])
    assert statistics[1]["agreement"] > statistics[0]["agreement"] + 0.1
    assert statistics[1]["policy_loss"] < statistics[0]["policy_loss"] - 0.2
