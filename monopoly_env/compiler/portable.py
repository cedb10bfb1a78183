"""Portable code: compiles for a feature level that nearly all processors support.

Numba compiles for the current processor. ``NUMBA_CPU_NAME`` and ``NUMBA_CPU_FEATURES`` select
another one; ``monopoly-env compile --cpu generic`` sets them to :data:`GENERIC`. Such code is used
if there is none for the processor itself and it supports all the features.
"""

from __future__ import annotations

import platform
from functools import cache
from typing import NamedTuple

from llvmlite import binding


class Level(NamedTuple):
    """A processor by its LLVM name, and the LLVM features that it requires."""

    name: str
    features: tuple[str, ...]

    @property
    def flags(self) -> str:
        """The features in Numba's format."""
        return ",".join(f"+{feature}" for feature in self.features)


X86_64_V3 = Level(
    "x86-64-v3",
    ("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2"),
)
GENERIC = {"x86_64": X86_64_V3, "AMD64": X86_64_V3}  # by platform.machine()


def generic_level() -> Level | None:
    """Return the level for this kind of machine, or None."""
    return GENERIC.get(platform.machine())


@cache
def supports(level: Level) -> bool:
    """Return whether the current processor has all features of a level."""
    try:
        found = binding.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this processor
        return False
    return all(found.get(feature, False) for feature in level.features)


def portable_target(target: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the target under which Numba stores portable code for this one, or None."""
    level = generic_level()
    if level is None or target[1] == level.name or not supports(level):
        return None
    return (target[0], level.name, level.flags)
