"""Startup benchmarks: a warm import, and compilation with an empty cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from monopoly_env.compiler.second_process import VARIABLE
from monopoly_training.bench.timing import ROUNDS, Result, result

IMPORT = "import monopoly_env; from monopoly_env import Game"
COMPILE = """
import json
from monopoly_env.compiler.cache import CACHE_FOLDER
from monopoly_training.bench.starting import count_files
from monopoly_training.compilation.ahead_of_time import compile_all
parts = {part.name: {"cpu": round(part.cpu, 2), "wall": round(part.wall, 2)} for part in compile_all()}
print(json.dumps([parts, count_files(CACHE_FOLDER)]))
"""
TOGETHER = """
from monopoly_training.compilation.ahead_of_time import compile_together
list(compile_together())
"""
FIRST_STEP = """
from monopoly_env import VectorEnv
env = VectorEnv(4)
observations, infos = env.reset(seed=0)
env.step(infos["action_mask"].argmax(axis=1))
"""
FIRST_SINGLE = """
import gymnasium, monopoly_env
env = gymnasium.make("monopoly_env/Monopoly-v0")
observations, info = env.reset(seed=0)
env.step(info["action_mask"].argmax())
"""
CALLEE = "callee-"  # file name prefix of functions that only compiled code calls


def import_s(seconds: float) -> Iterator[Result]:  # noqa: ARG001 - a benchmark's signature
    """Measure the import of the package with a warm cache."""
    rounds = [_cpu(IMPORT)[0] - _cpu("pass")[0] for _ in range(ROUNDS)]
    yield result("import_s", rounds, "s", "import monopoly_env and its Game, warm, processor time")


def compile_cold_s(seconds: float) -> Iterator[Result]:  # noqa: ARG001 - a benchmark's signature
    """Measure compiling everything that training uses, and starting again afterwards."""
    alone = {VARIABLE: "1"}
    with tempfile.TemporaryDirectory() as folder:
        cold, wall, (parts, counts) = _cpu(COMPILE, folder, alone)
        again, again_wall, _ = _cpu(COMPILE, folder, alone)
    with tempfile.TemporaryDirectory() as folder:
        _, together, _ = _cpu(TOGETHER, folder)
    yield result(
        "compile_cold_s",
        [cold],
        "s",
        "compile everything that training uses, in one process, processor time",
        {"wall": round(wall, 1), "parts": parts},
    )
    yield result(
        "compile_all_s",
        [together],
        "s",
        "`monopoly-env compile` with an empty cache, on all cores, by the clock",
    )
    yield result(
        "start_warm_s",
        [again],
        "s",
        "everything that training uses, compiled before, processor time",
        {"wall": round(again_wall, 1)},
    )
    yield result(
        "compiled_functions",
        [sum(sum(row.values()) for row in counts.values())],
        "functions",
        "compiled on that start, those with machine code among them",
        {"by_package": counts},
    )


def first_step_cold_s(seconds: float) -> Iterator[Result]:  # noqa: ARG001
    """Measure the time from the start of Python to the first step, with an empty and a full cache."""
    with tempfile.TemporaryDirectory() as folder:
        cold = _cpu(FIRST_STEP, folder)[1]
        warm = [_cpu(FIRST_STEP, folder)[1] for _ in range(ROUNDS)]
        single = [_cpu(FIRST_SINGLE, folder)[1] for _ in range(ROUNDS + 1)][1:]
    yield result(
        "first_step_cold_s",
        [cold],
        "s",
        "from the start of Python to the first step of a `VectorEnv`, nothing compiled, by the clock",
    )
    yield result(
        "first_step_warm_s", warm, "s", "the same, compiled before", {"cores": os.cpu_count() or 1}
    )
    yield result(
        "first_single_step_warm_s",
        single,
        "s",
        "the same with `gymnasium.make`, compiled before",
    )


def count_files(folder: Path) -> dict[str, dict[str, int]]:
    """Return the number of compiled functions by package: entry points, and their callees."""
    from monopoly_env.compiler.cache import SOURCE_KEYS

    counts: dict[str, dict[str, int]] = {}
    for package in SOURCE_KEYS.packages:
        for module, _ in SOURCE_KEYS.modules_of(package):
            for path in (folder / SOURCE_KEYS.key(module)).rglob("*.nbc"):
                count = counts.setdefault(package, {"entry points": 0, "called": 0})
                count["called" if path.name.startswith(CALLEE) else "entry points"] += 1
    return counts


def _cpu(
    code: str, cache: str | None = None, variables: Mapping[str, str] | None = None
) -> tuple[float, float, Any]:
    """Return CPU and wall-clock seconds of running code in a fresh Python, and its output."""
    environment = os.environ | dict(variables or {})
    if cache is not None:
        environment["MONOPOLY_ENV_CACHE"] = cache
    before = os.times()
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    after = os.times()
    user = after.children_user - before.children_user
    cpu = user + after.children_system - before.children_system
    printed = json.loads(done.stdout) if done.stdout else None
    return cpu, after.elapsed - before.elapsed, printed
