"""The package: examples, what importing it loads, public names."""

from __future__ import annotations

import subprocess
import sys

import pytest

import monopoly_env
import monopoly_env.envs
import monopoly_env.game


def test_the_package_is_light_until_it_is_used() -> None:
    code = "import sys, monopoly_env; print('numba' in sys.modules, monopoly_env.version)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", monopoly_env.version]
    assert set(monopoly_env.__all__) <= set(dir(monopoly_env))
    with pytest.raises(AttributeError, match="no attribute 'Gmae'"):
        monopoly_env.Gmae  # noqa: B018


def test_the_environments_are_public_names() -> None:
    assert monopoly_env.VectorEnv is monopoly_env.envs.VectorEnv
    assert monopoly_env.SingleSeatEnv is monopoly_env.envs.SingleSeatEnv
