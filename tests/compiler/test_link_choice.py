"""Numba's ordinary pipeline takes the place of our linking where Numba is another than is known."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from monopoly_env import Game
from monopoly_env.agent import View
from monopoly_env.compiler import linking
from monopoly_env.compiler.jit import JIT
from monopoly_env.compiler.link_choice import (
    ENTRY,
    KNOWN,
    LINKING,
    PLAIN,
    LinkingError,
    choose_linking,
)

needs_jit = pytest.mark.skipif(not JIT, reason="nothing is compiled")
THIS = f"{KNOWN[-1]}.1"


def nothing() -> str:
    return ""


def a_gap() -> str:
    return "Compiler.compile_extra with 2 arguments"


def test_a_known_numba_is_linked_our_way() -> None:
    assert choose_linking(THIS, "", nothing) == (ENTRY, f"Numba {THIS} is known", False)


@pytest.mark.parametrize("version", ["0.67.0", "0.69.0rc1", "0.680.0", "1.0.0", "dev"])
def test_another_numba_goes_its_ordinary_way(version: str) -> None:
    chosen = choose_linking(version, "", a_gap)
    assert chosen.kind == PLAIN
    assert chosen.fallback
    assert str(chosen) == f"plain linking: Numba {version} is not one of {', '.join(KNOWN)}"


def test_a_known_numba_without_what_is_needed_goes_its_ordinary_way() -> None:
    chosen = choose_linking(THIS, "", a_gap)
    assert str(chosen) == f"plain linking: Numba {THIS} lacks {a_gap()}"
    assert chosen.fallback


def test_the_variable_decides() -> None:
    assert choose_linking(THIS, PLAIN, nothing)[::2] == (PLAIN, False)
    assert choose_linking("0.99.0", ENTRY, nothing)[::2] == (ENTRY, False)
    with pytest.raises(LinkingError, match=r"entry: Numba 0\.99\.0 lacks Compiler.*; use plain$"):
        choose_linking("0.99.0", ENTRY, a_gap)
    with pytest.raises(LinkingError, match=r"^MONOPOLY_ENV_LINKING=fast: must be entry or plain$"):
        choose_linking(THIS, "fast", nothing)


def test_methods_that_have_changed_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert linking.missing() == ""
    owner, name, arguments = linking.USED[0]
    monkeypatch.setattr(linking, "USED", ((owner, name, arguments + 1),))
    assert linking.missing() == f"Compiler.compile_extra with {arguments + 1} arguments"
    monkeypatch.setattr(linking, "USED", ((owner, "no_such_method", 1),))
    assert linking.missing() == "Compiler.no_such_method with 1 arguments"


def run(code: str, cache: Path, **variables: str) -> tuple[str, str]:
    """What a fresh Python with this folder for compiled code prints, and its standard error."""
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(cache)} | variables
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr.strip()


def test_the_command_line_says_in_one_line_what_is_wrong(tmp_path: Path) -> None:
    code = "from monopoly_training.cli import main; print(main(['compile']))"
    printed, said = run(code, tmp_path, MONOPOLY_ENV_LINKING="fast")
    assert printed == "2"
    assert said == "error: MONOPOLY_ENV_LINKING=fast: must be entry or plain"


UNKNOWN = """
    import numba
    numba.__version__ = "0.99.0"
"""
GAP = """
    import numba.core.caching
    del numba.core.caching.CompileResultCacheImpl
"""
LITTLE = """
    from monopoly_env.compiler.link_choice import LINKING
    from monopoly_env.engine.masks import nth_set
    print(LINKING.kind, nth_set(0b1010, 1))
"""


@needs_jit
@pytest.mark.parametrize(
    ("other", "why"),
    [
        (UNKNOWN, f"Numba 0.99.0 is not one of {', '.join(KNOWN)}"),
        (GAP, "cannot import name 'CompileResultCacheImpl'"),
    ],
)
def test_another_numba_works_and_warns_once_a_machine(other: str, why: str, tmp_path: Path) -> None:
    printed, warned = run(other + LITTLE, tmp_path)
    assert printed == "plain 3"
    assert warned.startswith("plain linking: ")
    assert why in warned
    assert warned.count("\n") == 0
    assert run(other + LITTLE, tmp_path) == ("plain 3", "")  # compiled before
    assert not list(tmp_path.rglob("callee-*"))


PLAY = """
    from monopoly_env.compiler.link_choice import LINKING
    from tests.compiler.test_link_choice import play
    print(LINKING.kind, play())
"""


def play() -> str:
    """A hash of every position of a game, and of what its actor sees at last."""
    game = Game(seed=5, players=3)
    digest = hashlib.sha256()
    for number in range(300):
        legal = game.legal_ids()
        game.play(int(legal[number * number % len(legal)]))
        digest.update(game.state.tobytes())
    view = View.of(game)
    digest.update(view.observation.tobytes() + view.mask.tobytes())
    return digest.hexdigest()


@needs_jit
@pytest.mark.slow
def test_both_ways_play_the_same_game(tmp_path: Path) -> None:
    other = ENTRY if LINKING.kind == PLAIN else PLAIN
    root = str(Path(__file__).parents[2])
    faster = {"NUMBA_BOUNDSCHECK": "0"}  # a minute of compiling, and a quarter more with checks
    printed, _ = run(PLAY, tmp_path, MONOPOLY_ENV_LINKING=other, PYTHONPATH=root, **faster)
    assert printed == f"{other} {play()}"
