"""The examples in docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = (
    ROOT / "monopoly_env",
    ROOT / "agents" / "monopoly_agents",
    ROOT / "training" / "monopoly_training",
)


def modules_with_examples() -> list[str]:
    """The names of all modules whose source has an example."""
    found = []
    for package in PACKAGES:
        for path in sorted(package.rglob("*.py")):
            if ">>> " in path.read_text(encoding="utf-8"):
                parts = path.relative_to(package.parent).with_suffix("").parts
                found.append(".".join(part for part in parts if part != "__init__"))
    return found


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_of(name: str) -> None:
    if name.startswith("monopoly_training.sb3"):
        pytest.importorskip("sb3_contrib")
    results = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert results.attempted > 0
    assert results.failed == 0


def test_what_users_begin_with_has_an_example() -> None:
    """Classes and functions of the packages that users import first."""
    import monopoly_env
    from monopoly_env import envs

    for name in (
        "Game",
        "SingleSeatEnv",
        "VectorEnv",
        "TextEnv",
        "Edition",
        "Value",
        "rollouts",
        "svg",
    ):
        assert ">>> " in (getattr(monopoly_env, name).__doc__ or ""), name
    for name in ("MonopolyEnv", "env"):
        assert ">>> " in (getattr(envs, name).__doc__ or ""), name
    assert ">>> " in (monopoly_env.win_chances.__doc__ or "")
