"""Environments keep as much memory after many games as after a few."""

from __future__ import annotations

import gc
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from monopoly_env import SingleSeatEnv, VectorEnv, monopoly_v0
from tests.envs.players import SHORT, pick

pytestmark = pytest.mark.promise("memory")

STATM = Path("/proc/self/statm")


def step_batch(env: Any, steps: int) -> None:
    """Step many games at random."""
    for key in range(steps):
        env.step(env.sample_actions(key))


def step_single(env: Any, steps: int) -> None:
    """Step one game after another at random."""
    random = np.random.default_rng(1)
    for _ in range(steps):
        _, _, over, cut, _ = env.step(pick(env.action_masks(), random))
        if over or cut:
            env.reset()


def step_aec(env: Any, steps: int) -> None:
    """The same with every seat."""
    random = np.random.default_rng(1)
    for _ in range(steps):
        if not env.agents:
            env.reset()
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else pick(seen["action_mask"], random))


ENVS: dict[str, tuple[Callable[[], Any], Callable[[Any, int], None], int]] = {
    "vector": (lambda: VectorEnv(32, rules=SHORT), step_batch, 2000),
    "vector_every_seat": (lambda: VectorEnv(32, seats="all", rules=SHORT), step_batch, 2000),
    "single": (lambda: SingleSeatEnv(num_players=3, rules=SHORT), step_single, 2000),
    "aec": (lambda: monopoly_v0.raw_env(num_players=3, rules=SHORT), step_aec, 2000),
}


@pytest.mark.parametrize("name", ENVS)
def test_objects_of_python_do_not_pile_up(name: str) -> None:
    """A leak of one small object a step would be seven times as much as is allowed."""
    make, play, steps = ENVS[name]
    env = make()
    env.reset(seed=1)
    play(env, steps)  # the same steps once before: whatever is compiled late is compiled now
    tracemalloc.start()
    try:
        before = after_a_reset(env)
        play(env, steps)
        assert after_a_reset(env) - before < 4 * steps
    finally:
        tracemalloc.stop()


def after_a_reset(env: Any) -> int:
    """Bytes of Python objects at the beginning of a game, which has no history yet."""
    for _ in range(2):
        env.reset(seed=1)
        gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.skipif(not STATM.exists(), reason="the memory of a process is read from /proc")
def test_three_hundred_thousand_steps_take_no_more_memory_than_the_first() -> None:
    env = VectorEnv(256, rules=SHORT)
    env.reset(seed=1)
    step_batch(env, 200)
    gc.collect()
    before = resident()
    step_batch(env, 1200)
    gc.collect()
    assert resident() - before < 8 << 20


def resident() -> int:
    """Bytes of this process that are in memory."""
    return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
