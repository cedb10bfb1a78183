"""Every public method takes odd arguments, or says in one line which parameter does not fit."""

from __future__ import annotations

import copy
import inspect
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from monopoly_env import Game, SingleSeatEnv, VectorEnv, load_edition
from monopoly_env.bots import Accumulator, GameLoop, View, make_agent, safe_action
from monopoly_env.envs.aec import MonopolyEnv
from monopoly_env.errors import InputError

pytestmark = pytest.mark.promise("bad_input")


class Hostile:
    """Fails whatever it is asked."""

    def __index__(self):
        raise RuntimeError("index")

    __int__ = __float__ = __len__ = __iter__ = __bool__ = __repr__ = __index__

    def __eq__(self, other):
        raise RuntimeError("eq")

    __hash__ = object.__hash__


def ragged():
    return [[1], [1, 2]]


ODD = {
    "none": None, "true": True, "big": 2**63, "huge": 10**5000, "small": -(2**70), "99": 99,
    "-1": -1, "1.5": 1.5, "nan": float("nan"), "inf": float("inf"), "empty": "", "x": "x",
    "surrogate": "\udc80", "line": "a\nb", "long": "é" * 10_000, "bytes": b"\xff",
    "list": [], "ragged": ragged(), "dict": {}, "keys": {1: {2: 3}}, "set": {1}, "array": np.zeros(3),
    "scalar": np.array(3), "float scalar": np.float64(2.5), "uint64": np.uint64(2**64 - 1),
    "objects": np.array([None, "x"], object), "class": int, "function": len, "object": object(),
    "hostile": Hostile(), "path": Path("/nowhere/x"), "nul": "a\0b", "generator": (i for i in ()),
    "slice": slice(1), "complex": 1j, "bool_": np.bool_(True), "nat": np.datetime64("NaT"),
}  # fmt: skip

SOUND = {  # an argument that fits, by parameter
    "action": "roll", "space": "boardwalk", "player": "A", "rng": 1, "hidden": True, "bots": [],
    "games": Game(players=2, seed=1).state.reshape(1), "edition": load_edition("classic"),
    "journal": True, "seed": 1, "mode": "standard", "rules": {}, "players": 2, "position": {},
    "text": Game(players=2, seed=1).to_yaml(), "agent": "player_0", "observe": True, "index": 0,
    "key": 0, "options": None, "name": "salary", "parameter": "players", "pile": 0,
    "other": load_edition("yugioh2016"), "game": Game(players=2, seed=1), "events": (), "i": 0,
    "mask": None, "square": 1, "group": 1, "card": 1, "amount": 1, "state": {}, "weights": None,
    "agents": [make_agent("random")] * 2, "accumulators": (), "skip_forced": False,
    "seat": 0, "rows": np.zeros(0, np.int64), "every_seat": False,
}  # fmt: skip


def problem_of(call: Any) -> Exception | None:
    """What a call raises."""
    try:
        call()
    except Exception as problem:  # noqa: BLE001 - what is looked at
        return problem
    return None


def says(problem: BaseException, parameter: str) -> bool:
    """Whether an error is one that a caller can act on."""
    text = str(problem)
    ours = type(problem).__module__.startswith("monopoly_")
    if not isinstance(problem, TypeError | ValueError) or "\n" in text or len(text) > 1000:
        return False
    return bool(text) and (ours or parameter in text)


def calls(owner: Any, only: tuple[str, ...] = ()) -> list[tuple[str, Any]]:
    """The public methods of an object that take arguments."""
    found = []
    for name in only or [name for name in dir(owner) if not name.startswith("_")]:
        method = getattr(owner, name)
        try:
            parameters = inspect.signature(method).parameters
        except (TypeError, ValueError):
            continue
        if parameters:
            found.append((name, method))
    return found


