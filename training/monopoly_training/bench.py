"""The speed of everything a user runs, measured on this machine: ``monopoly-env bench``.

Rates are medians over several rounds of processor time of one process, which other programs on
the machine disturb less than wall-clock time; where threads or processes are compared, and for
starting up, wall-clock time counts.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

BATCH = 1024
ROUNDS = 5
PLAYERS = 4
PACKAGES = ("monopoly-env", "numba", "numpy", "gymnasium", "pettingzoo", "stable-baselines3",
            "sb3-contrib", "torch")  # fmt: skip


@dataclass(frozen=True)
class Result:
    """One figure."""

    name: str
    value: float
    unit: str
    what: str
    detail: dict[str, Any] = field(default_factory=dict)


def rate(
    work: Callable[[], int], seconds: float, clock: Callable[[], float] | None = None
) -> float:
    """How much of something is done a second: the median of several rounds after a warm-up."""
    now = clock or time.process_time
    work()
    rates = []
    for _ in range(ROUNDS):
        done, began = 0, now()
        while (spent := now() - began) < seconds / ROUNDS or done == 0:
            done += work()
        rates.append(done / spent if spent > 0 else 0.0)
    return statistics.median(rates)


# The engine alone


def engine_mask(seconds: float) -> Iterator[Result]:
    """Random legal play inside one compiled call."""
    from monopoly_env.editions import load_edition
    from monopoly_env.engine import table
    from monopoly_env.engine.phases import PHASES, Phase
    from monopoly_env.engine.play import NO_JOURNALS
    from monopoly_env.engine.state import GAME, new_games

    rules, games = load_edition("classic").rules, new_games(BATCH)
    table.start_games(games, rules, NO_JOURNALS, PLAYERS, np.arange(BATCH))
    phases = np.zeros(PHASES, np.int64)
    turn = 0

    def work() -> int:
        nonlocal turn
        turn += 1
        table.play_random(games, 0, BATCH, rules, NO_JOURNALS, PLAYERS, turn, 100, phases)
        return 100 * BATCH

    value = rate(work, seconds)
    share = {p.name: round(float(phases[p] / phases.sum()), 4) for p in Phase if phases[p]}
    yield Result("engine_mask", value, "decisions/s",
                 "random legal play in one compiled call, mask at each decision, 1,024 games",
                 {"phases": share})  # fmt: skip
    yield Result("bytes_per_game", float(GAME.itemsize), "bytes", "the record that is a game")


def one_call(seconds: float) -> Iterator[Result]:
    """One game, one compiled call a decision from Python."""
    from monopoly_env.editions import load_edition
    from monopoly_env.engine import play
    from monopoly_env.engine.state import new_games

    rules, games = load_edition("classic").rules, new_games(1)
    play.start(games, 0, rules, play.NO_JOURNALS, PLAYERS, 1)
    action = play.step_random(games, 0, rules, play.NO_JOURNALS, -1, 1)

    def work() -> int:
        nonlocal action
        step, journals = play.step_random, play.NO_JOURNALS
        for seed in range(20_000):
            action = step(games, 0, rules, journals, action, seed)
        return 20_000

    yield Result("one_call", rate(work, seconds), "decisions/s",
                 "one game: an action in, applied, masked, the next random action out, one call")  # fmt: skip


def games_bots(seconds: float) -> Iterator[Result]:
    """Whole games of compiled bots."""
    from monopoly_env.agent import find_agent
    from monopoly_env.editions import load_edition
    from monopoly_env.engine import table
    from monopoly_env.engine.play import NO_JOURNALS
    from monopoly_env.engine.policy import new_views
    from monopoly_env.engine.state import new_games

    names = ("fixed_a", "fixed_b", "fixed_c", "background")
    policies = tuple(find_agent(name)[0].policy for name in names) * 2
    rules, games, views = load_edition("classic").rules, new_games(1), new_views(1)
    rank, facts = np.zeros((50, 8), np.int8), np.zeros((50, 4), np.int64)
    illegal, turn, decisions = np.zeros(8, np.int64), 0, []

    def work() -> int:
        nonlocal turn
        turn += 1
        seeds = np.arange(50) + 50 * turn
        table.play_games(games, rules, NO_JOURNALS, views, policies, PLAYERS, seeds, True,
                         rank, facts, illegal)  # fmt: skip
        decisions.append(int(facts[:, 0].sum()))
        return 50

    value = rate(work, seconds)
    mean = sum(decisions) / (50 * len(decisions))
    yield Result("games_bots", value, "games/s",
                 "whole games with deals and building: " + ", ".join(names),
                 {"decisions_per_game": round(mean, 1), "decisions_per_s": round(value * mean)})  # fmt: skip


# The environments


def vector(num_envs: int = BATCH, threads: int = 1) -> Any:
    """The vector environment with every seat outside, full rules, deals in steps."""
    from monopoly_env.envs.vector import VectorEnv

    env = VectorEnv(num_envs, seats="all", num_players=PLAYERS, skip_forced=False, threads=threads)
    env.reset(seed=1)
    return env


def step_rate(env: Any, seconds: float, clock: Callable[[], float]) -> float:
    """Steps a second of a vector environment, the choice of the actions not counted."""
    spent, rates, key = 0.0, [], 0
    for _ in range(ROUNDS + 1):
        spent, steps = 0.0, 0
        while spent < seconds / ROUNDS:
            key += 1
            actions = env.sample_actions(key)
            began = clock()
            env.step(actions)
            spent += clock() - began
            steps += env.num_envs
        rates.append(steps / spent)
    return statistics.median(rates[1:])


def batch_step(seconds: float) -> Iterator[Result]:
    """External actions in; mask, observation, reward and auto-reset out."""
    value = step_rate(vector(), seconds, time.process_time)
    yield Result("batch_step", value, "decisions/s",
                 "1,024 games, every seat outside: actions in; mask, whole observation, reward, "
                 "auto-reset out")  # fmt: skip


def threads2(seconds: float) -> Iterator[Result]:
    """The same on two threads."""
    one = step_rate(vector(), seconds, time.perf_counter)
    two = step_rate(vector(threads=2), seconds, time.perf_counter)
    yield Result("threads2", two / one, "×", "batch step on 2 threads ÷ on 1, wall-clock",
                 {"cores": os.cpu_count(), "one": round(one), "two": round(two)})  # fmt: skip


def procs2(seconds: float) -> Iterator[Result]:
    """The same in two processes."""
    alone = _children(1, seconds)
    pair = _children(2, seconds)
    yield Result("procs2", sum(pair) / alone[0], "×", "batch step in 2 processes ÷ in 1, wall-clock",
                 {"cores": os.cpu_count(), "one": round(alone[0]), "two": round(sum(pair))})  # fmt: skip


def _children(number: int, seconds: float) -> list[float]:
    """Wall-clock step rates of so many processes that run at once."""
    code = (
        "import sys, time; from monopoly_training.bench import step_rate, vector; env = vector();"
        "env.step(env.sample_actions(0)); sys.stdout.write('ready\\n'); sys.stdout.flush();"
        f"sys.stdin.readline(); print(step_rate(env, {seconds}, time.perf_counter))"
    )
    children = [
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)
        for _ in range(number)
    ]  # fmt: skip
    for child in children:
        assert child.stdout is not None
        child.stdout.readline()
    return [float(child.communicate("go\n")[0]) for child in children]


def aec(seconds: float) -> Iterator[Result]:
    """The loop of the PettingZoo documentation, raw and through the standard wrappers."""
    from monopoly_env import monopoly_v0

    for name, make in (("aec_raw", monopoly_v0.raw_env), ("aec_env", monopoly_v0.env)):
        env = make(num_players=PLAYERS)
        env.reset(seed=1)
        yield Result(name, rate(_aec_loop(env), seconds), "steps/s",
                     "PettingZoo loop: last(), masked pick, step()"
                     + (" through the three standard wrappers" if name == "aec_env" else ""))  # fmt: skip


def _aec_loop(env: Any) -> Callable[[], int]:
    rng = np.random.default_rng(0)

    def work() -> int:
        draws = rng.random(2000)
        for draw in draws:
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw * len(legal))]))
        return len(draws)

    return work


# Learning


def sb3_share(seconds: float) -> Iterator[Result]:
    """MaskablePPO over the native VecEnv against the same over one that does nothing."""
    from monopoly_training.vec_env import MonopolyVecEnv

    games = MonopolyVecEnv(256, opponents=["random"] * 3, windows="own", deals="off")
    games.seed(1)
    idle = _idle(games)
    frames = int(max(seconds, 2) * 8) * 256
    ours, nothing = [], []
    for _ in range(3):  # in turn, so that whatever else the machine does meets both
        nothing.append(_ppo(idle, frames))
        ours.append(_ppo(games, frames))
    value = statistics.median(ours) / statistics.median(nothing)
    yield Result("sb3_share", value, "share",
                 "MaskablePPO frames/s on the native VecEnv ÷ on an environment that does nothing",
                 {"frames_per_s": round(statistics.median(ours)),
                  "frames_per_s_idle": round(statistics.median(nothing))})  # fmt: skip


def _ppo(env: Any, frames: int) -> float:
    """Frames a second of MaskablePPO."""
    import torch
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=1024, n_epochs=4, seed=1)
    began = time.process_time()
    model.learn(frames)
    return float(model.num_timesteps) / (time.process_time() - began)


def _idle(games: Any) -> Any:
    """A VecEnv with the same spaces and masks, that only hands out what it was made with."""
    from monopoly_training.vec_env import MonopolyVecEnv

    class Idle(MonopolyVecEnv):
        """The shell of the native VecEnv around nothing."""

        def __init__(self) -> None:
            self.__dict__ |= games.__dict__
            self._seen = games.reset().copy()
            self._legal = games.action_masks().copy()
            self._zeros = np.zeros(games.num_envs, np.float32)

        def reset(self) -> Any:
            return self._seen

        def step_wait(self) -> Any:
            return self._seen, self._zeros, self._zeros > 0, list(self._no_infos)

        def action_masks(self) -> Any:
            return self._legal

    return Idle()


# Starting up


def touch() -> None:
    """Use everything that training uses once, so that it is compiled."""
    from monopoly_env import Game, monopoly_v0
    from monopoly_env.envs.vector import VectorEnv

    Game(players=2, seed=1).play("roll")
    env = VectorEnv(4, opponents=["background", "random", "fixed_a"], windows="own", deals="menu")
    env.reset(seed=1)
    env.step(env.sample_actions(1))
    raw = monopoly_v0.raw_env()
    raw.reset(seed=1)
    raw.last()
    for _ in games_bots(0.01):
        pass


def start_up(seconds: float) -> Iterator[Result]:  # noqa: ARG001 - as its siblings
    """Importing warm, and compiling everything cold."""
    code = "import monopoly_env; from monopoly_env import Game"
    warm = statistics.median(_timed(code, None) for _ in range(5)) - statistics.median(
        _timed("pass", None) for _ in range(5)
    )
    yield Result("import_s", warm, "s", "import monopoly_env and its Game, warm")
    with tempfile.TemporaryDirectory() as folder:
        use = "from monopoly_training.bench import touch; touch()"
        cold, again = _timed(use, folder), _timed(use, folder)
    yield Result("compile_cold_s", cold, "s",
                 "first use of everything that training touches, nothing compiled yet",
                 {"warm": round(again, 2)})  # fmt: skip


def _timed(code: str, cache: str | None) -> float:
    """Seconds that a fresh Python takes to run some code."""
    environment = dict(os.environ)
    if cache is not None:
        environment["MONOPOLY_ENV_CACHE"] = cache
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    return time.perf_counter() - began


MEASURES: dict[str, Callable[[float], Iterator[Result]]] = {
    "engine_mask": engine_mask,
    "one_call": one_call,
    "games_bots": games_bots,
    "batch_step": batch_step,
    "aec": aec,
    "threads2": threads2,
    "procs2": procs2,
    "sb3_share": sb3_share,
    "start_up": start_up,
}


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "bounds_checks": os.environ.get("NUMBA_BOUNDSCHECK", "0") == "1",
    }


def _processor() -> str:
    """The processor's name, where the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123 - not a user's file
            names = [
                line.split(":", 1)[1].strip() for line in file if line.startswith("model name")
            ]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def run(names: list[str], seconds: float) -> Iterator[Result]:
    """Measure these, one after the other."""
    for name in names:
        yield from MEASURES[name](seconds)


def as_json(results: list[Result]) -> dict[str, Any]:
    """Everything measured, as plain data."""
    return {"machine": machine(), "results": [asdict(result) for result in results]}
