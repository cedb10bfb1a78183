"""Odd parameters get one line that names them, and no table is made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from monopoly_env.envs.aec import raw_env
from monopoly_env.envs.single import SingleSeatEnv
from monopoly_env.envs.vector import VectorEnv
from monopoly_env.errors import InputError

pytestmark = pytest.mark.promise("bad_input")

ODD: list[dict[str, Any]] = [
    {"num_players": 10**9},
    {"num_players": "x"},
    {"num_players": 1.5},
    {"num_players": math.nan},
    {"pool": {"random": 1e308, "fixed_a": 1e308}},
    {"pool": {"random": 10**400}},
    {"pool": {"random": math.nan}},
    {"pool": 1},
    {"pool": [np.array(["random"])]},
    {"pool": [["random"]]},
    {"pool": [5]},
    {"decides": 1},
]


@pytest.mark.parametrize("parameters", ODD, ids=str)
@pytest.mark.parametrize("env", [SingleSeatEnv, VectorEnv])
def test_refused(env: Any, parameters: dict[str, Any]) -> None:
    with pytest.raises(InputError) as refused:
        env(**parameters)
    text = str(refused.value)
    assert "\n" not in text
    assert next(iter(parameters)) in text


WORDS = ("windows", "deals", "reward", "elimination", "render_mode", "decides", "edition", "mode")


@pytest.mark.parametrize("parameter", WORDS)
@pytest.mark.parametrize(
    "value", [np.array(["win", "own"]), np.array("win"), np.arange(3)], ids=str
)
def test_an_array_is_no_word(parameter: str, value: Any) -> None:
    with pytest.raises(InputError, match=parameter) as refused:
        raw_env(**{parameter: value})
    assert "\n" not in str(refused.value)


def test_rules_given_as_arrays() -> None:
    with pytest.raises(InputError, match="windows: must be all or own"):
        raw_env(rules={"windows": np.array(["all", "own"])})


@pytest.mark.parametrize("bot", [np.array(["random"]), 5, None, b"random"], ids=str)
def test_what_is_no_bot(bot: Any) -> None:
    with pytest.raises(InputError, match=r"rest: .* is no bot"):
        raw_env(decides=["BUY"], rest=bot)
    with pytest.raises(InputError, match=r"opponents: .* is no bot"):
        SingleSeatEnv(opponents=[bot])


def test_a_seed_is_one_number() -> None:
    with pytest.raises(InputError, match="seed: must be a whole number"):
        raw_env().reset(seed=np.array([1, 2]))


def test_a_step_before_the_first_reset() -> None:
    with pytest.raises(InputError, match=r"step: no game is on; call reset\(\)"):
        raw_env().step(0)


def test_elimination_is_checked_with_one_seat_too() -> None:
    with pytest.raises(InputError, match="elimination"):
        VectorEnv(elimination="never")
