"""Monopoly for reinforcement learning and game AI.

>>> from monopoly_env import Game
>>> game = Game(edition="classic", players=4, seed=7)
>>> game.play("roll")

Names are loaded on first use, so that importing the package is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from monopoly_env.editions import Edition, load_edition
    from monopoly_env.engine.why import Why
    from monopoly_env.envs import SingleSeatEnv, VectorEnv
    from monopoly_env.game import Game, IllegalAction
    from monopoly_env.negotiation.terms import Terms
    from monopoly_env.negotiation.values import DealValues, deal_values
    from monopoly_env.pictures import svg
    from monopoly_env.planning import Rollouts, rollouts
    from monopoly_env.text.env import TextEnv
    from monopoly_env.value.chances import win_chances
    from monopoly_env.value.weights import Value, load_value

    version: str

__all__ = [
    "DealValues",
    "Edition",
    "Game",
    "IllegalAction",
    "Rollouts",
    "SingleSeatEnv",
    "Terms",
    "TextEnv",
    "Value",
    "VectorEnv",
    "Why",
    "deal_values",
    "load_edition",
    "load_value",
    "rollouts",
    "svg",
    "version",
    "win_chances",
]

_HOMES = {
    "DealValues": "monopoly_env.negotiation.values",
    "Edition": "monopoly_env.editions",
    "Game": "monopoly_env.game",
    "IllegalAction": "monopoly_env.game",
    "Rollouts": "monopoly_env.planning",
    "SingleSeatEnv": "monopoly_env.envs",
    "Terms": "monopoly_env.negotiation.terms",
    "TextEnv": "monopoly_env.text.env",
    "Value": "monopoly_env.value.weights",
    "VectorEnv": "monopoly_env.envs",
    "Why": "monopoly_env.engine.why",
    "deal_values": "monopoly_env.negotiation.values",
    "load_edition": "monopoly_env.editions",
    "load_value": "monopoly_env.value.weights",
    "rollouts": "monopoly_env.planning",
    "svg": "monopoly_env.pictures",
    "win_chances": "monopoly_env.value.chances",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module; ``version`` is the installed package's."""
    if name in ("version", "__version__"):
        from importlib.metadata import version

        value: Any = version("monopoly-env")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_ENVIRONMENT = "monopoly_env/Monopoly-v0"
_TEXT_ENVIRONMENT = "monopoly_env/MonopolyText-v0"


def _register() -> None:
    """Register the environments with Gymnasium (``make``, ``make_vec``) and PettingZoo (``make``).

    Entry points are strings, so registration imports no environment and compiles nothing.
    """
    import gymnasium

    if _ENVIRONMENT not in gymnasium.registry:
        gymnasium.register(
            id=_ENVIRONMENT,
            entry_point="monopoly_env.envs.single:SingleSeatEnv",
            vector_entry_point="monopoly_env.envs.vector:VectorEnv",
        )
    if _TEXT_ENVIRONMENT not in gymnasium.registry:
        gymnasium.register(id=_TEXT_ENVIRONMENT, entry_point="monopoly_env.text.env:TextEnv")
    try:  # PettingZoo has a registry from 1.27 on
        from pettingzoo.env_registry import registration
    except ImportError:
        return
    if _ENVIRONMENT not in registration.aec_registry:
        registration.register("aec", _ENVIRONMENT, entry_point="monopoly_env.monopoly_v0:env")


_register()
