"""References to arrays are counted where arrays are made, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from monopoly_env.compiler import references
from monopoly_env.compiler.jit import JIT, jit
from monopoly_env.compiler.memory import borrowed
from monopoly_env.engine.masks import pick

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@jit
def total(numbers: Any) -> int:
    """The sum, by slices."""
    found = 0
    for index in range(len(numbers)):
        one = numbers[index : index + 1]
        found += one[0]
    return found


@jit
def of_lent(numbers: Any) -> int:
    """The sum of an array that is lent."""
    lent = borrowed(numbers)
    return total(lent[1:])


@jit
def doubled(numbers: Any) -> Any:
    """A new array."""
    made = np.empty(len(numbers), np.int64)
    for index in range(len(numbers)):
        made[index] = 2 * numbers[index]
    return made


@jit
def tail(numbers: Any) -> Any:
    """A part of the array that was given."""
    return numbers[1:]


@jit
def chosen(numbers: Any, which: Any) -> int:
    """The sum of a copy by a list of indices."""
    return total(numbers[which])


@jit
def raises(numbers: Any, text: Any) -> int:
    """An error that is put together."""
    if len(numbers) > 100:
        raise ValueError("too many", text)
    return total(numbers)


@jit
def all_of_it(numbers: Any, which: Any) -> int:
    """Everything together, called from compiled code."""
    made = doubled(numbers)
    pair = made, tail(made)
    found = total(made) + total(tail(pair[1])) + chosen(made, which) + of_lent(made)
    return found + raises(made, "text")


@jit
def makes_in_a_loop(numbers: Any, times: int) -> int:
    """New arrays under one name."""
    made, found = numbers, 0
    for _ in range(times):
        made = doubled(made)
        found += total(tail(made))
    return found


@jit
def copied(rows: Any, row: Any) -> None:
    """Write an array into every row of another one; Numba copies it first, in case they overlap."""
    for index in range(len(rows)):
        rows[index] = row


def test_an_array_written_into_another_one_is_copied() -> None:
    rows = np.zeros((3, 4), np.int64)
    copied(rows, np.arange(4))
    assert (rows == np.arange(4)).all()


def test_what_only_the_lowering_shows_is_compiled_with_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(references, "STORES", ())  # so that the copy is not foreseen

    @jit
    def unforeseen(rows: Any, row: Any) -> None:
        for index in range(len(rows)):
            rows[index] = row

    rows = np.zeros((3, 4), np.int64)
    unforeseen(rows, np.arange(4))
    assert (rows == np.arange(4)).all()


def code_of(function: Any) -> str:
    """LLVM's code of a function, as compiled code calls it."""
    results = function.callee.overloads.values()
    assert results
    return "".join(str(one.library.own_module) for one in results)


def check_code() -> None:
    """Check the code of the functions above. Only what this process has compiled has code."""
    numbers, which = np.arange(9), np.array([2, 4])
    all_of_it(numbers, which)
    makes_in_a_loop(numbers, 2)
    for function in (total, of_lent):
        assert "NRT_incref" not in code_of(function), function
        assert "NRT_decref" not in code_of(function), function
    for function in (doubled, chosen, tail):
        assert "NRT_" in code_of(function), function
    bits = np.zeros(64, np.int64)
    bits[3] = 1
    pick(bits, np.uint64(5))
    code = "".join(str(one.library._final_module) for one in pick.overloads.values())  # type: ignore[attr-defined]
    assert code
    assert "NRT_incref" not in code


def test_who_only_borrows_does_not_count(tmp_path: Path) -> None:
    """In a new process without compiled code, so that everything is compiled there."""
    line = "from tests.compiler.test_references import check_code; check_code()"
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", line],
        check=False,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_everything_that_is_made_is_freed_once() -> None:
    from numba.core.runtime import _nrt_python, rtsys

    _nrt_python.memsys_enable_stats()
    numbers, which = np.arange(9), np.array([2, 4])
    doubles = 2 * numbers
    expected = doubles.sum() + doubles[2:].sum() + doubles[which].sum() + doubles[1:].sum()
    expected += doubles.sum()
    for _ in range(2):  # the first time compiles
        before = rtsys.get_allocation_stats()
        for _ in range(50):
            made = all_of_it(numbers, which)
            assert made == expected
            assert makes_in_a_loop(numbers, 3) == (2 + 4 + 8) * numbers.sum()
            part = tail(numbers)
            assert part.base is not None
            assert part.sum() == numbers.sum()
            del part
            assert doubled(numbers)[3] == 6
        after = rtsys.get_allocation_stats()
    made = after.alloc - before.alloc, after.mi_alloc - before.mi_alloc
    freed = after.free - before.free, after.mi_free - before.mi_free
    assert made == freed
    assert made[1] > 0
    assert sys.getrefcount(numbers) == 2
