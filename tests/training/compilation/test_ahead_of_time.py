"""Compiling ahead: everything that is used later is there then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from monopoly_training.bench.starting import count_files
from monopoly_training.cli import main
from monopoly_training.compilation.ahead_of_time import (
    MORE_PARTS,
    PARTS,
    compile_all,
    compile_elsewhere,
    compile_together,
)

from monopoly_env.compiler.cache import CACHE_FOLDER
from monopoly_env.compiler.jit import JIT

USE = """
from numba.core import event

class Listener(event.Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
from monopoly_training.compilation.ahead_of_time import touch
touch()
"""


def test_parts_are_told_and_timed() -> None:
    told: list[str] = []
    parts = list(compile_all(told.append))
    assert told == [part.name for part in parts] == list(PARTS)
    assert all(part.wall >= 0 and part.cpu >= 0 for part in parts)


def test_the_command_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile"]) == 0
    assert f"compiled into {CACHE_FOLDER}" in capsys.readouterr().out


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_nothing_is_compiled_twice() -> None:
    """After one process has used everything, another one compiles nothing of ours."""
    list(compile_all())
    done = subprocess.run([sys.executable, "-c", USE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_functions_are_counted_by_package(tmp_path: Path) -> None:
    code = "from monopoly_env.engine.masks import nth_set; nth_set(0b1010, 1)"
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert count_files(tmp_path) == {"monopoly_env": {"entry points": 1, "called": 1}}


def test_images_get_packed_observations_too() -> None:
    assert list(MORE_PARTS) == [*PARTS, "packed observations"]
    assert [part.name for part in compile_all(parts={"packed": MORE_PARTS["packed observations"]})]


def test_parts_are_compiled_by_several_processes() -> None:
    stages: list[str] = []
    parts = list(compile_together(stages.append, 2))
    assert sorted(part.name for part in parts) == sorted(MORE_PARTS)
    assert parts[0].name == stages[0] == next(iter(MORE_PARTS))  # alone, because the others use it
    assert all(part.wall >= 0 and part.cpu >= 0 for part in parts)


def test_one_process_compiles_the_parts_in_turn() -> None:
    assert [part.name for part in compile_together(processes=1)] == list(MORE_PARTS)


def test_a_process_that_fails_is_an_error() -> None:
    with pytest.raises(RuntimeError, match=r"no such part cannot be compiled: .*KeyError"):
        compile_elsewhere("no such part")
