"""PPO on a leash: without one it is SB3's, with one it stays near the policy it began from."""

from __future__ import annotations

import copy

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env, make_learner
from monopoly_training.runs.imitation import Teacher, imitate
from monopoly_training.runs.opponent_pool import PastSelves, Pool
from monopoly_training.runs.rollout_callback import RolloutCallback
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger


def begun(*changes):
    """A learner with a full rollout buffer."""
    config = load_train_config("small", ["ppo.learning_rate=0.01", "ppo.epochs=2", *changes])
    env = make_env(config)
    learner = make_learner(config, env)
    learner.set_logger(Logger(None, []))
    learner._setup_learn(config.steps, None, reset_num_timesteps=False)
    past = PastSelves(learner.policy, env.columns, env.actions, 1)
    watch = RolloutCallback(
        lambda _: True, env, Pool(config.opponents, config.pool, past, env.venv.bots)
    )
    watch.init_callback(learner)
    return learner, env, watch


def play(learner, env, watch):
    learner.collect_rollouts(env, watch, learner.rollout_buffer, learner.n_steps)


def distance(learner, before):
    """The mean divergence of the policy from another, over the rollout buffer."""
    buffer = learner.rollout_buffer
    shape = (-1, buffer.observations.shape[-1])
    seen = torch.as_tensor(buffer.observations.reshape(shape))
    masks = buffer.action_masks.reshape(len(seen), -1)
    with torch.no_grad():
        now, then = (p.log_probs(seen, masks)[0] for p in (learner.policy, before))
    return float((now.exp() * (now - then)).sum(dim=1).mean())


def test_without_a_leash_the_update_is_sb3s():
    learner, env, watch = begun("ppo.entropy=0.01")
    play(learner, env, watch)
    other = copy.deepcopy(learner.policy.state_dict())
    np.random.seed(0)  # noqa: NPY002 - SB3 draws its batches from it
    learner.train()
    ours = copy.deepcopy(learner.policy.state_dict())
    learner.policy.load_state_dict(other)
    learner.policy.optimizer.state.clear()
    buffer = learner.rollout_buffer
    np.random.seed(0)  # noqa: NPY002
    assert buffer.generator_ready
    MaskablePPO.train(learner)
    for name, weight in learner.policy.state_dict().items():
        torch.testing.assert_close(weight, ours[name], rtol=1e-3, atol=1e-5)


def test_a_leash_holds_the_policy_near_where_it_began():
    found = []
    for weight in (0.0, 50.0):
        learner, env, watch = begun(f"leash.weight={weight}", "leash.until=1.0")
        learner.hold()
        before = copy.deepcopy(learner.policy)
        for _ in range(3):
            play(learner, env, watch)
            learner.train()
        found.append(distance(learner, before))
    assert 0 < found[1] < found[0] / 3


def test_a_leash_loosens_in_a_line_and_comes_off():
    learner, *_ = begun("leash.weight=0.8", "leash.until=0.5")
    assert learner.pull() == 0.0  # nobody holds it yet
    learner.hold()
    for left, pull in ((1.0, 0.8), (0.75, 0.4), (0.5, 0.0), (0.1, 0.0)):
        learner._current_progress_remaining = left
        assert learner.pull() == pytest.approx(pull)


def test_who_holds_the_leash_does_not_learn():
    learner, env, watch = begun("leash.weight=0.5")
    learner.hold()
    master = copy.deepcopy(learner.master.state_dict())
    play(learner, env, watch)
    learner.train()
    for name, weight in learner.master.state_dict().items():
        assert torch.equal(weight, master[name])


def test_an_update_ends_early_where_the_policy_has_moved_too_far():
    learner, env, watch = begun("ppo.target_kl=0.000001", "ppo.epochs=50")
    play(learner, env, watch)
    learner.train()
    assert learner._n_updates < 50


def test_a_learner_comes_to_do_as_its_teacher_does():
    changes = ["ppo.n_steps=64", "imitation.batch_size=64", "imitation.steps=4096"]
    found = []
    for rate in (0.0, 0.01):
        config = load_train_config("small", [*changes, f"imitation.learning_rate={rate}"])
        env = make_env(config)
        learner = make_learner(config, env)
        learner._setup_learn(config.steps, None, reset_num_timesteps=False)
        teacher = Teacher("fixed_a", env)
        rounds = [imitate(learner, env, teacher, config.imitation, lambda _: True) for _ in "123"]
        found.append(rounds[-1])
    assert found[1]["agreement"] > found[0]["agreement"] + 0.1
    assert found[1]["policy_loss"] < found[0]["policy_loss"] - 0.2
