"""Arrays from addresses: the very memory, in the shape that is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.pointers import array_at, scratch_record
from monopoly_env.compiler.records import new_records
from monopoly_env.engine.policy import VIEW

numbers_at = array_at(np.dtype(np.int64))
views_at = array_at(VIEW, 8)
new_view = scratch_record(VIEW)


@jit
def double(address: int, n: int) -> int:
    """Double the numbers there; how many there are."""
    numbers = numbers_at(address, n)
    for index in range(len(numbers)):
        numbers[index] *= 2
    return len(numbers)


@jit
def mark(address: int, n: int, row: int, seat: int) -> int:
    """Write into one of the views there; how many a row there are."""
    views = views_at(address, n)
    views[row, seat].memory[3] = 7
    return views.shape[1]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_numbers_are_written_where_they_lie(n: int) -> None:
    numbers = np.arange(n + 1)
    assert double(numbers.ctypes.data, n) == n
    assert numbers.tolist() == [2 * k for k in range(n)] + [n]


def test_records_lie_row_by_row() -> None:
    views = new_records(3 * 8, VIEW).reshape(3, 8)
    assert mark(views.ctypes.data, 3, 2, 5) == 8
    assert np.argwhere(views["memory"] == 7).tolist() == [[2, 5, 3]]
    assert views["memory"].sum() == 7


@jit
def outer(number: int) -> int:
    """Two records of this call, beside one of another."""
    one, other = new_view(), new_view()
    one.seat, other.seat = number, -number
    below = inner(number)
    return int(one.seat) * 10_000 + int(other.seat) * 100 + below


@jit
def inner(number: int) -> int:
    """A record of this call."""
    one = new_view()
    one.seat = number + 1
    one.memory[:] = 0
    return int(one.seat) + int(one.memory[5])


def test_records_of_a_call_are_its_own() -> None:
    assert [outer(number) for number in (1, 2, 40)] == [9902, 19803, 396_041]
