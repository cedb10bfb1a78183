"""Code for many processors: a level of features that nearly all of them have.

Numba compiles for the processor at hand. With ``NUMBA_CPU_NAME`` and ``NUMBA_CPU_FEATURES`` it
compiles for another one; :data:`GENERIC` is what ``monopoly-env compile --cpu generic`` sets. Code
of that kind is used wherever there is none for the processor itself and all its features are there.
"""

from __future__ import annotations

import platform
from functools import cache
from typing import NamedTuple

from llvmlite import binding


class Level(NamedTuple):
    """A processor as LLVM names it, and the features that it must have, as LLVM lists them."""

    name: str
    features: tuple[str, ...]

    @property
    def flags(self) -> str:
        """The features as Numba takes them."""
        return ",".join(f"+{feature}" for feature in self.features)


X86_64_V3 = Level(
    "x86-64-v3",
    ("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2"),
)
GENERIC = {"x86_64": X86_64_V3, "AMD64": X86_64_V3}  # by machine, as Python names it


def generic_level() -> Level | None:
    """The level for processors of this kind; None if there is none yet."""
    return GENERIC.get(platform.machine())


@cache
def supports(level: Level) -> bool:
    """Whether the processor at hand has all features of a level."""
    try:
        found = binding.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this processor
        return False
    return all(found.get(feature, False) for feature in level.features)


def portable_target(target: tuple[str, ...]) -> tuple[str, ...] | None:
    """The target of generic code that can stand for code for this one, as Numba keys code by it."""
    level = generic_level()
    if level is None or target[1] == level.name or not supports(level):
        return None
    return (target[0], level.name, level.flags)
