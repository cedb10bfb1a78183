"""Schema of a tuning run. Meanings and defaults are in configs/tune/default.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import yaml

from monopoly_env.agent import find_agent
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import AgentError, Location
from monopoly_training.common.bot_lists import bots_at
from monopoly_training.common.schema import (
    ConfigError,
    Range,
    find_config,
    load_settings,
    plain,
)

KIND = "tune"
# bots that can be tuned, also starting from a file: strategist:FILE
BOTS = ("strategist", "trader")


@dataclass(frozen=True)
class TuneTable:
    """The game and its options."""

    edition: str
    mode: str
    players: Annotated[int, Range(2, 8)]
    rules: dict[str, Any]
    skip_forced: bool

    def options(self) -> TableOptions:
        """Return the options as environments take them."""
        return TableOptions(
            edition=self.edition,
            mode=self.mode,
            num_players=self.players,
            rules=self.rules,
            skip_forced=self.skip_forced,
        )


@dataclass(frozen=True)
class CheckConfig:
    """How the mean of the search distribution is evaluated."""

    every: Annotated[int, Range(1, 10**6)]
    games: Annotated[int, Range(1, 10**7)]
    seed: Annotated[int, Range(0, 2**62)]


@dataclass(frozen=True)
class TuneConfig:
    """The settings of a tuning run."""

    seed: Annotated[int, Range(0, 2**31 - 1)]
    bot: str
    tables: tuple[str, ...]
    games: Annotated[int, Range(1, 10**6)]
    population: Annotated[int, Range(4, 1000)]
    generations: Annotated[int, Range(1, 10**6)]
    step: Annotated[float, Range(0.001, 10)]
    table: TuneTable
    check: CheckConfig

    def line_ups(self) -> dict[str, tuple[str, ...]]:
        """Return the bots in the other seats, by table."""
        seats = self.table.players - 1
        return {entry: bots_at(entry, seats) for entry in self.tables}

    def as_yaml(self) -> str:
        """Return the resolved config as YAML, from which the run can be repeated."""
        return yaml.safe_dump(plain(asdict(self)), sort_keys=False)


def load_tune_config(
    name: str | Path,
    changes: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
) -> TuneConfig:
    """Load a config by name or path, over the defaults, and apply ``key=value`` changes.

    Raises: ConfigError, one line that names the file, the key and the remedy.
    """
    path = find_config(KIND, name)
    sources = [find_config(KIND, "default"), path]
    return checked(load_settings(TuneConfig, sources, changes, options), ConfigError.at(path))


def checked(config: TuneConfig, location: Location) -> TuneConfig:
    """Return the config after checking that its bots exist and fit the table."""
    if not config.tables:
        (location / "tables").fail("is empty; name at least one, such as [strategist]")
    if config.bot.partition(":")[0] not in BOTS:
        (location / "bot").fail(
            f"must be strategist, trader, or either with a file: strategist:FILE, not {config.bot}"
        )
    for entry, bots in config.line_ups().items():
        if len(bots) != config.table.players - 1:
            (location / "tables").fail(
                f"must name one bot or {config.table.players - 1} with commas between them, "
                f"not {entry!r}"
            )
    try:
        config.table.options().editions()
        for bot in (config.bot, *(bot for bots in config.line_ups().values() for bot in bots)):
            # only checked for presence: loading would compile it
            if find_agent(bot)[0].load_policy is None:
                raise AgentError(f"tables: {bot} is not compiled; name compiled bots")
    except ValueError as problem:
        raise ConfigError(f"{location.file}: {problem}") from None
    return config
