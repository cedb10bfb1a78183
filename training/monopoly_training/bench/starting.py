"""Starting up: a warm import, and compiling everything where nothing is compiled yet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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
CALLEE = "callee-"  # how the files of functions that only compiled code calls begin


def import_s(seconds: float) -> Iterator[Result]:  # noqa: ARG001 - as its siblings
    """Importing the package where it has been used before."""
    rounds = [_cpu(IMPORT)[0] - _cpu("pass")[0] for _ in range(ROUNDS)]
    yield result("import_s", rounds, "s", "import monopoly_env and its Game, warm, processor time")


def compile_cold_s(seconds: float) -> Iterator[Result]:  # noqa: ARG001 - as its siblings
    """Compiling everything that training touches, and starting again when that is done."""
    with tempfile.TemporaryDirectory() as folder:
        cold, wall, (parts, counts) = _cpu(COMPILE, folder)
        again, again_wall, _ = _cpu(COMPILE, folder)
    yield result(
        "compile_cold_s",
        [cold],
        "s",
        "compile everything that training touches, once a machine, processor time",
        {"wall": round(wall, 1), "parts": parts},
    )
    yield result(
        "start_warm_s",
        [again],
        "s",
        "the same, compiled before, processor time",
        {"wall": round(again_wall, 1)},
    )
    yield result(
        "compiled_functions",
        [sum(sum(row.values()) for row in counts.values())],
        "functions",
        "compiled on that start, those with machine code among them",
        {"by_package": counts},
    )


def count_files(folder: Path) -> dict[str, dict[str, int]]:
    """How many functions of each package were compiled: entry points, and what they call."""
    from monopoly_env.compiler.cache import SOURCE_KEYS

    counts: dict[str, dict[str, int]] = {}
    for package in SOURCE_KEYS.packages:
        for module, _ in SOURCE_KEYS.modules_of(package):
            for path in (folder / SOURCE_KEYS.key(module)).rglob("*.nbc"):
                count = counts.setdefault(package, {"entry points": 0, "called": 0})
                count["called" if path.name.startswith(CALLEE) else "entry points"] += 1
    return counts


def _cpu(code: str, cache: str | None = None) -> tuple[float, float, Any]:
    """Processor and wall-clock seconds that a fresh Python takes to run some code; what it prints."""
    environment = dict(os.environ)
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
