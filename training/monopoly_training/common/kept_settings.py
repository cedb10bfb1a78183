"""What a run was made with, against what its config.yaml says now.

A file that people can edit must not change a run under its feet: what was trained or evolved so far
belongs to the settings that it was made with. Other settings are taken only where the caller names
them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from monopoly_env.errors import Location
from monopoly_training.common.files import tell_repair, write_atomic
from monopoly_training.common.schema import ConfigError, flat, load_settings, plain

NOTHING = object()  # stands for a setting that is not there
MOST_TOLD = 3  # settings that an error names


def check_kept(
    then: Mapping[str, Any], now: Mapping[str, Any], named: Collection[str], location: Location
) -> None:
    """Raise the error of ``location`` for a setting that has changed, unless it is ``named``.

    ``then`` is what a run was made with, ``now`` what its config says, both nested; ``named`` are
    keys with dots, such as ``ppo.gamma``.
    """
    changed = {
        key: values for key, values in changes(then, now).items() if not is_named(key, named)
    }
    if not changed:
        return
    told = list(changed.items())[:MOST_TOLD]
    facts = ", ".join(
        f"{key} is {as_yaml(new)}, and the run was made with {as_yaml(old)}"
        for key, (old, new) in told
    )
    more = f", and {len(changed) - MOST_TOLD} more" if len(changed) > MOST_TOLD else ""
    key, (old, new) = told[0]
    restored = f"write {key}: {as_yaml(old)} again" if old is not NOTHING else f"take {key} out"
    wanted = as_yaml(new) if new is not NOTHING else "…"
    location.fail(
        f"{facts}{more}; to use the new value, add `changes` {key}={wanted}, or {restored}"
    )


def settings_in(
    path: Path, schema: type, config: Mapping[str, Any], replaced: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What the config of a run says. One that is gone is rewritten: ``config`` is kept elsewhere.

    So is one that still says what was ``replaced``: a kill came while other settings were taken.
    """
    kept = yaml.safe_dump(plain(dict(config)), sort_keys=False)
    if not path.exists():
        tell_repair(path, "is gone; it is rewritten, as the run was made")
        write_atomic(path, kept)
    try:
        found = asdict(load_settings(schema, [path]))
    except ConfigError as problem:
        raise ConfigError(f"{problem}; or delete it, and it is rewritten") from None
    if replaced is not None and changes(replaced, config) and not changes(replaced, found):
        write_atomic(path, kept)
        return dict(config)
    return found


def changes(then: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The settings that differ, under dotted names: before and after.

    >>> changes({"ppo": {"gamma": 0.99}, "seed": 1}, {"ppo": {"gamma": 0.9}, "seed": 1})
    {'ppo.gamma': (0.99, 0.9)}
    """
    before, after = flat(plain(dict(then))), flat(plain(dict(now)))
    pairs = {
        key: (before.get(key, NOTHING), after.get(key, NOTHING)) for key in {**before, **after}
    }
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def keys_of(given: Iterable[str], options: Iterable[str] = ()) -> set[str]:
    """The keys that ``key=value`` changes and settings by name are about."""
    return {change.partition("=")[0] for change in given} | set(options)


def is_named(key: str, named: Collection[str]) -> bool:
    """Whether a setting is named, by itself, as a part of what is named, or by its parts."""
    return any(
        key == name or key.startswith(f"{name}.") or name.startswith(f"{key}.") for name in named
    )


def as_yaml(value: Any) -> str:
    """A value as it stands in a config."""
    if value is NOTHING:
        return "not there"
    text = yaml.safe_dump(value, default_flow_style=True, width=10**6)
    return " ".join(text.removesuffix("...\n").split())
