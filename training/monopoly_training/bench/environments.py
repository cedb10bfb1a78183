"""Benchmarks of the environments: batches of games, the PettingZoo loop and memory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.encoding.packed import PACKED_SIZE
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_training.bench.engine import BATCH, PLAYERS
from monopoly_training.bench.timing import ROUNDS, Clock, Result, rates, result

FLOAT = 4  # bytes
STEPS = 2000  # of the PettingZoo loop, between two clock readings


def vector(
    num_envs: int = BATCH,
    threads: int = 1,
    players: int = PLAYERS,
    buffers: int = 2,
    copy: bool = False,
    observation: str = "flat",
) -> Any:
    """Create a vector environment with all seats external, full rules and deals in steps."""
    from monopoly_env.envs.vector import VectorEnv

    env = VectorEnv(
        num_envs,
        seats="all",
        num_players=players,
        skip_forced=False,
        threads=threads,
        buffers=buffers,
        copy=copy,
        observation=observation,
    )
    env.reset(seed=1)
    return env


def step_rates(
    env: Any, seconds: float, clock: Clock = time.process_time, rounds: int = ROUNDS
) -> list[float]:
    """Return steps per second of a vector environment, one value per round, after a warm-up.

    The time to choose actions is not counted: it belongs to the learner.
    """
    _step_for(env, seconds / rounds, clock, 0)
    return [_step_for(env, seconds / rounds, clock, key << 32) for key in range(1, rounds + 1)]


def step_rate(env: Any, seconds: float, clock: Clock = time.process_time) -> float:
    """Return steps per second of a vector environment, the median over rounds."""
    return statistics.median(step_rates(env, seconds, clock))


def _step_for(env: Any, seconds: float, clock: Clock, key: int) -> float:
    spent, steps = 0.0, 0
    while spent < seconds or steps == 0:
        key += 1
        actions = env.sample_actions(key)
        began = clock()
        env.step(actions)
        spent += clock() - began
        steps += env.num_envs
    return steps / max(spent, 1e-9)


def batch_step(seconds: float) -> Iterator[Result]:
    """Measure steps of a batch: external actions in.

    Mask, observation, reward and autoreset out. The limit of each form is the number of its rows
    that could be copied in a second; forms that write only what changed may exceed it.
    """
    copied = rates(copy_rows, seconds)
    bandwidth = statistics.median(copied)
    flat, packed = FLOAT * OBSERVATION_SIZE + N_ACTIONS, PACKED_SIZE + N_ACTIONS

    def limit(size: int) -> dict[str, Any]:
        return {"bytes_of_a_row": size, "limit": round(bandwidth / size)}

    what = "1,024 games, every seat outside: actions in; mask, whole observation, reward, auto-reset out"
    yield result("batch_step", step_rates(vector(), seconds), "decisions/s", what, limit(flat))
    yield result(
        "batch_step_one_buffer",
        step_rates(vector(buffers=1), seconds),
        "decisions/s",
        "the same with buffers=1: a step overwrites the observation before it",
        limit(flat),
    )
    yield result(
        "batch_step_copy",
        step_rates(vector(copy=True), seconds),
        "decisions/s",
        "the same with copy=True, the default: observations and masks are the caller's own",
        limit(flat),
    )
    yield result(
        "batch_step_packed",
        step_rates(vector(observation="packed"), seconds),
        "decisions/s",
        "the same with observation='packed': rows of 832 bytes, of which a decoder makes the numbers",
        limit(packed),
    )
    yield result(
        "copy_bytes",
        copied,
        "bytes/s",
        "NumPy copies an array of the size of a batch's observations: the limit of `batch_step`",
    )
    yield result(
        "bytes_per_table",
        [bytes_of(vector()) / BATCH],
        "bytes",
        "all arrays of the vector environment, a game: record, observations, masks, rest",
    )


def copy_rows() -> int:
    """Copy the observations of a batch ten times; return the number of bytes."""
    source, target = _copied()
    for _ in range(10):
        np.copyto(target, source)
    return 10 * int(source.nbytes)


@cache
def _copied() -> tuple[Any, Any]:
    """Return two arrays of the size of a batch's observations."""
    shape = (BATCH, OBSERVATION_SIZE)
    return np.ones(shape, np.float32), np.zeros(shape, np.float32)


def bytes_of(env: Any) -> int:
    """Return the bytes of all arrays of a vector environment."""
    return int(env.nbytes)


def aec_raw(seconds: float) -> Iterator[Result]:
    """Measure the loop from the PettingZoo documentation on the raw environment."""
    from monopoly_env import monopoly_v0

    yield result(
        "aec_raw",
        rates(aec_loop(monopoly_v0.raw_env(num_players=PLAYERS)), seconds),
        "steps/s",
        "PettingZoo loop: last(), masked pick, step()",
    )


def aec_env(seconds: float) -> Iterator[Result]:
    """Measure the PettingZoo loop through the standard wrappers."""
    from monopoly_env import monopoly_v0

    yield result(
        "aec_env",
        rates(aec_loop(monopoly_v0.env(num_players=PLAYERS)), seconds),
        "steps/s",
        "the same through the three standard wrappers, as `env()` has them",
    )


def rgb_array(seconds: float) -> Iterator[Result]:
    """Measure the frames of a game, one per decision, as for a video."""
    from monopoly_env import monopoly_v0

    env: Any = monopoly_v0.raw_env(num_players=PLAYERS, render_mode="rgb_array")
    step = aec_loop(env, 1)

    def frames() -> int:
        step()
        env.render()
        return 1

    yield result(
        "rgb_array",
        rates(frames, seconds),
        "frames/s",
        "`render()` of 800 × 800 pixels after each decision",
    )


def aec_loop(env: Any, steps: int = STEPS) -> Callable[[], int]:
    """Return work that takes random legal steps in a PettingZoo environment."""
    rng = np.random.default_rng(0)
    env.reset(seed=1)

    def work() -> int:
        for draw in rng.random(steps):
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(draw * len(legal))]))
        return steps

    return work
