"""What callers hand over as actions: integers in all forms; the rest is one line that names it."""

from __future__ import annotations

import math
import re
from collections import UserList
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from monopoly_env import Game, IllegalAction, monopoly_v0
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.envs import SingleSeatEnv, VectorEnv
from monopoly_env.envs.step_codes import PLAY, RESET, SKIP
from monopoly_env.errors import InputError

pytestmark = pytest.mark.promise("bad_input")


def spelled(value: object) -> str:
    """A value for the name of a test, without its address: workers have to agree on names."""
    return re.sub(r" at 0x\w+", "", repr(value))


N = 4
INTEGERS = [
    "i1",
    "i2",
    "i4",
    "i8",
    "u1",
    "u2",
    "u4",
    "u8",
    ">i2",
    ">i4",
    ">i8",
    ">u4",
    ">u8",
    "<i8",
]
MASKED = np.ma.array([0, 0, 0, 0], mask=[False, True, False, False])


class Odd:
    """Something that says it is an array, and is not."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("on another device")


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


# --- one action ---


def forms_of(number: int) -> list[Any]:
    """A number from 0 to 127 in all forms that are taken."""
    scalars = [np.dtype(name).type(number) for name in INTEGERS]
    return [number, *scalars, *(np.array(number, name) for name in INTEGERS)]


NO_ACTION: list[Any] = [
    True, np.True_, 0.0, np.float32(0), math.nan, math.inf, 0j, None, "0", b"0", [0], (0,), {}, {0},
    np.array([0]), np.array([[0]]), np.array(0.0), np.array(True), np.array("0"), np.array(0, object),
    np.timedelta64(0), np.datetime64(0, "s"), np.array(0, "m8"), np.ma.masked, object(), int, Odd(),
    slice(0), range(1),
]  # fmt: skip
TOO_LARGE: list[Any] = [
    -1, -2, -3, N_ACTIONS, 2**31, 2**32, 2**63, 2**64 - 1, 2**64 - 2, 2**64, -(2**63), 10**30,
    np.int8(-1), np.int64(-2), np.uint64(2**64 - 1), np.uint64(2**64 - 2),
    np.array(2**64 - 1, "u8"), np.array(-1, ">i2"), np.array(2**63, ">u8"),
]  # fmt: skip


def single() -> Any:
    return SingleSeatEnv(seat=0)


def wrapped_parallel() -> Any:
    """The wrapped environment, behind PettingZoo's conversion."""
    return turn_based_aec_to_parallel(monopoly_v0.env())


def act(env: Any, action: object) -> object:
    """Take an action in any environment; the game afterwards."""
    if isinstance(env, Game):
        env.play(action)  # type: ignore[arg-type]  # that is what is tried
        return env
    if hasattr(env, "aec_env"):
        env.step({env.aec_env.agent_selection: action})
    else:
        env.step(action)
    return env.unwrapped.game


def begun(make: Any) -> Any:
    env = make()
    if not isinstance(env, Game):
        env.reset(seed=7)
    return env


MAKERS = {
    "game": lambda: Game(seed=7),
    "single": single,
    "raw_env": monopoly_v0.raw_env,
    "env": monopoly_v0.env,
    "parallel": wrapped_parallel,
}


def state(env: Any) -> Any:
    return (env if isinstance(env, Game) else env.unwrapped.game).state.tobytes()


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_one_action_in_all_forms(make: Any) -> None:
    env = begun(make)
    game = env if isinstance(env, Game) else env.unwrapped.game
    number = game.legal_ids()[0]
    assert number < 128
    expected = act(env, number)
    for action in forms_of(number):
        assert act(begun(make), action) == expected, repr(action)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_what_is_no_action_is_one_line(make: Any) -> None:
    env = begun(make)
    before = state(env)
    text_is_fine = isinstance(env, Game) or env.__class__ is monopoly_v0.raw_env
    for action in NO_ACTION:
        if isinstance(action, str) and text_is_fine:
            continue
        with pytest.raises(IllegalAction if isinstance(env, Game) else InputError) as refused:
            act(env, action)
        text = str(refused.value)
        assert "\n" not in text
        assert "action" in text
        assert state(env) == before, repr(action)


