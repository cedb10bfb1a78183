"""Schema of a league. Meanings and defaults are in configs/league/default.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

import yaml

from monopoly_env.errors import Location
from monopoly_training.common.schema import (
    ConfigError,
    Range,
    find_config,
    load_settings,
    plain,
)
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.config_schema import Share, TrainConfig, Whole

KIND = "league"
Count = Annotated[int, Range(0, 100)]
Priority = Literal["hard", "variance", "linear", "even"]


@dataclass(frozen=True)
class LearnersConfig:
    """The number of learners of each kind."""

    main: Annotated[int, Range(1, 100)]
    main_exploiters: Count
    league_exploiters: Count


@dataclass(frozen=True)
class MatchmakingConfig:
    """How opponents are chosen."""

    main: Priority
    main_exploiters: Priority
    league_exploiters: Priority
    bots: Share
    least: Share


@dataclass(frozen=True)
class ExploitersConfig:
    """When exploiters are reset."""

    beaten: Share
    patience: Annotated[int, Range(1, 10**6)]
    reset: Share


@dataclass(frozen=True)
class PayoffConfig:
    """The games that compare policies."""

    games: Annotated[int, Range(1, 10**6)]
    seed: Annotated[int, Range(0, 2**62)]


@dataclass(frozen=True)
class LeagueConfig:
    """The settings of a league."""

    seed: Annotated[int, Range(0, 2**31 - 1)]
    rounds: Annotated[int, Range(1, 10**6)]
    train: str
    settings: tuple[str, ...]
    steps: Whole
    learners: LearnersConfig
    matchmaking: MatchmakingConfig
    exploiters: ExploitersConfig
    population: Annotated[int, Range(2, 1000)]
    payoff: PayoffConfig

    def as_yaml(self) -> str:
        """Return the resolved config as YAML, from which the league can be repeated."""
        return yaml.safe_dump(plain(asdict(self)), sort_keys=False)

    def training(self) -> TrainConfig:
        """Return the training config of all learners. Raises: ConfigError, one line."""
        past = 1.0 - self.matchmaking.bots
        return load_train_config(
            self.train, ["ppo.anneal=false", *self.settings, f"pool.past={past}"]
        )


def load_league_config(
    name: str | Path,
    changes: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
) -> LeagueConfig:
    """Load a config by name or path, over the defaults, and apply ``key=value`` changes.

    Raises: ConfigError, one line that names the file, the key and the remedy.
    """
    path = find_config(KIND, name)
    sources = [find_config(KIND, "default"), path]
    return checked(load_settings(LeagueConfig, sources, changes, options), ConfigError.at(path))


def checked(config: LeagueConfig, location: Location) -> LeagueConfig:
    """Return the config after checking that its training config fits."""
    training = config.training()
    if training.ppo.workers:
        (location / "settings").fail("ppo.workers must be 0: a league's learners are its tasks")
    if not training.draw:
        (location / "settings").fail("draw must be true: opponents are drawn")
    learners = config.learners
    policies = 1 + learners.main + learners.main_exploiters + learners.league_exploiters
    if config.population < policies:
        (location / "population").fail(
            f"must be at least {policies}: where all begin, and each learner"
        )
    return config
