"""While functions are compiled: little garbage is collected, LLVM's timers hear nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from llvmlite import binding
from llvmlite.binding import ffi

from monopoly_env.compiler.numba_trimming import RARELY, quiet


@pytest.fixture
def heard() -> Iterator[list[str]]:
    """What LLVM's lock has told since the test began."""
    told: list[str] = []

    def acquired() -> None:
        told.append("acquired")

    def released() -> None:
        told.append("released")

    ffi.register_lock_callback(acquired, released)
    yield told
    ffi.unregister_lock_callback(acquired, released)


def call_llvm() -> None:
    """Something that LLVM does."""
    assert binding.get_default_triple()


def test_timers_of_llvms_lock_hear_nothing_until_it_is_over(heard: list[str]) -> None:
    with quiet():
        with quiet():
            call_llvm()
        call_llvm()
    assert heard == []
    call_llvm()
    assert heard[:2] == ["acquired", "released"]


def test_garbage_is_collected_rarely_until_it_is_over() -> None:
    usual = gc.get_threshold()
    with quiet(), quiet():
        assert gc.get_threshold() == (RARELY, *usual[1:])
    assert gc.get_threshold() == usual


@pytest.mark.parametrize("first", [0, 10 * RARELY])
def test_who_collects_still_less_is_left_alone(first: int) -> None:
    usual = gc.get_threshold()
    gc.set_threshold(first, *usual[1:])
    try:
        with quiet():
            assert gc.get_threshold()[0] == first
    finally:
        gc.set_threshold(*usual)


def test_all_is_as_it_was_after_an_error(heard: list[str]) -> None:
    usual = gc.get_threshold()
    with pytest.raises(ValueError, match="no code"), quiet():
        raise ValueError("no code")
    call_llvm()
    assert heard
    assert gc.get_threshold() == usual