@pytest.mark.parametrize("name", ["game", "single", "raw_env", "env"])
def test_a_number_that_no_action_has_is_one_line(name: str) -> None:
    env = begun(MAKERS[name])
    before = state(env)
    for action in TOO_LARGE:
        with pytest.raises(InputError if name == "env" else IllegalAction) as refused:
            act(env, action)
        assert "\n" not in str(refused.value)
        assert str(int(action)) in str(refused.value)
        assert state(env) == before, repr(action)


# --- an action for each game ---


def stepped(actions: Any, **parameters: Any) -> VectorEnv:
    env = VectorEnv(N, skip_forced=False, seats="all", **parameters)
    env.reset(seed=7)
    env.step(actions)
    return env


def games(env: VectorEnv) -> bytes:
    return env.batch.games.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_many_actions_in_all_forms(threads: int) -> None:
    plain = np.zeros(N, np.int64)
    expected = games(stepped(plain))
    forms: list[Any] = [plain.astype(name) for name in INTEGERS]
    forms += [
        [0] * N, (0,) * N, [np.int16(0)] * N, [np.array(0)] * N, UserList([0] * N),
        np.zeros(2 * N, np.int64)[::2], np.zeros(N, np.int32)[::-1], read_only(np.zeros(N, np.int64)),
        np.zeros((N, 2), np.int8)[:, 1], np.zeros(N, np.int64).view(np.recarray),
        np.ma.zeros(N, np.int64), np.frombuffer(bytes(8 * N), np.int64),
    ]  # fmt: skip
    for actions in forms:
        env = stepped(actions, threads=threads)
        assert games(env) == expected, repr(actions)
        env.close()


def test_tensors_are_arrays() -> None:
    torch = pytest.importorskip("torch")
    expected = games(stepped(np.zeros(N, np.int64)))
    assert games(stepped(torch.zeros(N, dtype=torch.int32))) == expected
    with pytest.raises(InputError, match="actions: must be whole numbers"):
        stepped(torch.zeros(N))
    with pytest.raises(InputError, match="actions: must be whole numbers"):
        stepped(torch.zeros(N, dtype=torch.bool))


@pytest.mark.parametrize(
    "actions",
    [
        np.zeros(N), np.zeros(N, np.float16), np.zeros(N, np.bool_), np.zeros(N, object),
        np.zeros(N, "U1"), np.zeros(N, "S1"), np.zeros(N, "m8"), np.zeros(N, "M8[s]"),
        np.zeros(N, "c8"), np.zeros(N, "V8"), np.zeros(N, [("action", "i8")]), np.full(N, np.nan),
        np.zeros((N, 1), np.int64), np.zeros((1, N), np.int64), np.zeros(N + 1, np.int64),
        np.zeros(0, np.int64), np.array(0), np.int64(0), 0, None, "0000", b"0000", "roll",
        [0] * (N - 1), [[0]] * N, [0, 0, 0, [0]], [0, 0, 0, True], [0, 0, 0, 0.0], [0, 0, 0, None],
        [0, 0, 0, "0"], [0, 0, 0, math.nan], [True] * N, {0: 0}, {0, 1, 2, 3}, iter([0] * N), MASKED,
        Odd(), object(), [np.timedelta64(0)] * N, [np.zeros(1, np.int64)] * N, [np.zeros(2)] * N,
    ],
    ids=spelled,
)  # fmt: skip
def test_what_are_no_actions_is_one_line(actions: Any) -> None:
    env = VectorEnv(N)
    env.reset(seed=7)
    before = games(env)
    with pytest.raises(InputError, match=r"^actions(\[\d\])?: must be ") as refused:
        env.step(actions)
    assert "\n" not in str(refused.value)
    assert games(env) == before


