"""Compiled functions are linked once, where Python calls in; the parts are kept on disk."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from monopoly_env.compiler.bits import lowest, spread
from monopoly_env.compiler.jit import JIT
from monopoly_env.compiler.memory import borrowed, zero
from monopoly_env.engine.actions import BASE, N_ACTIONS, N_KINDS, SIZE
from monopoly_env.engine.masks import nth_set, read_mask, write_mask

needs_jit = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@needs_jit
def test_another_packages_compiled_code_can_call_ours() -> None:
    """It takes what it calls whole, with all that that calls."""
    import numba

    @numba.njit
    def third(bits: int) -> int:
        return nth_set(bits, 2) + lowest(bits)

    assert third(0b101100) == 5 + 2


def test_masks_written_and_read() -> None:
    rng = np.random.default_rng(3)
    full = (1 << SIZE) - 1
    for bits in (full, 0 * full, *(rng.integers(1 << 40, size=(99, N_KINDS)) & full)):
        room = np.full(N_ACTIONS + 64, 7, np.int8)
        mask = room[:N_ACTIONS]
        legal = [
            BASE[kind] + k
            for kind in range(N_KINDS)
            for k in range(SIZE[kind])
            if bits[kind] >> k & 1
        ]
        assert write_mask(bits, mask) == len(legal)
        assert np.flatnonzero(mask).tolist() == legal
        assert (room[N_ACTIONS:] == 7).all()
        again = np.ones_like(bits)
        read_mask(mask, again)
        assert (again == bits).all()


def test_spread_writes_a_number_for_each_bit() -> None:
    for dtype, room in ((np.float32, 16), (np.int8, 64), (np.int64, 8)):
        for bits in (0, -1, 1, 0x5A5A_1234_8765_F00F):
            array = np.full(80, 7, dtype)
            spread(array, 3, bits)
            assert array[3 : 3 + room].tolist() == [bits >> k & 1 for k in range(room)]
            assert (array[:3] == 7).all()
            assert (array[3 + room :] == 7).all()


def test_zero_clears_what_it_names() -> None:
    for dtype in (np.float32, np.int8, np.int64):
        array = np.ones(9, dtype)
        zero(array, 2, 5)
        assert array.tolist() == [1, 1, 0, 0, 0, 1, 1, 1, 1]


def test_a_borrowed_array_is_the_array() -> None:
    array = np.arange(5)
    assert borrowed(array).sum() == 10
    assert sys.getrefcount(array) == 2


def run(code: str, cache: Path, **variables: str) -> str:
    """What a fresh Python with this folder for compiled code prints."""
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(cache)} | variables
    command = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


COUNT = """
    import numpy as np
    from numba.core import event

    compiled = []

    class Listener(event.Listener):
        def on_start(self, event):
            compiled.append(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event):
            pass

    event.register("numba:compile", Listener())
"""


@needs_jit
def test_parts_are_found_again_on_disk(tmp_path: Path) -> None:
    """Another entry point compiles itself alone, what it calls is read."""
    cold = (
        COUNT
        + """
    from monopoly_env.engine.masks import nth_set
    print(nth_set(0b1010, 1), "nth_set" in compiled, "lowest" in compiled)
    """
    )
    warm = (
        COUNT
        + """
    from monopoly_env.engine.masks import nth_set, write_mask, random_below, pick
    bits = np.zeros(64, np.int64)
    bits[3] = 1
    print(write_mask(bits, np.zeros(400, np.int8)), "write_mask" in compiled, "lowest" in compiled)
    print(nth_set(0b1010, 1), "nth_set" in compiled)
    """
    )
    assert run(cold, tmp_path).split() == ["3", "True", "True"]
    assert run(warm, tmp_path).split() == ["1", "True", "False", "3", "False"]
    assert run(warm, tmp_path).split() == ["1", "False", "False", "3", "False"]


@needs_jit
def test_parts_of_different_processes_do_not_mix(tmp_path: Path) -> None:
    """A caller is compiled anew if what it calls was compiled by another process in between."""
    use = """
    from monopoly_env.engine.masks import nth_set, pick
    import numpy as np
    bits = np.zeros(64, np.int64)
    bits[0] = 4
    print(pick(bits, np.uint64(1)))
    """
    first = run(use, tmp_path / "one")
    # A process that has compiled something else before numbers the same functions otherwise.
    other = "from monopoly_env.engine.deeds import owns_group\nowns_group.callee\n"
    other += "from monopoly_env.compiler.bits import bit\nbit(3)\n"
    assert run(other + textwrap.dedent(use), tmp_path / "two") == first
    mixed = list((tmp_path / "two").rglob("callee-*nth_set-*"))
    assert len(mixed) == 2  # index and code
    for path in mixed:
        path.replace(tmp_path / "one" / path.relative_to(tmp_path / "two"))
    for path in (tmp_path / "one").rglob("*masks.pick-*"):
        if not path.name.startswith("callee-"):
            path.unlink()
    assert run(use, tmp_path / "one") == first


@needs_jit
def test_processes_that_start_cold_together(tmp_path: Path) -> None:
    """Each compiles for itself or reads what another wrote; nobody reads half a file."""
    code = "from monopoly_env.engine.masks import nth_set; print(nth_set(0b1010, 1))"
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(tmp_path)}
    children = [
        subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE)
        for _ in range(4)
    ]
    assert [child.communicate()[0].split() for child in children] == [[b"3"]] * 4
    assert [child.returncode for child in children] == [0] * 4


@needs_jit
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A read-only install: compiled code is kept in a temporary folder of the user's."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    code = """
    from monopoly_env.compiler.cache import CACHE_FOLDER
    from monopoly_env.engine.masks import nth_set
    print(nth_set(0b1010, 1), CACHE_FOLDER)
    """
    value, folder = run(code, blocked, TMPDIR=str(tmp_path)).split()
    assert value == "3"
    assert Path(folder).parent == tmp_path
    assert list(Path(folder).rglob("*.nbc"))
