"""Runs whose rollouts are played by workers: the course does not depend on where they are."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.common.schema import ConfigError
from monopoly_training.models.storage import load_model
from monopoly_training.runs import train
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.factory import make_env, make_learner, make_pool, read_by
from monopoly_training.runs.random_state import set_random_state
from monopoly_training.runs.rollout_callback import RolloutCallback
from monopoly_training.runs.rollout_worker import (
    Receiver,
    RolloutOrder,
    RolloutWorker,
    as_arrays,
    as_tensors,
    share_of,
)
from monopoly_training.runs.run_folder import RunError

WORKERS = ("ppo.workers=2", "ppo.staleness=1", "imitation.steps=128")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("workers") / "whole"
    train.train(load_train_config("small", WORKERS), folder)
    return folder


def weights(folder):
    return load_model(folder).network.tensors()


def assert_equal(one, other):
    for name, weight in weights(one).items():
        np.testing.assert_array_equal(weight, weights(other)[name])


def test_a_worker_plays_what_the_run_itself_would_play():
    """Its rollout, after the wire, is the buffer that this process fills from the same games."""
    config = load_train_config("small", ["ppo.workers=2", "imitation.steps=0"])
    share = share_of(config, 1)
    worker = RolloutWorker(config, 1)
    env = make_env(share)
    learner = make_learner(share, env)
    pool = make_pool(share, env, learner)
    learner.start()
    callback = RolloutCallback(lambda _: True, env, pool)
    callback.init_callback(learner)
    env.games.batch.set_pool_weights(pool.probabilities[: env.games.batch.pool_size])
    policy = as_arrays(dict(learner.policy.state_dict()))
    state = worker.state()
    rollout = worker.collect(RolloutOrder(False, pool.probabilities), policy, None)
    again = worker.collect(RolloutOrder(False, pool.probabilities), policy, None, state)
    for name, array in rollout.arrays.items():
        np.testing.assert_array_equal(array, again.arrays[name])
    set_random_state(as_tensors(state)["random"])
    learner.collect_rollouts(env, callback, learner.rollout_buffer, learner.n_steps)
    here = learner.rollout_buffer
    received = make_learner(share, env).rollout_buffer
    columns, actions = read_by(env)
    Receiver(columns, len(actions)).fill(received, [rollout])
    for name in ("observations", "action_masks", "actions", "values", "log_probs", "advantages",
                 "returns"):  # fmt: skip
        np.testing.assert_array_equal(getattr(received, name), getattr(here, name), err_msg=name)
    assert rollout.arrays["observations"].dtype == np.uint8  # packed
    assert rollout.nbytes / here.values.size < 915


@pytest.mark.promise("resume")
def test_a_run_with_workers_goes_on_as_if_nothing_had_happened(whole, tmp_path, monkeypatch):
    """The rollout that was under way, by the policy before the last update, is played again."""
    with monkeypatch.context() as patch:
        patch.setattr(train.Run, "_is_done", lambda run: run.learner.num_timesteps >= 256)
        train.train(load_train_config("small", WORKERS), tmp_path / "run")
    run = train.resume(tmp_path / "run")
    assert run.learner.num_timesteps == 512
    assert_equal(tmp_path / "run", whole)


KILLED = """
import sys
from pathlib import Path
from monopoly_training.runs import train, worker_pool
from monopoly_training.runs.config import load_train_config
collect = worker_pool.ProcessWorkers.rollouts
def tell(workers):
    found = collect(workers)
    print([p for pool in workers._pools for p in pool._processes], flush=True)
    return found
worker_pool.ProcessWorkers.rollouts = tell
train.train(load_train_config("small", ["steps=100000000", "ppo.workers=2"]), Path(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_worker_process_that_dies_ends_the_run_in_a_line(tmp_path):
    command = [sys.executable, "-c", KILLED, str(tmp_path / "run")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        (first, _) = eval(run.stdout.readline())
        os.kill(first, signal.SIGKILL)
        _, error = run.communicate(timeout=300)
    assert "a process that played games has died; finished work is saved" in error


def test_what_does_not_fit_together_is_a_line(whole):
    with pytest.raises(
        ConfigError, match=r"ppo.envs: must be a multiple of ppo.workers = 3, not 8"
    ):
        load_train_config("small", ["ppo.workers=3"])
    with pytest.raises(ConfigError, match=r"ppo.staleness: is of workers"):
        load_train_config("small", ["ppo.staleness=1"])
    with pytest.raises(RunError, match=r"the run was made with ppo.workers=2"):
        train.resume(whole, changes=["ppo.workers=4", "steps=640"])


def test_each_worker_has_games_of_its_own():
    config = load_train_config("small", ["ppo.workers=2"])
    one, other = share_of(config, 0), share_of(config, 1)
    assert one.ppo.envs == other.ppo.envs == 4
    assert one.seed != other.seed
    assert replace(one, seed=0) == replace(other, seed=0)
