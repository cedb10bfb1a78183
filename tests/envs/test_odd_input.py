"""Odd parameters get one line that names them, and no table is made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from monopoly_env import Game, IllegalAction
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
    with pytest.raises(InputError, match=r"rest: .* is not a bot"):
        raw_env(decides=["BUY"], rest=bot)
    with pytest.raises(InputError, match=r"opponents: .* is not a bot"):
        SingleSeatEnv(opponents=[bot])


def test_a_seed_is_one_number() -> None:
    with pytest.raises(InputError, match="seed: must be a whole number"):
        raw_env().reset(seed=np.array([1, 2]))


def test_a_step_before_the_first_reset() -> None:
    with pytest.raises(InputError, match=r"step: no game is running; call reset\(\)"):
        raw_env().step(0)


def test_elimination_is_checked_with_one_seat_too() -> None:
    with pytest.raises(InputError, match="elimination"):
        VectorEnv(elimination="never")


@pytest.mark.parametrize("env", [SingleSeatEnv, VectorEnv])
@pytest.mark.parametrize("parameter", ["rest", "opponents", "pool"])
def test_a_bot_that_there_is_not_is_named_with_its_parameter(env: Any, parameter: str) -> None:
    given = "xx" if parameter == "rest" else ["xx"]
    with pytest.raises(InputError, match=f"^{parameter}: there is no bot 'xx'; use one of"):
        env(**{parameter: given})


@pytest.mark.parametrize("parameter", ["decides", "leaves", "opponents"])
def test_an_endless_list_is_refused_at_once(parameter: str) -> None:
    with pytest.raises(InputError, match=f"{parameter}: must be a list of"):
        VectorEnv(**{parameter: range(2**62)})


def test_a_duration_is_no_number() -> None:
    for parameter in ("num_envs", "seat", "threads", "buffers"):
        with pytest.raises(InputError, match=f"{parameter}: must be a whole number"):
            VectorEnv(**{parameter: np.timedelta64(1)})


TABLES: dict[str, Any] = {
    "aec": lambda **more: raw_env(num_players=2, **more),
    "single": lambda **more: SingleSeatEnv(opponents=["random"], **more),
    "vector": lambda **more: VectorEnv(2, opponents=["random"], **more),
}


@pytest.mark.parametrize("kind", TABLES)
def test_a_refused_reset_changes_nothing(kind: str) -> None:
    elsewhere = {"position": {"players": 2, "edition": "yugioh2016", "A": {"cash": 7}}}
    env = TABLES[kind](narrow=True, deals="off")
    env.reset(seed=3)
    before = env.clone_state()
    with pytest.raises(InputError, match="seed: must be"):
        env.reset(seed="x", options=elsewhere)
    assert env.clone_state() == before
    with pytest.raises(InputError, match="narrow: this position"):
        env.reset(options={"position": Game(players=2, seed=1)})
    assert env.clone_state() == before


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize(
    "action",
    [-1, 2**63, 10**5000, 200, "roll?"],
    ids=lambda a: str(a)[:20] if a != 10**5000 else "huge",
)
def test_a_refused_action_changes_nothing(kind: str, narrow: bool, action: Any) -> None:
    env = TABLES[kind](narrow=narrow)
    env.reset(seed=3)
    before = env.clone_state()
    with pytest.raises((InputError, IllegalAction)) as refused:
        env.step([0, action] if kind == "vector" else action)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 1000
    assert env.clone_state() == before


def test_what_narrow_leaves_cannot_be_written() -> None:
    for make in TABLES.values():
        env = make(narrow=True)
        assert not env.columns.flags.writeable
        assert not env.action_ids.flags.writeable


@pytest.mark.parametrize("state", [None, 3, "x", {}, {"games": 1}, {"games": np.zeros(3)}, []])
def test_arrays_of_a_state_that_do_not_fit_change_nothing(state: Any) -> None:
    env = VectorEnv(2)
    env.reset(seed=1)
    before = env.clone_state()
    with pytest.raises(InputError, match="state: "):
        env.load_state_arrays(state)
    with pytest.raises(InputError, match="state: views must have"):
        env.load_state_arrays(env.state_arrays() | {"views": np.zeros(1)})
    assert env.clone_state() == before


def test_an_empty_path_is_named() -> None:
    with pytest.raises(InputError, match="is an empty path; name a YAML file"):
        Game.from_position("")
