"""What training uses of the vector environment: arrays, state to keep, external opponents."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env import IllegalAction
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.policy import ViewState, new_views, policy, policy_address
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.envs import VectorEnv
from monopoly_env.envs.step_codes import EXTERNAL, PLAY, RESET, RUNNING, TERMINATED, TRUNCATED
from monopoly_env.errors import InputError

SHORT = {"max_turns": 16}


def outcome(env, key):
    """A random step, as bytes."""
    observations, *rest, infos = env.step(env.sample_actions(key))
    arrays = (observations, *rest, env.action_masks(), env.actors, env.game_seeds)
    return b"".join(array.tobytes() for array in arrays) + str(infos.get("final_info")).encode()


@pytest.mark.parametrize("parameters", [{}, {"seats": "all"}, {"threads": 2, "buffers": 1}])
def test_advance_is_step_without_flags_and_infos(parameters):
    one, other = (VectorEnv(6, rules=SHORT, reward="rank", **parameters) for _ in range(2))
    one.reset(seed=3)
    other.reset(seed=3)
    ended = 0
    for key in range(300):
        observations, rewards, terminated, truncated, infos = one.step(one.sample_actions(key))
        other.advance(other.sample_actions(key))
        batch = other.batch
        np.testing.assert_array_equal(other.observations, observations)
        np.testing.assert_array_equal(other.action_masks(), one.action_masks())
        np.testing.assert_array_equal(batch.ended == TERMINATED, terminated)
        np.testing.assert_array_equal(batch.ended == TRUNCATED, truncated)
        np.testing.assert_array_equal(batch.actors, one.actors)
        if "seats" not in parameters:
            np.testing.assert_array_equal(batch.learner_rewards.astype(np.float32), rewards)
        for index in np.flatnonzero(batch.ended != RUNNING).tolist():
            ended += 1
            np.testing.assert_array_equal(
                other.final_observations[index], infos["final_obs"][index]
            )
    assert ended
    one.close()
    other.close()


@pytest.mark.promise("copies")
@pytest.mark.parametrize(
    "parameters",
    [
        {"pool": ["veteran", "strategist", "random"]},
        {"seats": "all", "buffers": 1},
        {"decides": ["BUY", "AUCTION"], "rest": "veteran"},
    ],
)
def test_games_go_on_from_their_state_in_another_environment(parameters):
    first = VectorEnv(5, rules=SHORT, **parameters)
    first.reset(seed=3)
    for key in range(70):
        first.step(first.sample_actions(key))
    state = first.state_arrays()
    second = VectorEnv(5, rules=SHORT, **parameters)
    second.load_state_arrays(state)
    np.testing.assert_array_equal(second.observations, first.observations)
    np.testing.assert_array_equal(second.action_masks(), first.action_masks())
    np.testing.assert_array_equal(second.actors, first.actors)
    np.testing.assert_array_equal(second.batch.views, first.batch.views)
    for key in range(200):
        assert outcome(second, key) == outcome(first, key)


def test_state_holds_no_addresses():
    """They would be those of another process when it is loaded."""
    env = VectorEnv(2, pool=["veteran"])
    env.reset(seed=1)
    assert env.batch.views["weights"].any()
    views = env.state_arrays()["views"].view(env.batch.views.dtype)
    assert not views["weights"].any()


@pytest.mark.promise("bad_input")
def test_state_of_another_size_is_refused():
    with pytest.raises(ValueError, match=r"state: masks must have \d+ bytes"):
        VectorEnv(2).load_state_arrays(VectorEnv(3).state_arrays())


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("masks", np.zeros(2 * 342 // 4, np.int32)),
        ("last_actors", np.zeros(1, np.int16)),
        ("last_actors", np.array([0, 4], np.int8)),
        ("last_actors", None),
    ],
)
def test_arrays_of_a_state_are_read_as_bytes_or_refused(name, array):
    env = VectorEnv(2, seats="all", autoreset_mode="NextStep", rules=SHORT)
    env.reset(seed=1)
    before, state = env.clone_state(), env.state_arrays()
    if array is None:
        del state[name]
    else:
        state[name] = array
    if array is not None and not array.any():
        env.load_state_arrays(state)
        assert env._over.all() == (name == "last_actors")
        return
    env.step(env.sample_actions(1))
    before = env.clone_state()
    with pytest.raises(InputError, match=r"^state: ") as problem:
        env.load_state_arrays(state)
    assert "\n" not in str(problem.value)
    assert env.clone_state() == before


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("given", [(5, 1), (-1, 1), (1, -1), (1, 2**70), (1, "x"), (None, 1)])
def test_a_refused_beginning_changes_nothing(given):
    for seed in (None, 3):
        env = VectorEnv(2)
        batch = env.batch
        if seed is not None:
            env.reset(seed=seed)
        before = batch.clone_state()
        with pytest.raises(InputError, match=r"^(index|seed): must be"):
            batch.begin_at(*given)
        assert batch.clone_state() == before
        assert batch.seeded == (seed is not None)
    batch.begin_at(np.int8(1), np.uint16(5))
    assert batch.command.tolist() == [PLAY, RESET]
    assert batch.episodes["seed"][1] == 5


def test_external_opponents_decide_outside():
    env = VectorEnv(12, pool=["random"], num_players=3, rules=SHORT, seat=0)
    env.batch.add_external_opponent()
    env.batch.set_pool_weights([1, 3])
    env.reset(seed=1)
    asked = 0
    for key in range(120):
        while len(rows := np.flatnonzero(env.batch.actors != env.batch.seats)):
            asked += len(rows)
            env.advance_rows(rows, env.action_masks()[rows].argmax(axis=1))
            assert (np.delete(env.batch.ended, rows) == RUNNING).all()
        env.step(env.sample_actions(key))
    assert asked > 100
    line_ups = env.batch.episodes["line_up"][:, 1:3]
    assert set(line_ups.ravel().tolist()) <= {0, EXTERNAL}
    assert (env.batch.episodes["line_up"][:, 1:3] == EXTERNAL).any()


def test_an_illegal_action_at_one_row_steps_nothing():
    env = VectorEnv(4)
    env.reset(seed=1)
    games = [env.game(index) for index in range(4)]
    for bad in (341, -1):
        with pytest.raises(IllegalAction, match=r"^game 2: "):
            env.advance_rows(np.array([1, 2]), np.array([env.sample_actions()[1], bad]))
    assert [env.game(index) for index in range(4)] == games
    with pytest.raises(InputError, match=r"actions: must be whole numbers of shape \(2,\)"):
        env.advance_rows(np.array([1, 2]), np.array([1]))


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "weights",
    [
        [1.0],
        [1, -1],
        [0, 0],
        [np.nan, 1],
        [np.inf, 1],
        [1e308, 1e308],
        [1, 1.1e9],
        [10**400, 1],
        [True, 1],
        ["1", "2"],
        np.ones((2, 1)),
        np.array([True, True]),
        None,
        3,
        "12",
    ],
    ids=lambda weights: str(weights)[:20],
)
def test_weights_of_the_pool_that_cannot_be_are_one_line(weights):
    batch = VectorEnv(2, pool=["random", "fixed_a"]).batch
    before = batch.kernel_config.tobytes()
    with pytest.raises(InputError, match="weights: must be") as problem:
        batch.set_pool_weights(weights)
    assert "\n" not in str(problem.value)
    assert batch.kernel_config.tobytes() == before


@pytest.mark.parametrize(
    "weights", [(1, 3), np.array([1, 3]), np.array([0.25, 0.75], np.float32), [np.int8(1), 3.0]]
)
def test_weights_of_the_pool_are_any_numbers(weights):
    batch = VectorEnv(2, pool=["random", "fixed_a"]).batch
    batch.set_pool_weights(weights)
    assert batch.kernel_config["chances"][0, :2].tolist() == [0.25, 1.0]
    batch.set_pool_weights([1e9, 1e9])
    assert batch.kernel_config["chances"][0, :2].tolist() == [0.5, 1.0]


@pytest.mark.parametrize(
    "parameters",
    [{}, {"pool": [("random",) * 3]}, {"pool": ["random"] + [f"fixed_{k}" for k in "abc"]}],
)
def test_external_opponents_need_a_pool_of_single_bots(parameters):
    batch = VectorEnv(2, **parameters).batch
    if len(parameters.get("pool", ())) == 4:
        for _ in range(4):
            batch.add_external_opponent()
    with pytest.raises(InputError, match="pool: "):
        batch.add_external_opponent()


def test_the_fallback_bot_keeps_its_weights_beside_an_external_opponent():
    env = VectorEnv(2, pool=["random"], decides=["BUY"], rest="veteran")
    weights = int(env.batch.kernel_config["weights"][0, 1])
    env.batch.add_external_opponent()
    assert env.batch.fallback_bot == "veteran"
    assert env.batch.kernel_config["weights"][0, :3].tolist() == [0, 0, weights]


def test_with_every_seat_external_there_is_no_learner():
    env = VectorEnv(2, seats="all")
    env.reset(seed=1)
    assert env.batch.seats.tolist() == [NOBODY] * 2
    assert env.batch.fallback_bot is None
    assert env.nbytes > env.batch.nbytes


@policy
def silent(_game: GameState, _rules: RuleSet, _view: ViewState) -> int:
    """No action at all."""
    return -1


@pytest.mark.promise("bots")
def test_illegal_answers_become_random_actions_other_ones_each_time():
    batch = VectorEnv(40, seats="all").batch
    batch.seed(1)
    batch.begin(np.empty(0, np.float32), np.empty(0, np.int8))
    views = new_views(40)
    views["rng"] = np.arange(40 * 8).reshape(40, 8)
    drawn = np.zeros((8, 40), np.int64)
    for actions in drawn:
        batch.ask(policy_address(silent), views, actions)
    legal = [batch.game(index).legal_ids() for index in range(40)]
    assert all(set(drawn[:, index]) <= set(legal[index]) for index in range(40))
    assert len(np.unique(drawn, axis=0)) == 8