def try_all(owner_name: str, name: str, method: Any) -> None:
    """Call a method with each odd value for each of its parameters."""
    parameters = inspect.signature(method).parameters
    named = {
        key: one
        for key, one in parameters.items()
        if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    }
    needed = {key: SOUND[key] for key, one in named.items() if one.default is one.empty}
    for parameter in named.keys() - {"parameter"}:  # what an error is to name
        for label, value in ODD.items():
            problem = problem_of(partial(method, **{**needed, parameter: value}))
            assert problem is None or says(problem, parameter), (
                f"{owner_name}.{name}({parameter}={label}): {type(problem).__name__}: {problem}"
            )


GAME = Game(players=2, seed=1, rules={"deals": "menu"})
OVER = Game(players=2, seed=1, rules={"max_turns": 1})
while not OVER.over:
    OVER.play(OVER.legal_ids()[0])


@pytest.mark.parametrize("name", [name for name, _ in calls(GAME)])
@pytest.mark.parametrize("game", [GAME, OVER], ids=["on", "over"])
def test_game(game: Game, name: str) -> None:
    try_all("Game", name, getattr(game.copy(), name))


def test_what_makes_a_game() -> None:
    try_all("Game", "__init__", Game)


@pytest.mark.parametrize("name", [name for name, _ in calls(GAME.edition)])
def test_edition(name: str) -> None:
    try_all("Edition", name, getattr(GAME.edition, name))


@pytest.mark.parametrize("name", [name for name, _ in calls(GAME.edition.names)])
def test_names(name: str) -> None:
    try_all("Names", name, getattr(GAME.edition.names, name))


def test_view() -> None:
    try_all("View", "of", View.of)
    try_all("View", "__init__", View)
    for name, method in calls(View.of(GAME)):
        try_all("View", name, method)


def test_loop() -> None:
    try_all("GameLoop", "__init__", GameLoop)
    with pytest.raises(InputError, match="seat B"):
        GameLoop(GAME.copy(), [make_agent("random"), object()])
    assert Accumulator().before(GAME) is None
    assert GAME.legal_mask()[safe_action(GAME.legal_mask())]


AEC = ("observe", "observation_space", "action_space", "last")


@pytest.mark.parametrize("when", ["before", "on", "over"])
def test_aec(when: str) -> None:
    env = MonopolyEnv(num_players=2, rules={"max_turns": 1}, render_mode="ansi")
    if when != "before":
        env.reset(seed=1)
    if when == "over":
        while env.agents:
            over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
            env.step(None if over else int(env.last()[0]["action_mask"].argmax()))
    for name, method in calls(env, AEC):
        try_all("MonopolyEnv", name, method)
    for look in (
        env.last,
        env.state,
        env.render,
        lambda: env.game,
        lambda: env.observe("player_0"),
    ):
        problem = problem_of(look)
        assert problem is None or isinstance(problem, InputError), repr(problem)
        assert problem is None or "reset()" in str(problem)


SINGLE = ("action_masks", "render", "get_wrapper_attr", "has_wrapper_attr")


def test_single() -> None:
    env = SingleSeatEnv(rules={"max_turns": 1}, render_mode="ansi")
    for look in (env.action_masks, env.render, lambda: env.game, lambda: env.seat):
        problem = problem_of(look)
        assert problem is None or isinstance(problem, InputError), repr(problem)


def test_vector() -> None:
    env = VectorEnv(2, render_mode="ansi")
    for look in (lambda: env.game(0), env.action_masks, env.render, env.sample_actions):
        problem = problem_of(look)
        assert problem is None or isinstance(problem, InputError), repr(problem)
    env.reset(seed=1)
    for name, method in calls(env, ("game", "sample_actions")):
        try_all("VectorEnv", name, method)
    for name, method in calls(env.batch, ("game", "observe", "result", "sample_actions")):
        try_all("GameBatch", name, method)
    with pytest.raises(InputError, match=r"index: must be from 0 to 1, not 99"):
        env.game(99)


def test_copies_of_what_was_refused_are_as_before() -> None:
    game = GAME.copy()
    before = copy.deepcopy(game)
    for value in ODD.values():
        for method in (game.play, game.redraw, game.text, game.hand, game.owner):
            try:
                if method != game.redraw:
                    method(value)
            except (ValueError, TypeError):
                continue
    assert game == before
