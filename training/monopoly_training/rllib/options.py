"""Options in ``env_config``, and those that RLlib requires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from monopoly_env.editions import Edition
from monopoly_env.envs.checks import fail
from monopoly_env.envs.options import AECOptions
from monopoly_env.envs.presets import bootstrapped, with_preset

FIXED = {"observation": "dict", "mask_dtype": "float32"}


def settled(config: Mapping[str, Any], fixed: Sequence[str] = ()) -> dict[str, Any]:
    """Return the environment's options: those of ``env_config`` and those that RLlib requires.

    Raises: InputError, one line, for an option that cannot be chosen.
    """
    for name in (*FIXED, *fixed):
        if name in config:
            fail(name, "is what RLlib needs already; leave it out of env_config")
    options = {**config, **FIXED}
    options["reward"] = bootstrapped(config.get("reward"), config.get("preset", "full"))
    return options


def edition_of(config: Mapping[str, Any]) -> Edition:
    """Return the edition in ``env_config``; for a set of editions, its representative."""
    given = {name: value for name, value in config.items() if name != "bot_seats"}
    known = [field.name for field in fields(AECOptions)]
    return AECOptions(**with_preset(given, (), known)).editions().first
