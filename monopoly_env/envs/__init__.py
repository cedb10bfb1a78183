"""The environments: PettingZoo AEC, Gymnasium, and vectorized Gymnasium.

Names are loaded on first use, so that registering an environment needs no compiled code.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from monopoly_env.envs.aec import MonopolyEnv, env, raw_env
    from monopoly_env.envs.single import SingleSeatEnv
    from monopoly_env.envs.vector import VectorEnv

__all__ = ["MonopolyEnv", "SingleSeatEnv", "VectorEnv", "env", "raw_env"]

_HOMES = {
    "MonopolyEnv": "aec",
    "SingleSeatEnv": "single",
    "VectorEnv": "vector",
    "env": "aec",
    "raw_env": "aec",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
