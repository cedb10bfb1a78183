"""Odd parameters get one line that names them, and no table is made."""

from __future__ import annotations

import math
from typing import Any

import pytest

from monopoly_env.editions.place import InputError
from monopoly_env.envs.single import SingleSeatEnv
from monopoly_env.envs.vector import VectorEnv

ODD: list[dict[str, Any]] = [
    {"num_players": 10**9},
    {"num_players": "x"},
    {"num_players": 1.5},
    {"num_players": math.nan},
    {"pool": {"random": 1e308, "fixed_a": 1e308}},
    {"pool": {"random": 10**400}},
    {"pool": {"random": math.nan}},
    {"pool": 1},
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


def test_elimination_is_checked_with_one_seat_too() -> None:
    with pytest.raises(InputError, match="elimination"):
        VectorEnv(elimination="never")
