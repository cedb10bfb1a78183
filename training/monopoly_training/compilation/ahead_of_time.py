"""Compile all code ahead of time, in parts, for images and CI, on all processor cores."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.compiler.processes import cores
from monopoly_env.compiler.second_process import VARIABLE
from monopoly_training.common.stopping import killed_on_exit
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
    """Compile these parts in turn; ``log`` receives the name of each before it begins."""
    for name, work in parts.items():
        log(name)
        yield compile_part(name, work)


def compile_part(name: str, work: Callable[[], None]) -> Part:
    """Compile one part, and measure the time."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return Part(name, time.process_time() - cpu, time.perf_counter() - wall)


def compile_together(
    log: Callable[[str], None] = lambda _: None, processes: int | None = None
) -> Iterator[Part]:
    """Compile all of MORE_PARTS, several at a time; yield each when it is done.

    The first part, which the others use, is compiled alone. ``processes`` is the number of cores by
    default, or 1 if MONOPOLY_ENV_COMPILE_PROCESSES asks for it, which compiles everything in this
    process. Raises: RuntimeError if a process fails.
    """
    if processes is None:
        processes = 1 if os.environ.get(VARIABLE) in ("0", "1") else cores()
    first, *others = MORE_PARTS
    if processes == 1:
        yield from compile_all(log, MORE_PARTS)
        return
    log(first)
    yield compile_part(first, MORE_PARTS[first])
    log("bots and training")
    with ThreadPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(compile_elsewhere, name) for name in others]):
            yield done.result()


def compile_elsewhere(name: str) -> Part:
    """Compile a part in a child process, into the same cache."""
    command = [sys.executable, "-m", __name__, name]
    environment = os.environ | {VARIABLE: "1"}
    with (
        subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as child,
        killed_on_exit(child),
    ):
        out, problems = child.communicate()
    if child.returncode != 0:
        reason = (problems.strip().splitlines() or [f"exit status {child.returncode}"])[-1]
        raise RuntimeError(f"{name} cannot be compiled: {reason}")
    return Part(**json.loads(out.splitlines()[-1]))


def touch() -> None:
    """Use everything once, so that it is compiled."""
    for _ in compile_all():
        pass


def main(name: str) -> None:
    """Compile one part, and print its time as JSON."""
    sys.stdout.write(json.dumps(asdict(compile_part(name, MORE_PARTS[name]))) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
