"""Pools, the bot that plays the remaining phases, and weights of rewards: what does not fit is named."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from monopoly_env import SingleSeatEnv, VectorEnv
from monopoly_env.encoding.reward import HEAVIEST, Reward
from monopoly_env.errors import InputError


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "pool",
    [
        ["random", "random"],
        ["random", "fixed_a", "random"],
        [("random", "random", "random"), "fixed_a", ("random", "random", "random")],
    ],
)
def test_a_bot_twice_in_a_pool_is_refused(pool: list[object]) -> None:
    with pytest.raises(InputError, match=r"^pool: .*twice"):
        VectorEnv(1, pool=pool)


@pytest.mark.parametrize(
    "weight",
    [1, 0.5, np.float32(1), np.int64(1), np.uint8(3), np.float64(1e9), Fraction(1, 3)],
    ids=repr,
)
def test_weights_in_a_pool_are_any_numbers(weight: object) -> None:
    env = VectorEnv(1, pool={"random": weight, "fixed_a": weight})
    assert env.batch.kernel_config["chances"][0, :2].tolist() == [0.5, 1.0]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "weight",
    [0, -1, np.nan, np.inf, 1.1e9, 10**400, np.float32(-1), True, np.True_, "1", None, 1j, [1]],
    ids=lambda weight: repr(weight)[:20],
)
def test_other_weights_in_a_pool_are_one_line(weight: object) -> None:
    with pytest.raises(InputError, match=r"^pool: the weight of random must be") as raised:
        VectorEnv(1, pool={"random": weight, "fixed_a": 1})
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("rest", [None, 3, "human", "nosuch", object(), ["background"]])
@pytest.mark.parametrize("make", [SingleSeatEnv, lambda **options: VectorEnv(1, **options)])
def test_a_bot_for_the_rest_is_checked_also_where_it_plays_nothing(
    rest: object, make: object
) -> None:
    with pytest.raises(InputError) as raised:
        make(rest=rest)  # type: ignore[operator]
    assert "rest" in str(raised.value) or "there is no bot 'nosuch'" in str(raised.value)


@pytest.mark.parametrize("key", ["end_scale", "each_scale", "potential_scale"])
@pytest.mark.parametrize(
    "value", [1e308, -1e308, float("inf"), float("nan"), HEAVIEST * 1.01, 10**400, True, "1", None]
)
def test_weights_of_rewards_have_a_bound(key: str, value: object) -> None:
    with pytest.raises(InputError, match=rf"^reward: {key}: must be a number"):
        Reward.of(**{key: value})
    assert getattr(Reward.of(**{key: HEAVIEST}), key) == HEAVIEST
