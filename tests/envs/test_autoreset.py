"""When finished games begin anew: as Gymnasium's own vector environments do it, in each mode."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.wrappers import vector as wrappers

from monopoly_env import IllegalAction
from monopoly_env.envs import SingleSeatEnv, VectorEnv
from monopoly_env.envs.autoreset import AutoresetMode
from monopoly_env.errors import InputError

NAME = "monopoly_env/Monopoly-v0"
SHORT = {"max_turns": 16}
MODES = [mode.value for mode in AutoresetMode]
LATER = ["NextStep", "Disabled"]  # games that are over are shown until they begin anew
N = 4


def sync(mode: str, **parameters: Any) -> Any:
    """The same games in Gymnasium's vector environment, one after the other."""
    envs = [lambda: SingleSeatEnv(skip_forced=True, **parameters)] * N
    return gymnasium.vector.SyncVectorEnv(envs, autoreset_mode=AutoresetMode(mode))


def same(ours: Any, theirs: Any, rows: Any = slice(None)) -> None:
    """What both gave at a step or a reset."""
    *given, info = ours
    *expected, other = theirs
    for one, two in zip(given, expected, strict=True):
        np.testing.assert_allclose(one[rows], two[rows], atol=1e-6)
    np.testing.assert_array_equal(info["action_mask"][rows], other["action_mask"][rows])


def final_facts(info: Any, other: Any) -> int:
    """The facts of ended games that both have; how many games ended."""
    if "final_info" in other:
        np.testing.assert_array_equal(info["_final_obs"], other["_final_obs"])
        for one, two in zip(info["final_obs"], other["final_obs"], strict=True):
            np.testing.assert_array_equal(one, two)
        info, other = info["final_info"], other["final_info"]
    if "rank" not in other:
        assert "rank" not in info
        return 0
    done = other["_rank"]
    for name in ("rank", "win", "turns", "decisions"):
        np.testing.assert_array_equal(info[f"_{name}"], done)
        np.testing.assert_array_equal(info[name][done], other[name][done])
    return int(done.sum())


