"""Compile all code ahead of time, in parts, for images and CI."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_training.compilation import warm_up

# small settings that use every feature of training
MINIMAL = ["draw=true", "pool.past=0.5", "pool.every=128"]


@dataclass(frozen=True)
class Part:
    """A compiled part and its time in seconds, near zero if it was already compiled."""

    name: str
    cpu: float
    wall: float


def environments() -> None:
    """Step every kind of Python-stepped environment."""
    from monopoly_env import monopoly_v0
    from monopoly_env.envs.vector import VectorEnv

    env = VectorEnv(2, opponents=["random"])
    env.reset(seed=0)
    env.step(env.sample_actions())
    raw = monopoly_v0.raw_env()
    raw.reset(seed=0)
    raw.last()


def packed() -> None:
    """Step an environment with packed observations, and decode them."""
    from monopoly_env.encoding.unpacking import unpack
    from monopoly_env.envs.vector import VectorEnv

    rows: Any = VectorEnv(2, opponents=["random"], observation="packed").reset(seed=0)[0]
    unpack(rows)


def whole_games() -> None:
    """Play a game between compiled bots, as tournaments and evaluations do."""
    from monopoly_env.envs.options import TableOptions
    from monopoly_training.matches.entrants import entrants
    from monopoly_training.matches.runner import Players, play_seating

    options = TableOptions(rules={"max_turns": 2})
    list(play_seating(Players(entrants(["random"] * 2)), (0, 1), np.zeros(1, np.int64), options))


def training() -> None:
    """Train briefly with past selves and a teacher; do nothing if the packages are missing."""
    if any(find_spec(package) is None for package in ("torch", "sb3_contrib")):
        return
    from monopoly_training.runs.config import load_train_config
    from monopoly_training.runs.train import train

    with tempfile.TemporaryDirectory() as folder:
        train(load_train_config("small", MINIMAL), Path(folder) / "run")


PARTS: dict[str, Callable[[], None]] = {
    "rules and environments": environments,
    "bots": warm_up.bots,
    "single games": warm_up.games,
    "whole games of bots": whole_games,
    "training": training,
}


MORE_PARTS = PARTS | {"packed observations": packed}  # needed in images as well


def compile_all(
    log: Callable[[str], None] = lambda _: None, parts: Mapping[str, Callable[[], None]] = PARTS
) -> Iterator[Part]:
    """Compile these parts; ``log`` receives the name of each before it begins."""
    for name, work in parts.items():
        log(name)
        cpu, wall = time.process_time(), time.perf_counter()
        work()
        yield Part(name, time.process_time() - cpu, time.perf_counter() - wall)


def touch() -> None:
    """Use everything once, so that it is compiled."""
    for _ in compile_all():
        pass
