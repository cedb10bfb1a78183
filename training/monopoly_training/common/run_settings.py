"""Check a run's config.yaml against the settings that the run was created with.

Editing the file must not silently change a run: its results belong to the original settings.
Changed settings are accepted only if the caller names them explicitly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from monopoly_env.errors import Location
from monopoly_training.common.files import warn_repaired, write_atomic
from monopoly_training.common.schema import ConfigError, flat, load_settings, plain

NOTHING = object()  # stands for a missing setting
MOST_SHOWN = 3  # settings listed in an error


def check_kept(
    then: Mapping[str, Any], now: Mapping[str, Any], named: Collection[str], location: Location
) -> None:
    """Raise the error of ``location`` if a setting has changed, unless it is in ``named``.

    ``then`` are the nested settings of the run, ``now`` those of its config; ``named`` are dotted
    keys such as ``ppo.gamma``.
    """
    changed = {
        key: values for key, values in changes(then, now).items() if not is_named(key, named)
    }
    if not changed:
        return
    shown = list(changed.items())[:MOST_SHOWN]
    facts = ", ".join(
        f"{key} is {as_yaml(new)}, and the run was made with {as_yaml(old)}"
        for key, (old, new) in shown
    )
    more = f", and {len(changed) - MOST_SHOWN} more" if len(changed) > MOST_SHOWN else ""
    key, (old, new) = shown[0]
    restored = f"write {key}: {as_yaml(old)} again" if old is not NOTHING else f"take {key} out"
    wanted = as_yaml(new) if new is not NOTHING else "…"
    location.fail(
        f"{facts}{more}; to use the new value, add `changes` {key}={wanted}, or {restored}"
    )


def settings_in(
    path: Path, schema: type, config: Mapping[str, Any], replaced: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Read a run's config file; if it is missing, rewrite it from the recorded ``config``.

    It is also rewritten if it still holds the ``replaced`` settings: the process was killed while
    new settings were being saved.
    """
    kept = yaml.safe_dump(plain(dict(config)), sort_keys=False)
    if not path.exists():
        warn_repaired(path, "is gone; it is rewritten, as the run was made")
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
    """Return the settings that differ, as dotted key → (before, after).

    A setting that is missing equals null: runs of earlier versions lack the newer settings.

    >>> changes({"ppo": {"gamma": 0.99}, "seed": 1}, {"ppo": {"gamma": 0.9}, "seed": 1})
    {'ppo.gamma': (0.99, 0.9)}
    """
    before, after = flat(plain(dict(then))), flat(plain(dict(now)))
    pairs = {
        key: (before.get(key, NOTHING), after.get(key, NOTHING)) for key in {**before, **after}
    }
    return {
        key: pair
        for key, pair in pairs.items()
        if pair[0] != pair[1] and not all(one is NOTHING or one is None for one in pair)
    }


def keys_of(given: Iterable[str], options: Iterable[str] = ()) -> set[str]:
    """Return the keys set by ``key=value`` changes and by options."""
    return {change.partition("=")[0] for change in given} | set(options)


def is_named(key: str, named: Collection[str]) -> bool:
    """Return whether a setting, a group that contains it, or a part of it is named."""
    return any(
        key == name or key.startswith(f"{name}.") or name.startswith(f"{key}.") for name in named
    )


def as_yaml(value: Any) -> str:
    """Format a value the way it appears in a config."""
    if value is NOTHING:
        return "not there"
    text = yaml.safe_dump(value, default_flow_style=True, width=10**6)
    return " ".join(text.removesuffix("...\n").split())