@pytest.mark.parametrize("parameters", [{}, {"reward": "net_worth"}], ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_it_is_as_in_gymnasiums_sync_vector_env(mode: str, parameters: dict[str, Any]) -> None:
    ours = VectorEnv(N, autoreset_mode=mode, rules=SHORT, **parameters)
    theirs = sync(mode, rules=SHORT, **parameters)
    seeds = [3, 4, 5, 6]
    same(ours.reset(seed=seeds), theirs.reset(seed=seeds))
    ended = 0
    for key in range(300):
        actions = ours.sample_actions(key)
        one, two = ours.step(actions), theirs.step(actions)
        same(one, two)
        ended += final_facts(one[-1], two[-1])
        over = one[2] | one[3]
        if mode == "Disabled" and over.any():
            mask = {"reset_mask": over}
            same(ours.reset(options=mask), theirs.reset(options=dict(mask)), over)
    assert ended > 5
    theirs.close()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("threads", [1, 2])
def test_all_seats(mode: str, threads: int) -> None:
    """The same games as in the default mode; at the end, the view of whoever acted last."""
    parameters: dict[str, Any] = {"rules": SHORT, "seats": "all", "num_players": 3}
    env = VectorEnv(N, autoreset_mode=mode, threads=threads, **parameters)
    plain = VectorEnv(N, **parameters)
    for seed in range(5):
        first, second = env.reset(seed=seed), plain.reset(seed=seed)
        over = np.zeros(N, bool)
        key = 0
        while not over.any():
            same(first, second)
            key += 1
            actions = plain.sample_actions(key)
            first, second = env.step(actions), plain.step(actions)
            over = second[2] | second[3]
        np.testing.assert_array_equal(first[1], second[1])
        facts, expected = first[-1], second[-1]["final_info"]
        facts = facts["final_info"] if mode == "SameStep" else facts
        for index in np.flatnonzero(over).tolist():
            last = first[-1]["final_obs"][index] if mode == "SameStep" else first[0][index]
            np.testing.assert_array_equal(last, second[-1]["final_obs"][index])
            np.testing.assert_array_equal(facts["rank"][index], expected["rank"][index])
            assert facts["seed"][index] == expected["seed"][index]
        if mode != "SameStep":
            assert not first[-1]["action_mask"][over].any()
        if mode == "Disabled":
            env.reset(options={"reset_mask": over})
        env.step(env.sample_actions())
    env.close()


def test_next_step_begins_a_game_whatever_its_action() -> None:
    env = VectorEnv(1, autoreset_mode="NextStep", rules=SHORT)
    env.reset(seed=3)
    over = cut = np.zeros(1, bool)
    while not (over | cut).any():
        _, _, over, cut, info = env.step(env.sample_actions())
    seed = env.game_seeds[0]
    assert not info["action_mask"].any()
    assert env.sample_actions().tolist() == [-1]  # nothing is legal, and nothing is needed
    with pytest.raises(InputError, match=r"actions\[0\]: must be"):
        env.step([None])  # type: ignore[arg-type]  # that is what is tried
    seen, reward, over, cut, info = env.step(np.array([2**64 - 2], np.uint64))
    assert (reward[0], over[0], cut[0]) == (0.0, False, False)
    assert info["action_mask"].any()
    assert "rank" not in info
    assert env.game_seeds[0] != seed
    assert env.observation_space.contains(seen)


def test_next_step_refuses_an_illegal_action_elsewhere_and_begins_nothing() -> None:
    env = VectorEnv(N, autoreset_mode="NextStep", rules=SHORT)
    env.reset(seed=3)
    over = np.zeros(N, bool)
    key = 0
    while not over.any() or over.all():
        key += 1
        _, _, ended, cut, _ = env.step(env.sample_actions(key))
        over = ended | cut
    before, actions = env.batch.games.tobytes(), env.sample_actions()
    bad = actions.copy()
    index = int(np.flatnonzero(~over)[0])
    bad[index] = 341
    for _ in range(2):
        with pytest.raises(IllegalAction, match=f"^game {index}: "):
            env.step(bad)
        assert env.batch.games.tobytes() == before
    _, reward, ended, cut, _ = env.step(actions)
    assert not (ended | cut)[over].any()
    assert not reward[over].any()


def test_disabled_wants_a_reset() -> None:
    env = VectorEnv(N, autoreset_mode=AutoresetMode.DISABLED, rules=SHORT)
    env.reset(seed=3)
    over = np.zeros(N, bool)
    key = 0
    while not over.any() or over.all():
        key += 1
        _, _, ended, cut, _ = env.step(env.sample_actions(key))
        over = ended | cut
    first = int(np.flatnonzero(over)[0])
    before = env.batch.games.tobytes()
    with pytest.raises(InputError, match=rf"^step: games? {first}.*reset_mask"):
        env.step(env.sample_actions())
    assert env.batch.games.tobytes() == before
    last = env.observations[over]
    seen, info = env.reset(options={"reset_mask": over})
    assert not (seen[over] == last).all()
    assert info["action_mask"].any(axis=1).all()
    env.step(env.sample_actions())
    env.reset()
    env.step(env.sample_actions())


@pytest.mark.parametrize("mode", MODES)
def test_what_is_kept_holds_the_games_that_are_over(mode: str) -> None:
    parameters: dict[str, Any] = {"autoreset_mode": mode, "rules": SHORT}
    env, other = VectorEnv(N, **parameters), VectorEnv(N, **parameters)
    env.reset(seed=3)
    ended = False
    key = 0
    while not ended:
        key += 1
        _, _, over, cut, _ = env.step(env.sample_actions(key))
        ended = bool((over | cut).any())
    other.load_state_arrays(env.state_arrays())
    if mode == "Disabled":
        for one in (env, other):
            with pytest.raises(InputError, match=r"^step: games? "):
                one.step(one.sample_actions())
        return
    for _ in range(20):
        key += 1
        given, expected = other.step(other.sample_actions(key)), env.step(env.sample_actions(key))
        for one, two in zip(given[:4], expected[:4], strict=True):
            np.testing.assert_array_equal(one, two)


def until_some_end(env: VectorEnv) -> npt.NDArray[np.bool_]:
    """Random steps until games end; which of them."""
    key = 0
    over = np.zeros(env.num_envs, np.bool_)
    while not over.any():
        key += 1
        _, _, ended, cut, _ = env.step(env.sample_actions(key))
        over = ended | cut
    return over


@pytest.mark.parametrize("mode", LATER)
@pytest.mark.parametrize("observation", ["flat", "packed"])
def test_what_is_kept_shows_the_end_as_the_last_actor_saw_it(mode: str, observation: str) -> None:
    parameters: dict[str, Any] = {"seats": "all", "autoreset_mode": mode, "rules": SHORT}
    parameters["observation"] = observation
    env, other = VectorEnv(N, **parameters), VectorEnv(N, **parameters)
    for seed in range(4):  # the last actors of all of them are not seat 0
        env.reset(seed=seed)
        over = until_some_end(env)
        other.load_state_arrays(env.state_arrays())
        np.testing.assert_array_equal(other.observations, env.observations)
        np.testing.assert_array_equal(other.action_masks(), env.action_masks())
        assert not other.action_masks()[over].any()
        assert (other._last_actors[over] == env._last_actors[over]).all()


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("mode", LATER)
def test_what_was_kept_without_last_actors_is_refused(mode: str) -> None:
    env = VectorEnv(N, seats="all", autoreset_mode=mode, rules=SHORT)
    env.reset(seed=3)
    state = env.state_arrays()
    del state["last_actors"]
    before = env.clone_state()
    with pytest.raises(InputError, match=r"^state: has no last_actors: another version"):
        env.load_state_arrays(state | {"over": np.zeros(N, np.bool_)})
    assert env.clone_state() == before


@pytest.mark.parametrize("mode", LATER)
def test_rows_show_the_end_as_the_last_actor_saw_it_too(mode: str) -> None:
    parameters: dict[str, Any] = {"seats": "all", "autoreset_mode": mode, "rules": SHORT}
    env, rows = VectorEnv(N, **parameters), VectorEnv(N, **parameters)
    for seed in range(4):  # the last actors of all of them are not seat 0
        for one in (env, rows):
            one.reset(seed=seed)
        key = 0
        while not env._over.any():
            key += 1
            actions = env.sample_actions(key)
            env.step(actions)
            for row in range(N):
                rows.advance_rows(np.array([row]), actions[[row]])
        np.testing.assert_array_equal(rows.observations, env.observations)
        np.testing.assert_array_equal(rows._over_actors(), env._over_actors())


@pytest.mark.parametrize("mode", [*MODES, *AutoresetMode, "next_step", "SAME_STEP", "disabled"])
def test_modes_and_their_names(mode: Any) -> None:
    env = VectorEnv(2, autoreset_mode=mode)
    assert isinstance(env.autoreset_mode, AutoresetMode)
    assert env.metadata["autoreset_mode"] is env.autoreset_mode
    text = mode if isinstance(mode, str) else mode.value
    assert env.autoreset_mode.value.lower() == text.replace("_", "").lower()
    assert VectorEnv.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert twin.autoreset_mode is env.autoreset_mode
    made = gymnasium.make_vec(NAME, num_envs=2, autoreset_mode=mode)
    assert made.metadata["autoreset_mode"] is env.autoreset_mode


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("mode", ["never", "", None, 1, True, b"SameStep", ["SameStep"]])
def test_other_modes_are_one_line(mode: Any) -> None:
    with pytest.raises(InputError, match=r"autoreset_mode: must be one of .*SameStep"):
        VectorEnv(2, autoreset_mode=mode)


def dtype64(env: Any) -> Any:
    return wrappers.DtypeObservation(env, np.float64)


def doubled(env: Any) -> Any:
    space = gymnasium.spaces.Box(-np.inf, np.inf, env.single_observation_space.shape, np.float32)
    return wrappers.VectorizeTransformObservation(
        env,
        gymnasium.wrappers.TransformObservation,
        func=lambda seen: seen * 2,
        observation_space=space,
    )


def whole_batch(env: Any) -> Any:
    return wrappers.TransformObservation(env, lambda seen: seen / 2, env.observation_space)


def clipped(env: Any) -> Any:
    return wrappers.ClipReward(env, -0.5, 0.5)


WRAPPERS = {
    wrappers.RecordEpisodeStatistics: MODES,
    wrappers.NormalizeReward: MODES,
    clipped: MODES,
    wrappers.FlattenObservation: ["NextStep", "Disabled"],
    dtype64: ["NextStep", "Disabled"],
    doubled: ["NextStep", "Disabled"],
    whole_batch: ["NextStep", "Disabled"],
    wrappers.NormalizeObservation: ["NextStep"],
    wrappers.DictInfoToList: MODES,
}


@pytest.mark.parametrize(
    ("wrapper", "mode"), [(one, mode) for one, modes in WRAPPERS.items() for mode in modes]
)
@pytest.mark.parametrize("copied", [True, False])
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")  # Gymnasium's, of float64
def test_gymnasiums_vector_wrappers(wrapper: Any, mode: str, copied: bool) -> None:
    if wrapper is wrappers.FlattenObservation and not copied:
        pytest.skip("it writes into what it gets")
    if wrapper is wrappers.DictInfoToList and gymnasium.__version__ in ("1.2.0", "1.2.1"):
        pytest.skip("before 1.2.2 it needs a mask for every array in the infos")
    bare = gymnasium.make_vec(
        NAME, num_envs=3, autoreset_mode=mode, rules=SHORT, copy=copied, reward="net_worth"
    )
    env = wrapper(bare)
    seen, _ = env.reset(seed=4)
    ended = 0
    for key in range(60):
        assert env.observation_space.contains(seen) or wrapper is wrappers.NormalizeObservation
        seen, _, over, cut, infos = env.step(bare.sample_actions(key))
        done = over | cut
        ended += done.sum()
        if wrapper is wrappers.RecordEpisodeStatistics and done.any():
            facts = infos["final_info"] if mode == "SameStep" else infos
            np.testing.assert_allclose(infos["episode"]["r"][done], facts["gain"][done], rtol=1e-5)
            np.testing.assert_array_equal(infos["episode"]["l"][done], facts["steps"][done])
        if mode == "Disabled" and done.any():
            seen, _ = env.reset(options={"reset_mask": done})
    assert ended
