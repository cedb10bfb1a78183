"""The second process that compiles compiles what the first one needs, and goes when it goes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from monopoly_env.compiler import second_process
from monopoly_env.compiler.jit import JIT
from monopoly_env.compiler.second_process import PROGRAM, VARIABLE, is_wanted, only_one
from monopoly_env.compiler.symbols import name_alike
from monopoly_env.envs.compile_ahead import PARTS

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

PLAY = """
from numba.core import event

class Listener(event.Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
from monopoly_env.envs.vector import VectorEnv

env = VectorEnv(1)
env.reset(seed=0)
env.step(env.sample_actions(0))
"""


def run(code: str, cache: Path) -> list[str]:
    """Run code in a new process that compiles alone; return the lines that it prints."""
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(cache), VARIABLE: "1"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.slow
def test_the_first_process_compiles_nothing_that_the_second_one_has(tmp_path: Path) -> None:
    """The parts fit: the types of their arguments, and the symbols of all that they call."""
    code = "from monopoly_env.envs import compile_ahead as a; a.end_with_parent = int; a.main()"
    run(code, tmp_path)
    compiled = run(PLAY, tmp_path)
    assert "step_episode" in compiled
    assert not {function.__name__ for function, _ in PARTS}.intersection(compiled)
    assert not {"roll", "write_decision", "bits_propose"}.intersection(compiled)  # called by parts


def test_it_ends_when_its_parent_does(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(
        "import time\nfrom monopoly_env.compiler.second_process import end_with_parent\n"
        "def main():\n    end_with_parent()\n    time.sleep(600)\n"
    )
    paths = repr([str(tmp_path), *sys.path]).replace("'", '"')
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, paths, "endless"], stdin=subprocess.PIPE
    )
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(timeout=60) == 0


def test_only_one_compiles_for_a_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(second_process, "CACHE_FOLDER", tmp_path)
    with only_one() as first, only_one() as second:
        assert (first, second) == (True, False)
    with only_one() as later:
        assert later


@pytest.mark.parametrize(
    ("value", "cores", "wanted"),
    [("", 2, True), ("", 1, False), ("1", 2, False), ("0", 2, False), ("2", 2, True)],
)
def test_when_it_is_started(
    monkeypatch: pytest.MonkeyPatch, value: str, cores: int, wanted: bool
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    monkeypatch.setattr(second_process, "cores", lambda: cores)
    monkeypatch.setattr(second_process, "LINKING", SimpleNamespace(kind="entry"))
    assert is_wanted() is wanted
    monkeypatch.setattr(sys, "executable", "/usr/sbin/server")
    assert not is_wanted()


def test_none_is_started_beside_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[Any] = []
    monkeypatch.setattr(second_process, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(second_process.subprocess, "Popen", lambda *a, **_: started.append(a))
    with only_one(), suppress(AttributeError):
        second_process.start()
    assert not started
    with suppress(AttributeError):  # what is started has no wait()
        second_process.start()
    assert len(started) == 1


def maker(number: int) -> Callable[[], int]:
    """Return one of several functions that only their closures tell apart."""

    def inner() -> int:
        return number

    return inner


def identity(function: Any) -> Any:
    """What Numba knows of a function before it compiles it."""
    code = function.__code__
    return SimpleNamespace(
        func=function, filename=code.co_filename, func_qualname=function.__qualname__
    )


def test_symbols_are_equal_in_all_processes_and_different_for_different_functions() -> None:
    one, other = maker(1), maker(2)
    names = []
    for function in (one, other, one):
        made = identity(function)
        name_alike(made)
        assert made.unique_name == f"{function.__qualname__}${made.unique_id}"
        names.append(made.unique_id)
    assert names[0] == names[2] != names[1]
    code = (
        "from types import SimpleNamespace as N\n"
        "from monopoly_env.compiler.symbols import name_alike\n"
        "from monopoly_env.engine.dispatch import apply\n"
        "f = getattr(apply, 'py_func', apply)\n"
        "n = N(func=f, filename=f.__code__.co_filename, func_qualname=f.__qualname__)\n"
        "name_alike(n); print(n.unique_id)"
    )
    here: dict[str, Any] = {}
    exec(code.replace("print(n.unique_id)", ""), here)
    assert run(code, Path(os.environ.get("TMPDIR", "/tmp"))) == [here["n"].unique_id]
