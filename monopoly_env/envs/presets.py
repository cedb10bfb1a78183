"""Presets: named sets of options. Options that are given explicitly take precedence."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from monopoly_env.editions import Edition
from monopoly_env.encoding.reward import Reward, make_reward
from monopoly_env.envs.checks import fail
from monopoly_env.errors import show, suggest
from monopoly_env.integers import as_int

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
        InputError: the preset does not exist, or needs another number of players.
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
    seats = given.get("seats")
    if "pool" in settled or (isinstance(seats, str) and seats == "all"):
        settled.add("opponents")  # they come from the pool, or there are none
    added = {
        name: dict(value) if isinstance(value, Mapping) else value  # a proxy cannot be pickled
        for name, value in PRESETS[preset].items()
        if name in known and name not in settled
    }
    if "opponents" in added:
        _check_players(preset, len(added["opponents"]) + 1, given.get("num_players"))
    return {**added, **given}


def _check_players(preset: str, players: int, given: object) -> None:
    """Refuse another number of players than the opponents of a preset make."""
    number = as_int(given)
    if number not in (None, players):
        fail(
            "num_players",
            f"preset {preset!r} has {players - 1} opponents, for {players} players, not {number}; "
            "leave it out, or give opponents or pool",
        )


def check_preset_rules(edition: object, preset: str, added: Collection[str]) -> None:
    """Refuse rules of a preset for an edition that is loaded already, and so has its rules.

    ``added`` are the options that the preset sets.
    """
    rules = [name for name in ("windows", "deals") if name in added]
    if rules and isinstance(edition, Edition):
        fail(
            "preset",
            f"{preset!r} sets {' and '.join(rules)}, and the edition is loaded already; give the "
            "edition by name, or leave the preset out",
        )


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
