"""What ``env_config`` may say, and what RLlib needs whatever it says."""

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
    """The options of an environment: those of ``env_config``, and those that RLlib needs.

    Raises: InputError for an option that cannot be chosen, one line.
    """
    for name in (*FIXED, *fixed):
        if name in config:
            fail(name, "is what RLlib needs already; leave it out of env_config")
    options = {**config, **FIXED}
    options["reward"] = bootstrapped(config.get("reward"), config.get("preset", "full"))
    return options


def edition_of(config: Mapping[str, Any]) -> Edition:
    """The edition with its rules, as ``env_config`` says; of several, one that stands for all."""
    given = {name: value for name, value in config.items() if name != "bot_seats"}
    known = [field.name for field in fields(AECOptions)]
    return AECOptions(**with_preset(given, (), known)).editions().first
