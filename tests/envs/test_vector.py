"""Many games in one call: the same games as one by one, whole infos, no dependence on threads."""

from __future__ import annotations

import copy
import pickle
import re

import gymnasium
import numpy as np
import pytest

from monopoly_env import Game, IllegalAction, monopoly_v0
from monopoly_env.envs import SingleSeatEnv, VectorEnv
from monopoly_env.errors import InputError
from tests.envs.players import SHORT, steps


def test_gymnasium_make_vec():
    env = gymnasium.make_vec(
        "monopoly_env/Monopoly-v0", num_envs=3, vectorization_mode="vector_entry_point"
    )
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert env.action_space.shape == (3,)


def test_each_game_is_that_of_a_single_environment():
    """The same seeds and actions: the games of each table, one after the other."""
    parameters = {"skip_forced": True, "rules": SHORT, "reward": "rank"}
    envs = VectorEnv(4, **parameters)
    seen, _ = envs.reset(seed=5)
    singles = [SingleSeatEnv(**parameters) for _ in range(4)]
    for index, single in enumerate(singles):
        first, _ = single.reset(seed=int(envs.game_seeds[index]))
        assert (first == seen[index]).all()
    ended = 0
    for key in range(800):
        actions = envs.sample_actions(key)
        seen, rewards, over, cut, infos = envs.step(actions)
        for index, single in enumerate(singles):
            own, reward, done, gone, info = single.step(int(actions[index]))
            assert reward == pytest.approx(float(rewards[index]))
            assert (done, gone) == (over[index], cut[index])
            if done or gone:
                ended += 1
                assert (infos["final_obs"][index] == own).all()
                assert infos["final_info"]["rank"][index] == info["rank"]
                assert infos["final_info"]["turns"][index] == info["turns"]
                own, _ = single.reset()
            assert (seen[index] == own).all()
            assert (infos["action_mask"][index] == single.action_masks()).all()
            assert single.game == envs.game(index)
    assert ended > 5


def test_with_all_seats_it_is_the_aec_environment():
    envs = VectorEnv(2, seats="all", num_players=3, skip_forced=False, rules=SHORT)
    seen, infos = envs.reset(seed=9)
    aec = monopoly_v0.raw_env(num_players=3, rules=SHORT)
    aec.reset(seed=int(envs.game_seeds[1]))
    total = np.zeros(3)
    for key in range(2000):
        assert aec.agent_selection == f"player_{infos['actor'][1]}"
        shown = aec.observe(aec.agent_selection)
        assert (shown["observation"] == seen[1]).all()
        assert (shown["action_mask"] == infos["action_mask"][1]).all()
        actions = envs.sample_actions(key)
        seen, rewards, over, cut, infos = envs.step(actions)
        aec.step(int(actions[1]))
        total += rewards[1]
        if over[1] or cut[1]:
            expected = [aec.infos[f"player_{seat}"]["rank"] for seat in range(3)]
            assert infos["final_info"]["rank"][1].tolist() == expected
            assert infos["final_info"]["gain"][1] == pytest.approx(total, abs=1e-6)
            assert total.sum() == pytest.approx(0, abs=1e-6)
            return
    pytest.fail("no game ended")


def test_a_game_seed_is_the_seed_of_a_game():
    envs = VectorEnv(3, seats="all", skip_forced=False)
    envs.reset(seed=5)
    assert envs.game_seeds[0] == 5
    for index, seed in enumerate(envs.game_seeds):
        assert envs.game(index) == Game(seed=int(seed))


def test_seeds():
    envs = VectorEnv(4, rules=SHORT)
    assert steps(envs, 300) == steps(envs, 300)
    assert steps(envs, 3, seed=6) != steps(envs, 3)
    envs.reset(seed=[3, 3, 4, 9])
    assert envs.game_seeds.tolist() == [3, 3, 4, 9]
    games = {VectorEnv(1).reset()[0].tobytes() for _ in range(4)}
    assert len(games) > 1
    for seed in ([1, 2], "7", [1, 2, 3, -4]):
        with pytest.raises(InputError, match="seed: must be"):
            envs.reset(seed=seed)


def test_a_copy_is_a_new_environment_of_the_same_making():
    parameters = {"pool": {"random": 2, "fixed_a": 1}, "rules": SHORT, "threads": 2, "buffers": 3}
    envs = VectorEnv(6, deals="menu", **parameters)
    expected = steps(envs, 40)
    for twin in (pickle.loads(pickle.dumps(envs)), copy.deepcopy(envs)):
        assert twin._threads.workers is not envs._threads.workers
        assert steps(twin, 40) == expected
        twin.close()
    assert steps(envs, 40) == expected


@pytest.mark.promise("bad_input")
def test_a_step_before_the_first_reset_is_one_line():
    for threads in (1, 2):
        for actions in (np.zeros(4, np.int64), np.full(4, 341)):
            with pytest.raises(InputError, match="reset"):
                VectorEnv(4, threads=threads).step(actions)


