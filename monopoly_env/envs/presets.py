"""Presets: options that go together, under one word. Whatever else is given comes before them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from monopoly_env.encoding.reward import Reward, make_reward
from monopoly_env.envs.checks import fail
from monopoly_env.errors import show, suggest

# Games last some hundred decisions. With a discount of 0.99 in it, shaping would pay for staying
# poor: each decision costs (1 - gamma) times the potential.
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
    """Return what was given by name, and what its ``preset`` adds.

    Args:
        given: options by name.
        names: of the options that were given without their names.
        known: the options that the environment has; a preset's others say nothing to it.

    Returns:
        All that was given, and from the preset what was not.

    Raises:
        InputError: there is no such preset.
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
        settled.add("opponents")  # who plays is said already
    added = {
        name: dict(value) if isinstance(value, Mapping) else value  # a proxy cannot be pickled
        for name, value in PRESETS[preset].items()
        if name in known and name not in settled
    }
    return {**added, **given}


def bootstrapped(reward: object, preset: object) -> Reward:
    """A reward for a learner that estimates what would have come of a truncated game.

    Such a game then pays nothing for its standings, which would count twice, unless ``reward``
    itself says what truncation pays. None: the preset's reward.

    Raises: InputError for a reward or a preset that there is not.
    """
    if reward is None:
        reward = with_preset({"preset": preset}, (), ("reward",)).get("reward", "win")
    says_so = isinstance(reward, Reward) or (isinstance(reward, Mapping) and "truncation" in reward)
    made = make_reward(reward)
    counts_twice = made.truncation == "standings" and not says_so
    return replace(made, truncation="bootstrap") if counts_twice else made
