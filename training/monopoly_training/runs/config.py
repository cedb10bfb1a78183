"""The settings of a training run. Their meaning and defaults are in configs/train/default.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml

from monopoly_env.agent import find_agent
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import Location
from monopoly_training.common.bot_lists import bots_at, bots_of
from monopoly_training.common.schema import (
    ConfigError,
    Range,
    find_config,
    load_settings,
    location_of,
    plain,
)

KIND = "train"
MOST_WITH_PAST = 6  # bots in a pool: past selves and the bot of the other phases take two of eight
Whole = Annotated[int, Range(1, 10**12)]
Share = Annotated[float, Range(0, 1)]
Scale = Annotated[float, Range(0, 1000)]


@dataclass(frozen=True)
class TableConfig:
    """What is played."""

    edition: str
    mode: str
    players: Annotated[int, Range(2, 8)]
    rules: dict[str, Any]
    windows: Literal["all", "own"]
    deals: Literal["steps", "menu", "off"]
    decides: tuple[str, ...] | None
    rest: str
    leaves: tuple[str, ...]
    skip_forced: bool

    def options(self) -> TableOptions:
        """The same for the environments."""
        return TableOptions(
            edition=self.edition,
            mode=self.mode,
            num_players=self.players,
            rules=self.rules,
            windows=self.windows,
            deals=self.deals,
            decides=self.decides,
            rest=self.rest,
            leaves=self.leaves,
            skip_forced=self.skip_forced,
        )


@dataclass(frozen=True)
class RewardConfig:
    """What the learner is paid. Shaping takes gamma from the learner."""

    end: Literal["none", "win", "rank", "plus_minus"]
    end_scale: Scale
    each: Literal["none", "net_worth_share"]
    each_scale: Scale
    potential: Literal["none", "net_worth"]
    potential_scale: Scale
    truncation: Literal["standings", "bootstrap"]


@dataclass(frozen=True)
class PPOConfig:
    """The learner: Stable-Baselines3's MaskablePPO."""

    envs: Annotated[int, Range(1, 65536)]
    n_steps: Annotated[int, Range(1, 65536)]
    batch_size: Annotated[int, Range(2, 10**7)]
    epochs: Annotated[int, Range(1, 100)]
    learning_rate: Annotated[float, Range(0, 1)]
    anneal: bool
    gamma: Share
    gae_lambda: Share
    clip_range: Annotated[float, Range(0, 10)]
    entropy: Scale
    value: Scale
    max_grad_norm: Scale
    target_kl: Annotated[float | None, Range(0, 10)]
    clock: Literal["rounds", "decisions"]
    network: Literal["deeds", "layers"]
    layers: tuple[Annotated[int, Range(1, 8192)], ...]


@dataclass(frozen=True)
class ImitationConfig:
    """What is learned from a scripted bot first."""

    teacher: str
    steps: Annotated[int, Range(0, 10**12)]
    epochs: Annotated[int, Range(1, 100)]
    batch_size: Annotated[int, Range(2, 10**7)]
    learning_rate: Annotated[float, Range(0, 1)]


@dataclass(frozen=True)
class LeashConfig:
    """What holds the learner near the policy that PPO began from."""

    weight: Scale
    until: Share


@dataclass(frozen=True)
class PoolConfig:
    """How opponents are drawn."""

    weights: Literal["even", "beats"]
    past: Share
    every: Whole
    keep: Annotated[int, Range(1, 1000)]


@dataclass(frozen=True)
class EvaluationConfig:
    """The games on fixed seeds that make the learning curve."""

    every: Whole
    games: Whole
    seed: Annotated[int, Range(0, 2**62)]
    against: tuple[str, ...]

    def line_ups(self, seats: int) -> dict[str, tuple[str, ...]]:
        """The bots in the other seats; one bot alone sits in all of them."""
        return {names: bots_at(names, seats) for names in self.against}


