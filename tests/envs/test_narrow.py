"""Narrow spaces, flat observations of many agents, types of masks: forms of the same games."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env import IllegalAction, SingleSeatEnv, VectorEnv, load_edition, monopoly_v0
from monopoly_env.engine.actions import IDS
from monopoly_env.envs._aligned import aligned, aligned_copy, aligned_take
from monopoly_env.errors import InputError
from monopoly_env.learners import used_actions, used_columns

TABLE = {"windows": "own", "deals": "off"}
DTYPES = {"int8": np.int8, "bool": np.bool_, "float32": np.float32}


def by_number(whole, ids):
    """Numbers of actions by their ids."""
    return np.searchsorted(ids, whole)


def test_a_narrow_vector_environment_plays_the_same_games():
    whole = VectorEnv(16, ["random"] * 3, **TABLE)
    narrow = VectorEnv(16, ["random"] * 3, **TABLE, narrow=True, observation="dict")
    edition = load_edition("classic", rules=TABLE)
    np.testing.assert_array_equal(narrow.columns, used_columns(4, edition))
    np.testing.assert_array_equal(narrow.action_ids, used_actions(edition))
    assert narrow.single_action_space.n == len(narrow.action_ids)
    seen, infos = whole.reset(seed=3)
    less, _ = narrow.reset(seed=3)
    for key in range(300):
        np.testing.assert_array_equal(less["observation"], seen[:, narrow.columns])
        np.testing.assert_array_equal(
            less["action_mask"], infos["action_mask"][:, narrow.action_ids]
        )
        np.testing.assert_array_equal(
            narrow.action_masks(), whole.action_masks()[:, narrow.action_ids]
        )
        actions = whole.sample_actions(key)
        numbers = narrow.sample_actions(key)
        np.testing.assert_array_equal(narrow.action_ids[numbers], actions)
        seen, rewards, over, _, infos = whole.step(actions)
        less, others, over_too, _, _ = narrow.step(numbers.astype(np.uint16))
        np.testing.assert_array_equal(rewards, others)
        np.testing.assert_array_equal(over, over_too)
    assert less in narrow.observation_space


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_a_narrow_single_seat_plays_the_same_games(observation):
    whole = SingleSeatEnv(["fixed_a"], deals="menu")
    narrow = SingleSeatEnv(["fixed_a"], deals="menu", narrow=True, observation=observation)
    seen, info = whole.reset(seed=5)
    less, _ = narrow.reset(seed=5)
    over = False
    for _ in range(200):
        if over:
            break
        box = less if observation == "flat" else less["observation"]
        np.testing.assert_array_equal(box, seen[narrow.columns])
        assert less in narrow.observation_space
        action = int(np.flatnonzero(info["action_mask"])[0])
        seen, _, over, _, info = whole.step(action)
        less, *_ = narrow.step(by_number(action, narrow.action_ids))


def test_narrow_agents_and_text():
    env = monopoly_v0.env(num_players=3, narrow=True, deals="off")
    env.reset(seed=1)
    n = len(env.unwrapped.action_ids)
    assert env.action_space("player_0").n == n
    for _ in range(300):
        observation, _, over, cut, _ = env.last()
        if over or cut:
            env.step(None)
            continue
        assert observation["action_mask"].shape == (n,)
        assert observation in env.observation_space(env.agent_selection)
        env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
        if not env.agents:
            break
    raw = monopoly_v0.raw_env(num_players=3, narrow=True, deals="off")
    raw.reset(seed=1)
    raw.step("roll")
    with pytest.raises(IllegalAction, match=r"deal:(A|B)"):
        raw.step(
            "deal:" + "BA"[raw.agent_selection == "player_1"]
        )  # an action that the environment does not have


@pytest.mark.parametrize("number", [155, -1, 2**70, 341])
def test_a_number_beyond_the_narrow_actions_is_named(number):
    env = SingleSeatEnv(preset="basic", narrow=True)
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match=f"no action {number}: with narrow they are 0 to 154"):
        env.step(number)
    envs = VectorEnv(2, preset="basic", narrow=True)
    envs.reset(seed=1)
    with pytest.raises(IllegalAction, match=f"game 1: .*no action {number}"):
        envs.step([int(envs.sample_actions(0)[0]), number])
    raw = monopoly_v0.raw_env(preset="basic", narrow=True)
    raw.reset(seed=1)
    with pytest.raises(IllegalAction, match=f"no action {number}"):
        raw.step(number)


@pytest.mark.promise("bad_input")
def test_a_position_with_more_actions_than_the_environment_has_is_refused():
    env = SingleSeatEnv(["random"], narrow=True, deals="off")
    with pytest.raises(InputError, match="narrow: this position plays by rules with more actions"):
        env.reset(options={"position": {"players": 2, "edition": "pokemon1999"}})
    env.reset(options={"position": {"players": 2, "A": {"cash": 5}}})


def test_flat_agents_have_their_masks_in_infos():
    whole = monopoly_v0.env(num_players=3, rules={"max_turns": 40})
    flat = monopoly_v0.env(num_players=3, rules={"max_turns": 40}, observation="flat")
    whole.reset(seed=2)
    flat.reset(seed=2)
    rng = np.random.default_rng(0)
    while whole.agents:
        seen, reward, over, cut, _ = whole.last()
        row, same, over_too, cut_too, info = flat.last()
        assert (reward, over, cut) == (same, over_too, cut_too)
        np.testing.assert_array_equal(row, seen["observation"])
        np.testing.assert_array_equal(info["action_mask"], seen["action_mask"])
        assert row in flat.observation_space(flat.agent_selection)
        for agent in set(flat.agents) - {flat.agent_selection}:
            assert not flat.infos[agent]["action_mask"].any()
        done = over or cut
        action = None if done else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        whole.step(action)
        flat.step(action)
    assert not flat.agents


def test_a_flat_agents_illegal_action_ends_the_game():
    env = monopoly_v0.env(num_players=2, observation="flat")
    env.reset(seed=1)
    _, _, _, _, info = env.last()
    env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    assert min(env.rewards.values()) == -1


@pytest.mark.parametrize("name", DTYPES)
def test_masks_have_the_type_that_is_asked_for(name):
    dtype = DTYPES[name]
    _, info = SingleSeatEnv(mask_dtype=name).reset(seed=1)
    assert info["action_mask"].dtype == dtype
    single = SingleSeatEnv(mask_dtype=name, observation="dict")
    observation, _ = single.reset(seed=1)
    assert observation["action_mask"].dtype == dtype
    assert observation in single.observation_space
    envs = VectorEnv(3, mask_dtype=name, observation="dict")
    observations, _ = envs.reset(seed=1)
    assert observations["action_mask"].dtype == dtype
    assert observations in envs.observation_space
    assert envs.action_masks().dtype == np.bool_
    env = monopoly_v0.env(mask_dtype=name)
    env.reset(seed=1)
    assert env.last()[0]["action_mask"].dtype == dtype
    assert env.last()[0] in env.observation_space("player_0")
    for _ in range(20):  # spaces sample with the masks of their environment
        mask = env.last()[0]["action_mask"]
        env.step(env.action_space(env.agent_selection).sample(mask))
    with pytest.raises(InputError, match="mask_dtype: must be one of int8, bool, float32"):
        SingleSeatEnv(mask_dtype="int16")


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_vector_environments_begin_at_a_multiple_of_64_bytes(dtype, narrow):
    for copy in (True, False):
        envs = VectorEnv(3, copy=copy, narrow=narrow, mask_dtype=dtype)
        observations, infos = envs.reset(seed=1)
        for key in range(3):
            for array in (observations, infos["action_mask"], envs.action_masks()):
                assert array.ctypes.data % 64 == 0
            observations, _, _, _, infos = envs.step(envs.sample_actions(key))


def test_an_aligned_array_has_the_shape_and_the_numbers():
    array = aligned((3, 5), np.float32)
    assert (array.shape, array.dtype, array.ctypes.data % 64) == ((3, 5), np.float32, 0)
    np.testing.assert_array_equal(aligned_copy(array + 2), array + 2)
    counted = np.arange(15).reshape(3, 5)
    chosen = aligned_take(counted, np.array([4, 1]))
    np.testing.assert_array_equal(chosen, counted[:, [4, 1]])
    assert chosen.ctypes.data % 64 == 0
    np.testing.assert_array_equal(aligned_take(counted[1], np.array([4, 1])), counted[1, [4, 1]])


def test_columns_and_ids_are_none_where_nothing_is_left_out():
    assert VectorEnv(1).columns is None
    assert SingleSeatEnv().action_ids is None
    assert IDS["roll"] == monopoly_v0.raw_env(narrow=True).action_ids[0]