def test_the_place_of_what_is_no_action_is_named() -> None:
    env = VectorEnv(N)
    env.reset(seed=7)
    with pytest.raises(InputError, match=r"^actions\[2\]: .* not 1\.5$"):
        env.step([0, 0, 1.5, 0])
    with pytest.raises(InputError, match=r"type float32 and shape \(4,\); actions\[0\] is "):
        env.step(np.ones(N, np.float32))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seats", ["one", "all"])
def test_no_number_is_a_command(threads: int, seats: str) -> None:
    """Whatever is handed over is an action, and these are none."""
    env = VectorEnv(N, seats=seats, threads=threads)
    env.reset(seed=7)
    env.step(env.sample_actions())
    before, seeds = games(env), env.game_seeds
    for value in TOO_LARGE:
        actions: list[Any] = env.sample_actions().tolist()
        actions[2] = value
        types = ("i8", "u8", ">i8", ">u8")
        fit = [name for name in types if np.iinfo(name).min <= int(value) <= np.iinfo(name).max]
        forms = [actions, *(np.array([int(one) for one in actions], name) for name in fit)]
        for given in forms:
            with pytest.raises(IllegalAction, match=rf"^game 2: actions\[2\]: {int(value)}: "):
                env.step(given)
            with pytest.raises(IllegalAction, match=r"^game 2: actions\[2\]: "):
                env.advance(given)
            with pytest.raises(IllegalAction, match=r"^game 3: actions\[1\]: "):
                env.advance_rows(np.array([1, 3]), given[1:3])
        assert games(env) == before, repr(value)
        assert (env.game_seeds == seeds).all()
    env.step(env.sample_actions())
    env.close()


def test_commands_stand_apart_from_actions() -> None:
    batch = VectorEnv(N).batch
    batch.seed(7)
    nothing = np.empty(0, np.float32), np.empty(0, np.int8)
    batch.begin(*nothing)
    assert (batch.command == PLAY).all()
    before = batch.games.tobytes()
    for value in (-1, -2, RESET, SKIP, 10**9, -(2**63)):
        batch.action[:] = batch.sample_actions(0)
        batch.action[1] = value if value not in (RESET, SKIP) else 341
        assert batch.first_illegal() == 1
        assert not batch.play(*nothing)
        assert batch.games.tobytes() == before
    batch.command[:] = SKIP
    assert batch.play(*nothing)
    assert batch.games.tobytes() == before


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([0, 0], "names a game twice"), ([4], "from 0 to 3"), ([-1], "from 0 to 3"),
        ([0.0], "numbers of games"), ([True], "numbers of games"),
        ([0, True], "numbers of games"), ([0, [1]], "numbers of games"), ([2**70], "from 0 to 3"),
        ([[0]], "numbers of games"),
        (0, "numbers of games"), (None, "numbers of games"), ("0", "numbers of games"),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_are_one_line(rows: Any, problem: str) -> None:
    env = VectorEnv(N)
    env.reset(seed=7)
    with pytest.raises(InputError, match=f"rows: .*{problem}"):
        env.advance_rows(rows, np.zeros(1, np.int64))


# --- seeds and options ---


@pytest.mark.parametrize(
    "make", [single, monopoly_v0.raw_env, monopoly_v0.env, lambda: VectorEnv(2)]
)
def test_seeds_in_all_forms(make: Any) -> None:
    def first(seed: Any) -> bytes:
        env = make()
        env.reset(seed=seed)
        bare = env.unwrapped
        return (bare.game(0) if isinstance(bare, VectorEnv) else bare.game).state.tobytes()

    expected = first(3)
    for seed in (np.array(3), np.int8(3), np.uint64(3), np.array(3, ">u2")):
        assert first(seed) == expected, repr(seed)
    for bad in (True, np.True_, 3.0, np.float64(3), np.array(3.0), "3", b"3", -1, 2**63, 2**64, {},
                {3}, object(), np.array([[3, 3]]), np.array(True), np.timedelta64(3)):  # fmt: skip
        with pytest.raises(InputError, match=r"^seed: must be") as refused:
            first(bad)
        assert "\n" not in str(refused.value)


