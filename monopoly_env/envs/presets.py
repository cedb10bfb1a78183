"""Presets: named sets of options. Options that are given explicitly take precedence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from monopoly_env.encoding.reward import Reward, make_reward
from monopoly_env.envs.checks import fail
from monopoly_env.errors import show, suggest

# A game has hundreds of decisions. With gamma = 0.99, shaping would reward staying poor: each
# decision costs (1 - gamma) times the potential.
SHAPED = MappingProxyType({"name": "win", "potential": "net_worth", "gamma": 0.997})
PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "full": MappingProxyType({}),
        "basic": MappingProxyType(
            {"windows": "own", "deals": "off", "skip_forced": True, "reward": SHAPED}
        ),
        "paper": MappingProxyType(
            {
                "windows": "own",
                "deals": "menu",
                "skip_forced": True,
                "reward": SHAPED,
                "opponents": ("fixed_a", "fixed_b", "fixed_c"),
            }
        ),
    }
)


def with_preset(
    given: Mapping[str, Any], names: Sequence[str], known: Sequence[str]
) -> dict[str, Any]:
    """Return the given options, completed by their ``preset``.

    Args:
        given: options by name.
        names: the options that were given by position.
        known: the options of the environment; other options of a preset are ignored.

    Returns:
        All given options, and those of the preset that were not given.

    Raises:
        InputError: the preset does not exist.
    """
    preset = given.get("preset", "full")
    if not isinstance(preset, str) or preset not in PRESETS:
        hint = (
            suggest(preset, PRESETS)
            if isinstance(preset, str)
            else f"name one of {', '.join(PRESETS)}"
        )
        fail("preset", f"there is no preset {show(preset)}; {hint}")
    rules = given.get("rules")
    settled = {*given, *names, *(rules if isinstance(rules, Mapping) else ())}
    if "between_windows" in settled:
        settled.add("windows")
    if "pool" in settled:
        settled.add("opponents")  # a pool replaces the opponents
    added = {
        name: dict(value) if isinstance(value, Mapping) else value  # a proxy cannot be pickled
        for name, value in PRESETS[preset].items()
        if name in known and name not in settled
    }
    return {**added, **given}


def bootstrapped(reward: object, preset: object) -> Reward:
    """Return a reward for a learner that bootstraps the value of truncated games.

    Truncation then pays nothing for the standings, which would count twice, unless ``reward``
    itself sets what truncation pays. None stands for the preset's reward.

    Raises: InputError for an unknown reward or preset.
    """
    if reward is None:
        reward = with_preset({"preset": preset}, (), ("reward",)).get("reward", "win")
    says_so = isinstance(reward, Reward) or (isinstance(reward, Mapping) and "truncation" in reward)
    made = make_reward(reward)
    counts_twice = made.truncation == "standings" and not says_so
    return replace(made, truncation="bootstrap") if counts_twice else made
