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
from monopoly_env.envs.step_codes import EXTERNAL, RUNNING, TERMINATED, TRUNCATED
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
@pytest.mark.parametrize("weights", [[1.0], [1, -1], [0, 0], [np.nan, 1]])
def test_weights_of_the_pool_that_cannot_be_are_one_line(weights):
    env = VectorEnv(2, pool=["random", "fixed_a"])
    with pytest.raises(InputError, match="weights: must be"):
        env.batch.set_pool_weights(weights)


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