def test_finished_games_start_anew_in_the_same_step():
    envs = VectorEnv(6, rules=SHORT)
    envs.reset(seed=2)
    ended = 0
    for key in range(900):
        before = envs.game_seeds
        seen, rewards, over, cut, infos = envs.step(envs.sample_actions(key))
        done = over | cut
        assert envs.observation_space.contains(seen)
        assert envs.action_masks().any(axis=1).all()
        assert not (over & cut).any()
        assert ("final_info" in infos) == done.any()
        assert not rewards[~done].any()
        assert (before != envs.game_seeds).tolist() == done.tolist()
        if done.any():
            ended += done.sum()
            assert infos["_final_obs"].tolist() == done.tolist()
            assert infos["final_info"]["seed"][done].tolist() == before[done].tolist()
            assert infos["final_info"]["gain"][done] == pytest.approx(rewards[done])
            for index in np.flatnonzero(~done):
                assert infos["final_obs"][index] is None
            for index in np.flatnonzero(done):
                assert envs.single_observation_space.contains(infos["final_obs"][index])
    assert ended > 10


def test_an_illegal_action_names_its_game_and_steps_nothing():
    for threads in (1, 2, 3):
        envs = VectorEnv(3, threads=threads)
        envs.reset(seed=1)
        games = [envs.game(index) for index in range(3)]
        masks = envs.action_masks().copy()
        for bad in (341, 1000, -1, -2):
            actions = envs.sample_actions()
            actions[2] = bad
            with pytest.raises(IllegalAction, match=r"^game 2: ") as problem:
                envs.step(actions)
            assert "\n" not in str(problem.value)
            assert [envs.game(index) for index in range(3)] == games
            assert (envs.action_masks() == masks).all()
        with pytest.raises(InputError, match="actions: must be whole numbers of shape"):
            envs.step(np.zeros(2, np.int64))
        envs.step(envs.sample_actions())


def test_an_observation_outlives_one_step():
    envs = VectorEnv(2, copy=False)
    seen, _ = envs.reset(seed=1)
    kept = seen.copy()
    later, *_ = envs.step(envs.sample_actions())
    assert (seen == kept).all()
    assert (later != kept).any()
    envs.step(envs.sample_actions())
    assert (seen != kept).any()


def test_some_games_can_be_reset():
    envs = VectorEnv(4)
    envs.reset(seed=1)
    envs.step(envs.sample_actions())
    games = [envs.game(index) for index in range(4)]
    seen, _ = envs.reset(options={"reset_mask": np.array([True, False, False, True])})
    kept = [envs.game(index) == games[index] for index in range(4)]
    assert kept == [False, True, True, False]
    assert envs.observation_space.contains(seen)
    with pytest.raises(InputError, match="reset_mask: must be bool"):
        envs.reset(options={"reset_mask": [1, 0]})


def test_every_game_begins_in_the_position():
    position = {"players": 4, "turn": "C", "C": {"cash": 777}, "D": {"out": True}}
    envs = VectorEnv(5, rules={"max_turns": 12})
    envs.reset(seed=3, options={"position": position})
    assert len({envs.game(index).state["rng"] for index in range(5)}) == 5
    ended = 0
    for key in range(300):
        ended += sum(np.logical_or(*envs.step(envs.sample_actions(key))[2:4]))
        assert all(envs.game(index).hand("D").out for index in range(5))
    assert ended
    envs.reset(seed=3)
    assert not envs.game(0).hand("D").out


def test_the_pool_is_drawn_by_its_weights():
    envs = VectorEnv(300, pool={"random": 1, "fixed_a": 3})
    envs.reset(seed=1)
    batch = envs.batch
    seats = np.arange(4) != batch.seats[:, None]
    share = batch.episodes["line_up"][:, :4][seats].mean()
    assert share == pytest.approx(0.75, abs=0.05)
    assert len(set(batch.seats.tolist())) == 4


def test_whole_tables_of_a_pool_are_drawn_by_their_weights():
    tables = {("fixed_a", "random"): 1, "fixed_b": 3}
    envs = VectorEnv(400, pool=tables, num_players=3, seat=1)
    envs.reset(seed=1)
    line_ups = envs.batch.episodes["line_up"][:, [2, 0]]
    bots = envs.batch.bots
    drawn = [tuple(bots[number] for number in row) for row in line_ups.tolist()]
    assert set(drawn) == {("fixed_a", "random"), ("fixed_b", "fixed_b")}
    assert drawn.count(("fixed_b", "fixed_b")) / 400 == pytest.approx(0.75, abs=0.07)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("pool", "problem"),
    [
        ([("random",)], "pool: a table needs 3 bots, not 1: random"),
        ([("random", "random", "nobody")], "there is no bot 'nobody'"),
        ({("random", "random", "fixed_a"): 0}, "pool: the weight of random,random,fixed_a must be"),
        ([("random",) * 3, "fixed_a", "search"], "pool: search is not compiled"),
    ],
)
def test_a_pool_of_tables_that_cannot_be_is_one_line(pool, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        VectorEnv(2, pool=pool)


def test_bots_of_the_pool_are_legal():
    envs = VectorEnv(8, pool=["fixed_a", "fixed_b", "fixed_c", "background"], rules=SHORT)
    envs.reset(seed=1)
    for key in range(200):
        envs.step(envs.sample_actions(key))
    assert not envs.batch.episodes["faults"].any()


def test_dictionaries_of_observations():
    envs = VectorEnv(3, observation="dict", rules={"max_turns": 8})
    seen, infos = envs.reset(seed=1)
    assert "action_mask" not in infos
    for key in range(100):
        assert envs.observation_space.contains(seen)
        assert (seen["action_mask"] == envs.action_masks()).all()
        seen, _, over, cut, infos = envs.step(envs.sample_actions(key))
        if (over | cut).any():
            break
    index = int(np.flatnonzero(over | cut)[0])
    assert envs.single_observation_space.contains(infos["final_obs"][index])