def test_a_seed_for_each_game_or_none() -> None:
    env = VectorEnv(3)
    for seeds in ([5, 6, 7], (5, 6, 7), range(5, 8), np.array([5, 6, 7], np.uint8)):
        env.reset(seed=seeds)
        assert env.game_seeds.tolist() == [5, 6, 7]
    env.reset()
    went_on = env.game_seeds[1]
    env.reset(seed=[5, 6, 7])
    env.reset(seed=[9, None, 4])
    assert env.game_seeds.tolist() == [9, went_on, 4]
    fresh = VectorEnv(3)
    fresh.reset(seed=[9, None, 4])
    assert fresh.game_seeds[[0, 2]].tolist() == [9, 4]
    for bad in ([1, 2], [1, 2, True], [1, 2, 3.0], [1, 2, -1], [1, 2, 2**63], ["1", 2, 3],
                [[1], [2], [3]], "123", np.zeros((3, 1), int), np.zeros(3)):  # fmt: skip
        with pytest.raises(InputError, match=r"^seed: must be"):
            env.reset(seed=bad)


@pytest.mark.parametrize(
    "make", [single, monopoly_v0.raw_env, monopoly_v0.env, lambda: VectorEnv(2)]
)
@pytest.mark.parametrize(
    "options", [5, "position", ["position"], {1: 2}, np.zeros(2), True], ids=spelled
)
def test_options_that_are_no_mapping_are_one_line(make: Any, options: Any) -> None:
    env = make()
    env.reset(seed=1)
    with pytest.raises(InputError, match=r"^options: ") as refused:
        env.reset(options=options)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "mask",
    [
        [1, 0], [True], np.array([1, 0]), np.ones((2, 1), bool), np.array([True, None], object), True,
        "TF", np.zeros(2, bool), [False, False], np.ones(3, bool), np.array([1.0, 0.0]), {0: True},
    ],
    ids=spelled,
)  # fmt: skip
def test_masks_that_cannot_be_are_one_line(mask: Any) -> None:
    env = VectorEnv(2)
    env.reset(seed=1)
    before = games(env)
    with pytest.raises(InputError, match=r"^reset_mask: ") as refused:
        env.reset(options={"reset_mask": mask})
    assert "\n" not in str(refused.value)
    assert games(env) == before


def test_some_games_begin_anew_from_seeds() -> None:
    env = VectorEnv(3)
    env.reset(seed=1)
    before = env.game_seeds
    options = {"reset_mask": np.array([False, True, True])}
    env.reset(seed=[7, 8, 9], options=options)
    assert env.game_seeds.tolist() == [before[0], 8, 9]
    assert list(options) == ["reset_mask"]
    env.reset(seed=[7, 8, None], options=options)
    assert env.game_seeds[:2].tolist() == [before[0], 8]


@pytest.mark.parametrize("index", [-1, 2, 99, 1.0, True, None, "0"])
def test_a_game_that_there_is_not_is_one_line(index: Any) -> None:
    env = VectorEnv(2)
    env.reset(seed=1)
    with pytest.raises(InputError, match=r"^index: must be"):
        env.game(index)


@pytest.mark.parametrize("agent", ["nobody", 3, None, [0]])
def test_an_agent_that_there_is_not_is_one_line(agent: Any) -> None:
    env = monopoly_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(InputError, match=r"^agent: must be one of player_0"):
        env.observe(agent)


@pytest.mark.parametrize("make", [monopoly_v0.raw_env, monopoly_v0.env])
def test_last_without_a_game_is_one_line(make: Any) -> None:
    env = make(rules={"max_turns": 1})
    if make is monopoly_v0.raw_env:
        with pytest.raises(InputError, match=r"no game is running; call reset\(\)"):
            env.last()
    env.reset(seed=1)
    while env.agents:
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else int(seen["action_mask"].argmax()))
    with pytest.raises(InputError, match=r"no game is running; call reset\(\)"):
        env.last()
