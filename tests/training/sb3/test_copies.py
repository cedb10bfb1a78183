"""Copies, pickles and saved states of what Stable-Baselines3 is given."""

from __future__ import annotations

import copy
import pickle

import cloudpickle
import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from monopoly_training.sb3.vec_env import MonopolyVecEnv
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from monopoly_env import Game

pytestmark = pytest.mark.promise("copies")

WAYS = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "cloudpickle": lambda env: cloudpickle.loads(cloudpickle.dumps(env)),
}
OPTIONS = {"pool": ["veteran", "random"], "rules": {"max_turns": 12}, "reward": "rank"}


def walk(env, steps, seed):
    """Random legal steps, and all that came back but the time."""
    random = np.random.default_rng(seed)
    shown = []
    for _ in range(steps):
        masks = np.concatenate([np.atleast_2d(m) for m in env.env_method("action_masks")])
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in masks])
        observations, rewards, dones, infos = env.step(actions)
        for info in infos:
            info.get("episode", {}).pop("t", None)
        infos = [{key: np.asarray(value).tolist() for key, value in i.items()} for i in infos]
        shown.append((observations.tobytes(), rewards.tobytes(), dones.tolist(), infos))
    return shown


def made(**options):
    env = MonopolyVecEnv(4, **{**OPTIONS, **options})
    env.seed(1)
    env.reset()
    walk(env, 30, 1)
    return env


class Lowest:
    """External opponents that take the first legal action."""

    def decide(self, _observations, masks):
        return masks.argmax(axis=1)


@pytest.mark.parametrize("options", [{}, {"clock": "rounds"}, {"threads": 2, "buffers": 1}])
def test_a_copy_goes_on_as_the_original_would(options):
    env = made(**options)
    twins = {name: way(env) for name, way in WAYS.items()}
    twins["clone_state"] = MonopolyVecEnv(4, **{**OPTIONS, **options})
    assert twins["clone_state"].restore_state(env.clone_state()).shape == (4, 1365)
    expected = walk(env, 60, 2)
    for name, twin in twins.items():
        assert walk(twin, 60, 2) == expected, name
    assert any(any(dones) for _, _, dones, _ in expected)


def test_external_opponents_are_copied_too():
    env = MonopolyVecEnv(4, external=True, **OPTIONS)
    env.set_external_opponents(Lowest())
    env.games.batch.set_pool_weights([1, 1, 3])
    env.seed(1)
    env.reset()
    walk(env, 20, 1)
    twins = [way(env) for way in WAYS.values()]
    assert all(twin._external_seats.batch is twin.games.batch for twin in twins)
    expected = walk(env, 60, 2)
    for twin in twins:
        assert walk(twin, 60, 2) == expected


def test_a_seed_that_was_set_is_kept_for_the_reset():
    env = made()
    env.seed(9)
    twin = copy.deepcopy(env)
    assert env.reset().tobytes() == twin.reset().tobytes()


def test_the_age_of_an_environment_goes_on():
    env = made()
    env._made_at -= 1000
    assert pickle.loads(pickle.dumps(env))._made_at == pytest.approx(env._made_at, abs=60)


def test_states_of_some_games_by_the_methods_of_sb3():
    env = made()
    states = env.env_method("clone_state")
    assert states == [env.games.clone_state(k) for k in range(4)]
    assert env.env_method("get_games", indices=[3, 1]) == env.get_games([3, 1])
    before = env.get_games()
    walk(env, 10, 3)
    env.env_method("restore_state", states[2], indices=[0, 1])
    assert env.get_games([0, 1]) == [before[2]] * 2


def test_games_are_set_at_tables():
    env = made(num_players=3, seat=0)
    game = Game(players=3, seed=4, rules={"max_turns": 12})
    while game.actor_seat != 0:
        game.play(game.legal_ids()[0])
    observations = env.set_games([game], [2])
    assert observations.shape == (4, 1365)
    assert env.get_games([2])[0].state["turns"] >= game.state["turns"]


def test_narrow_games_are_copied():
    env = made(narrow=True)
    env.reset()
    twins = [way(env) for way in WAYS.values()]
    expected = walk(env, 30, 2)
    for twin in twins:
        assert walk(twin, 30, 2) == expected


def test_what_sb3_leaves_out_of_its_wrappers_can_be_put_back():
    """A pickled VecNormalize has no environment; a VecMonitor cannot be pickled."""
    env = made()
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):
        normalize = VecNormalize(VecMonitor(env), norm_obs=False, gamma=0.9)
    normalize.reset()
    walk(normalize, 10, 1)
    twin = pickle.loads(pickle.dumps(normalize))
    twin.set_venv(copy.deepcopy(env))
    twin.returns = normalize.returns.copy()
    for (one, *_), (other, *_) in zip(walk(twin, 20, 2), walk(normalize, 20, 2), strict=True):
        assert one == other
