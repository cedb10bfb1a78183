"""Packed observations through every environment, with all that can be asked of one."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from monopoly_env import monopoly_v0
from monopoly_env.encoding.packed import PACKED_SIZE
from monopoly_env.encoding.unpacking import unpack
from monopoly_env.envs.autoreset import AutoresetMode
from monopoly_env.envs.single import SingleSeatEnv
from monopoly_env.envs.vector import VectorEnv

PACKED: Any = {"observation": "packed"}
TABLE: Any = {"opponents": ["random"] * 3, "rules": {"max_decisions": 120}}


def both(make: Any = VectorEnv, *args: Any, **options: Any) -> tuple[Any, Any]:
    """An environment in either form."""
    return make(*args, **options), make(*args, **options, **PACKED)


def same(rows: Any, numbers: Any) -> bool:
    """Whether rows are these numbers, bit for bit."""
    return bool(rows.dtype == np.uint8 and unpack(rows).tobytes() == numbers.tobytes())


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("seats", ["one", "all"])
def test_autoreset_modes(mode: AutoresetMode, seats: str) -> None:
    options: Any = {"autoreset_mode": mode, "seats": seats, "rules": {"max_decisions": 60}}
    plain, packed = both(VectorEnv, 6, **options)
    seen, rows = plain.reset(seed=4)[0], packed.reset(seed=4)[0]
    assert packed.single_observation_space.shape == (PACKED_SIZE,)
    assert packed.observation_space.contains(rows)
    for key in range(150):
        assert same(rows, seen)
        actions = np.maximum(plain.sample_actions(key), 0)
        if mode == AutoresetMode.DISABLED and plain._over.any():
            again = {"reset_mask": plain._over.copy()}
            seen, rows = plain.reset(options=again)[0], packed.reset(options=again)[0]
            continue
        seen, reward, ended, cut, _ = plain.step(actions)
        rows, *others, _ = packed.step(actions)
        for one, other in zip((reward, ended, cut), others, strict=True):
            assert (one == other).all()


def test_copies_pickles_and_states() -> None:
    _, env = both(VectorEnv, 4, seats="all")
    env.reset(seed=1)
    for key in range(40):
        env.step(env.sample_actions(key))
    state = env.clone_state()
    twins = [
        copy.deepcopy(env),
        pickle.loads(pickle.dumps(env)),
        VectorEnv(4, seats="all", **PACKED),
    ]
    twins[2].restore_state(state)
    twins[2].restore_state(env.clone_state([1]), [3])
    twins[2].restore_state(env.clone_state([3]), [3])
    arrays = VectorEnv(4, seats="all", **PACKED)
    arrays.reset(seed=9)
    arrays.load_state_arrays(env.state_arrays())
    for key in range(40):
        actions = env.sample_actions(key)
        rows = env.step(actions)[0]
        for twin in (*twins, arrays):
            assert (twin.step(actions)[0] == rows).all()


@pytest.mark.parametrize("hands_out", [True, False])
def test_whose_arrays_they_are(hands_out: bool) -> None:
    env = VectorEnv(3, copy=hands_out, **TABLE, **PACKED)
    rows, _ = env.reset(seed=0)
    assert rows.flags.writeable == hands_out
    kept = rows.copy()
    env.step(env.sample_actions())
    assert (rows == kept).all()
    assert env.final_observations.shape == (3, PACKED_SIZE)
    assert env.nbytes < VectorEnv(3, **TABLE).nbytes


@pytest.mark.parametrize("what", ["random", "forfeit"])
def test_illegal_actions(what: str) -> None:
    plain, packed = both(VectorEnv, 5, illegal_action=what, **TABLE)
    plain.reset(seed=3)
    packed.reset(seed=3)
    for number in range(0, 342, 9):
        actions = np.full(5, number)
        assert same(packed.step(actions)[0], plain.step(actions)[0])


def test_threads_and_positions() -> None:
    plain, packed = both(VectorEnv, 64, seats="all", threads=2)
    plain.reset(seed=3)
    packed.reset(seed=3)
    for key in range(20):
        actions = plain.sample_actions(key)
        assert same(packed.step(actions)[0], plain.step(actions)[0])
    games = plain.get_games([5, 9])
    seen, rows = plain.set_games(games, [1, 2])[0], packed.set_games(games, [1, 2])[0]
    assert same(rows, seen)
    other = {"position": games[0]}
    assert same(packed.reset(options=other)[0], plain.reset(options=other)[0])


def test_one_seat() -> None:
    plain, packed = both(SingleSeatEnv, **TABLE)
    (seen, info), (rows, other) = plain.reset(seed=7), packed.reset(seed=7)
    assert packed.observation_space.contains(rows)
    state = packed.clone_state()
    first = rows
    for _ in range(60):
        assert same(rows, seen)
        assert (info["action_mask"] == other["action_mask"]).all()
        action = int(np.flatnonzero(info["action_mask"])[-1])
        seen, _, over, cut, info = plain.step(action)
        rows, *_, other = packed.step(action)
        if over or cut:
            break
    assert (packed.restore_state(state)[0] == first).all()


def test_every_seat_in_turn() -> None:
    plain, packed = both(monopoly_v0.raw_env, rules={"max_decisions": 90})
    plain.reset(seed=7)
    packed.reset(seed=7)
    for agent in packed.agent_iter():
        rows, reward, over, cut, info = packed.last()
        seen, *others, _ = plain.last()
        assert (reward, over, cut) == tuple(others)
        assert same(rows, seen["observation"])
        assert packed.observation_space(agent).contains(rows)
        assert same(packed.observe("player_1"), plain.observe("player_1")["observation"])
        assert same(packed.state(), plain.state())
        action = None if over or cut else int(np.flatnonzero(info["action_mask"])[0])
        packed.step(action)
        plain.step(action)
