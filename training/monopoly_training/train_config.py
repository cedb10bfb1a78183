"""The settings of a training run. Their meaning and defaults are in configs/train/default.yaml."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml

from monopoly_env.agent import find_agent
from monopoly_env.editions.place import Place
from monopoly_env.envs.options import TableOptions
from monopoly_training.settings import ConfigError, Range, find_config, load_settings, place_of

KIND = "train"
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
class EvaluationConfig:
    """The games on fixed seeds that make the learning curve."""

    every: Whole
    games: Whole
    seed: Annotated[int, Range(0, 2**62)]
    against: tuple[str, ...]


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
    evaluation: EvaluationConfig
    checkpoint_every: Whole

    def as_yaml(self) -> str:
        """The resolved config, which can be trained from again."""
        return yaml.safe_dump(plain(asdict(self)), sort_keys=False)


def plain(value: Any) -> Any:
    """Tuples as lists, all the way down."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def load_train_config(name: str | Path, changes: Iterable[str] = ()) -> TrainConfig:
    """A training config by name or path, over the defaults, with ``key=value`` changes over it.

    Raises: ConfigError, one line that names the file, the key and the remedy.
    """
    path = find_config(KIND, name)
    default = find_config(KIND, "default")
    config = load_settings(TrainConfig, [default, path], changes)
    check(config, place_of(path))
    return config


def check(config: TrainConfig, place: Place) -> None:
    """What no single value can tell: that they fit together and that the bots exist."""
    ppo, table = config.ppo, config.table
    if not config.opponents:
        (place / "opponents").fail("names no bot; name at least one, such as [random]")
    if not config.draw and len(config.opponents) != table.players - 1:
        (place / "opponents").fail(
            f"must be {table.players - 1} bots for {table.players} players, not "
            f"{len(config.opponents)}; or set draw: true to draw them"
        )
    if ppo.batch_size > ppo.envs * ppo.n_steps:
        (place / "ppo" / "batch_size").fail(
            f"must be at most envs × n_steps = {ppo.envs * ppo.n_steps}, not {ppo.batch_size}"
        )
    try:
        table.options().load()
        table.options().decided()
        for bot in (*config.opponents, *config.evaluation.against, table.rest):
            find_agent(bot)
        teacher, _ = find_agent(config.imitation.teacher)
    except ValueError as problem:
        raise ConfigError(f"{place.file}: {problem}") from None
    if teacher.load_policy is None:  # looked at only: loading it would compile it
        (place / "imitation" / "teacher").fail("must be a compiled bot, such as background")
