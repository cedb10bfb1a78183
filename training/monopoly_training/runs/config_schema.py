"""Schema of a training config. Meanings and defaults are in configs/train/default.yaml."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal

import yaml

from monopoly_env.envs.options import TableOptions
from monopoly_training.common.bot_lists import bots_at
from monopoly_training.common.schema import Range, plain

Whole = Annotated[int, Range(1, 10**12)]
Share = Annotated[float, Range(0, 1)]
Scale = Annotated[float, Range(0, 1000)]


@dataclass(frozen=True)
class TableConfig:
    """The game and the environment options."""

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
        """Return the options as environments take them."""
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
    """The learner's reward. Potential shaping uses the learner's gamma."""

    end: Literal["none", "win", "rank", "plus_minus", "win_only"]
    end_scale: Scale
    each: Literal["none", "net_worth_share"]
    each_scale: Scale
    potential: Literal["none", "net_worth"]
    potential_scale: Scale
    truncation: Literal["bootstrap", "standings", "zero"]


@dataclass(frozen=True)
class PPOConfig:
    """Hyperparameters of the learner, Stable-Baselines3's MaskablePPO."""

    envs: Annotated[int, Range(1, 65536)]
    workers: Annotated[int, Range(0, 1024)]
    staleness: Annotated[int, Range(0, 1)]
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
    network: Literal["deeds", "shared", "layers"]
    layers: tuple[Annotated[int, Range(1, 8192)], ...]


@dataclass(frozen=True)
class ImitationConfig:
    """Imitation of a scripted bot before PPO."""

    teacher: str
    steps: Annotated[int, Range(0, 10**12)]
    epochs: Annotated[int, Range(1, 100)]
    batch_size: Annotated[int, Range(2, 10**7)]
    learning_rate: Annotated[float, Range(0, 1)]


@dataclass(frozen=True)
class KLPenaltyConfig:
    """KL penalty that keeps the learner near the policy from which PPO started."""

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
    """Evaluation games on fixed seeds, for the learning curve."""

    every: Whole
    games: Whole
    seed: Annotated[int, Range(0, 2**62)]
    against: tuple[str, ...]
    windows: Literal["all", "own"] | None = None  # runs of earlier versions lack these two
    deals: Literal["steps", "menu", "off"] | None = None

    def line_ups(self, seats: int) -> dict[str, tuple[str, ...]]:
        """Return the bots of the other seats by entry; a single bot fills all of them."""
        return {names: bots_at(names, seats) for names in self.against}

    def options(self, table: TableConfig) -> TableOptions:
        """Return the options of the evaluation games: those of ``table``, unless set here."""
        here = table.options()
        return replace(here, windows=self.windows or here.windows, deals=self.deals or here.deals)


@dataclass(frozen=True)
class TrainConfig:
    """The settings of a training run."""

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
    kl_penalty: KLPenaltyConfig
    pool: PoolConfig
    evaluation: EvaluationConfig
    checkpoint_every: Whole
    track: Literal["wandb", "mlflow", "trackio"] | None

    def as_yaml(self) -> str:
        """Return the resolved config as YAML, from which the run can be repeated."""
        return yaml.safe_dump(plain(asdict(self)), sort_keys=False)
