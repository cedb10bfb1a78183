"""What callers do to the arrays that they are handed changes nothing in the games."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest

from monopoly_env import monopoly_v0
from monopoly_env.envs import SingleSeatEnv, VectorEnv
from monopoly_env.errors import InputError
from tests.envs.players import pick

pytestmark = pytest.mark.promise("isolation")

SHORT = {"max_turns": 16}
NAME = "monopoly_env/Monopoly-v0"


def arrays_of(value: Any) -> list[Any]:
    """All arrays in what an environment hands out."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return [value]
    if isinstance(value, np.ndarray):
        return [one for item in value for one in arrays_of(item)]
    if isinstance(value, dict):
        return [one for item in value.values() for one in arrays_of(item)]
    if isinstance(value, tuple | list):
        return [one for item in value for one in arrays_of(item)]
    return []


def spoil(value: Any) -> None:
    """Overwrite all arrays."""
    for array in arrays_of(value):
        array[...] = array.dtype.type(1) if array.dtype == np.bool_ else 77


def looked_at(env: VectorEnv) -> list[Any]:
    return [
        env.observations,
        env.action_masks(),
        env.actors,
        env.game_seeds,
        env.final_observations,
    ]


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
@pytest.mark.parametrize("observation", ["flat", "dict"])
@pytest.mark.parametrize("seats", ["one", "all"])
def test_a_caller_may_write_into_what_it_gets(mode: str, observation: str, seats: str) -> None:
    parameters: dict[str, Any] = {
        "rules": SHORT, "observation": observation, "seats": seats, "autoreset_mode": mode,
    }  # fmt: skip
    env, twin = VectorEnv(5, **parameters), VectorEnv(5, **parameters)
    spoil(env.reset(seed=3))
    twin.reset(seed=3)
    for key in range(200):
        actions = twin.sample_actions(key)
        spoil(looked_at(env))
        given, expected = env.step(actions), twin.step(actions)
        for one, other in zip(arrays_of(given), arrays_of(expected), strict=True):
            np.testing.assert_array_equal(one, other)
        spoil(given)
        over = np.logical_or(*expected[2:4])
        if mode == "Disabled" and over.any():
            spoil(env.reset(options={"reset_mask": over}))
            twin.reset(options={"reset_mask": over})
    assert env.batch.games.tobytes() == twin.batch.games.tobytes()


def test_arrays_are_kept_as_they_were() -> None:
    """As a client does that stores references, such as TorchRL's wrapper."""
    env = gymnasium.make_vec(NAME, num_envs=4, rules=SHORT)
    assert env.unwrapped.copy is True
    kept = [env.reset(seed=3)]
    bytes_then = [[one.tobytes() for one in arrays_of(kept[0])]]
    for key in range(60):
        kept.append(env.step(env.unwrapped.sample_actions(key)))
        bytes_then.append([one.tobytes() for one in arrays_of(kept[-1])])
    for given, then in zip(kept, bytes_then, strict=True):
        assert [one.tobytes() for one in arrays_of(given)] == then


@pytest.mark.parametrize("observation", ["flat", "dict"])
def test_without_a_copy_the_buffers_cannot_be_written(observation: str) -> None:
    env = VectorEnv(3, copy=False, observation=observation, rules=SHORT)
    twin = VectorEnv(3, observation=observation, rules=SHORT)
    seen, info = env.reset(seed=3)
    twin.reset(seed=3)
    for key in range(60):
        for array in arrays_of(
            [seen, info.get("action_mask"), env.action_masks(), env.observations]
        ):
            assert not array.flags.writeable
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
        seen, *_, info = env.step(env.sample_actions(key))
        expected, *_ = twin.step(twin.sample_actions(key))
        for one, other in zip(arrays_of(seen), arrays_of(expected), strict=True):
            np.testing.assert_array_equal(one, other)
    with pytest.raises(InputError, match="copy: must be True or False"):
        VectorEnv(2, copy=1)  # type: ignore[arg-type]  # that is what is tried


@pytest.mark.parametrize("observation", ["flat", "dict"])
@pytest.mark.parametrize("illegal", ["raise", "random", "forfeit"])
def test_single(observation: str, illegal: str) -> None:
    parameters: dict[str, Any] = {
        "observation": observation, "illegal_action": illegal, "rules": SHORT, "reward": "net_worth",
    }  # fmt: skip
    env, twin = SingleSeatEnv(**parameters), SingleSeatEnv(**parameters)
    random = np.random.default_rng(1)
    given, expected = env.reset(seed=3), twin.reset(seed=3)
    over = False
    while not over:
        for one, other in zip(arrays_of(given), arrays_of(expected), strict=True):
            np.testing.assert_array_equal(one, other)
        spoil(given)
        spoil(env.action_masks())
        action = pick(twin.action_masks(), random)
        assert env.action_masks()[action]
        given, expected = env.step(action), twin.step(action)
        assert given[1:4] == expected[1:4]
        over = expected[2] or expected[3]
    assert env.game == twin.game


@pytest.mark.parametrize("make", [monopoly_v0.raw_env, monopoly_v0.env])
def test_aec(make: Any) -> None:
    env, twin = make(rules=SHORT), make(rules=SHORT)
    random = np.random.default_rng(1)
    env.reset(seed=3)
    twin.reset(seed=3)
    while twin.agents:
        given, expected = env.last(), twin.last()
        assert given[1:4] == expected[1:4]
        for name, array in expected[0].items():
            np.testing.assert_array_equal(given[0][name], array)
            given[0][name][...] = 0
        spoil([env.observe(agent) for agent in env.agents])
        spoil(env.state())
        over = expected[2] or expected[3]
        action = None if over else pick(expected[0]["action_mask"], random)
        env.step(action)
        twin.step(action)
        assert env.rewards == twin.rewards
    assert env.unwrapped.game == twin.unwrapped.game


def test_torch_does_not_warn_of_what_we_hand_out() -> None:
    torch = pytest.importorskip("torch")
    env = VectorEnv(2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seen, info = env.reset(seed=1)
        assert torch.as_tensor(seen).shape == seen.shape
        assert torch.from_numpy(info["action_mask"]).any()


def test_infos_with_masks_are_kept_as_they_were():
    env = monopoly_v0.raw_env(num_players=2, observation="flat", rules={"max_turns": 10})
    env.reset(seed=4)
    kept = []
    while env.agents:
        info = env.last()[4]
        over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        kept.append((info, info["action_mask"].copy()))
        env.step(None if over else int(info["action_mask"].argmax()))
    assert len(kept) > 20
    assert all((info["action_mask"] == mask).all() for info, mask in kept)
