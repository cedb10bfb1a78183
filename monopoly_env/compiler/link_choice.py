"""Chooses how compiled functions are linked: by our linker, or by Numba's own pipeline.

``entry`` is :mod:`monopoly_env.compiler.linking`, which starts faster but depends on Numba's
internals. ``plain`` is Numba's ordinary pipeline, which works with any version, compiles for longer
and plays the same games. ``MONOPOLY_ENV_LINKING`` selects one of them; by default, the Numba
version decides.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

import numba

VARIABLE = "MONOPOLY_ENV_LINKING"
ENTRY, PLAIN = "entry", "plain"
KNOWN = ("0.68",)  # the Numba versions that linking.py has been tested with


class LinkingError(ValueError):
    """An unknown kind of linking, or one that this Numba does not support; one line."""


class Linking(NamedTuple):
    """The chosen kind of linking, the reason, and whether it is a fallback."""

    kind: str
    why: str
    fallback: bool = False

    def __str__(self) -> str:
        return f"{self.kind} linking: {self.why}"


def choose_linking(version: str, named: str, find_gap: Callable[[], str]) -> Linking:
    """Return the linking for a version of Numba; ``named`` is the variable's value, or empty.

    ``find_gap`` returns what linking.py needs and this Numba lacks, or an empty text.
    """
    if named not in ("", ENTRY, PLAIN):
        raise LinkingError(f"{VARIABLE}={named}: must be {ENTRY} or {PLAIN}")
    if named == PLAIN:
        return Linking(PLAIN, f"{VARIABLE} asks for it")
    known = ".".join(version.split(".")[:2]) in KNOWN
    if not named and not known:
        return Linking(PLAIN, f"Numba {version} is not one of {', '.join(KNOWN)}", fallback=True)
    gap = find_gap()
    if named and gap:
        raise LinkingError(f"{VARIABLE}={named}: Numba {version} lacks {gap}; use {PLAIN}")
    if gap:
        return Linking(PLAIN, f"Numba {version} lacks {gap}", fallback=True)
    return Linking(ENTRY, f"{VARIABLE} asks for it" if named else f"Numba {version} is known")


def find_gap() -> str:
    """Return what the installed Numba lacks for :mod:`monopoly_env.compiler.linking`, or ""."""
    try:
        from monopoly_env.compiler.linking import missing
    except (ImportError, AttributeError) as problem:
        return str(problem)
    return missing()


LINKING = choose_linking(numba.__version__, os.environ.get(VARIABLE, ""), find_gap)