@dataclass(frozen=True)
class TrainConfig:
    """A whole training run."""

    seed: Annotated[int, Range(0, 2**32 - 1)]
    steps: Whole
    minutes: Annotated[float | None, Range(0, 10**6)]
    threads: Annotated[int, Range(1, 256)]
    opponents: tuple[str, ...]
    draw: bool
    table: TableConfig
    reward: RewardConfig
    ppo: PPOConfig
    imitation: ImitationConfig
    leash: LeashConfig
    pool: PoolConfig
    evaluation: EvaluationConfig
    checkpoint_every: Whole

    def as_yaml(self) -> str:
        """The resolved config, which can be trained from again."""
        return yaml.safe_dump(plain(asdict(self)), sort_keys=False)


def load_train_config(
    name: str | Path,
    changes: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
) -> TrainConfig:
    """A training config by name or path, over the defaults, with ``key=value`` changes over it.

    ``options`` are settings that have a command line option of their own; they come last.

    Raises: ConfigError, one line that names the file, the key and the remedy.
    """
    path = find_config(KIND, name)
    default = find_config(KIND, "default")
    config = load_settings(TrainConfig, [default, path], changes, options)
    check(config, location_of(path))
    return config


def check(config: TrainConfig, place: Location) -> None:
    """What no single value can tell: that they fit together and that the bots exist."""
    check_opponents(config, place)
    check_learner(config.ppo, place / "ppo")
    seats = config.table.players - 1
    line_ups = config.evaluation.line_ups(seats)
    for names, bots in line_ups.items():
        if len(bots) != seats:
            (place / "evaluation" / "against").fail(
                f"must name one bot or {seats} with commas between them, not {names!r}"
            )
    seated = {bot for bots in line_ups.values() for bot in bots}
    try:
        config.table.options().load()
        config.table.options().decided()
        config.table.options().left()
        drawn = {bot for entry in config.opponents for bot in bots_of(entry)}
        for bot in (*drawn, *seated, config.table.rest):
            find_agent(bot)
        teacher, _ = find_agent(config.imitation.teacher)
    except ValueError as problem:
        raise ConfigError(f"{place.file}: {problem}") from None
    if teacher.load_policy is None:  # looked at only: loading it would compile it
        (place / "imitation" / "teacher").fail("must be a compiled bot, such as background")


def check_opponents(config: TrainConfig, place: Location) -> None:
    """Whether the opponents fill the other seats, or can be drawn."""
    if not config.opponents:
        (place / "opponents").fail("names no bot; name at least one, such as [random]")
    seats = config.table.players - 1
    tables = [bots_of(entry) for entry in config.opponents if "," in entry]
    if tables and not config.draw:
        (place / "opponents").fail("whole tables, with commas, are drawn; set draw: true")
    if tables and config.pool.past > 0:
        (place / "pool" / "past").fail("past selves join no whole tables; set past: 0")
    for bots in tables:
        if len(bots) != seats:
            (place / "opponents").fail(
                f"must name one bot or {seats} with commas between them, not {','.join(bots)!r}"
            )
    if not config.draw and len(config.opponents) != seats:
        (place / "opponents").fail(
            f"must be {seats} bots for {config.table.players} players, not "
            f"{len(config.opponents)}; or set draw: true to draw them"
        )
    if not config.draw and config.pool.past > 0:
        (place / "pool" / "past").fail("past selves are drawn; set draw: true, or past: 0")
    if config.pool.past > 0 and len(config.opponents) > MOST_WITH_PAST:
        (place / "opponents").fail(f"must be at most {MOST_WITH_PAST} bots beside past selves")


def check_learner(ppo: PPOConfig, place: Location) -> None:
    """Whether the learner's numbers fit each other."""
    if ppo.batch_size > ppo.envs * ppo.n_steps:
        (place / "batch_size").fail(
            f"must be at most envs × n_steps = {ppo.envs * ppo.n_steps}, not {ppo.batch_size}"
        )
    if ppo.network == "deeds" and (len(ppo.layers) != 2 or ppo.layers[0] < 2):
        (place / "layers").fail(
            "must be two sizes for network: deeds, of a deed's encoding and of the trunk, "
            "such as [32, 128]"
        )
