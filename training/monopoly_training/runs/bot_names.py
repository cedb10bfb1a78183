"""Rename the bots of a training config to their names on another node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from monopoly_training.common.bot_lists import bots_of
from monopoly_training.runs.config_schema import TrainConfig


def bots_in(config: TrainConfig) -> tuple[str, ...]:
    """Return the bots that play in a run's games or teach, without those of evaluations."""
    drawn = [bot for entry in config.opponents for bot in bots_of(entry)]
    return tuple(dict.fromkeys([*drawn, config.table.rest, config.imitation.teacher]))


def with_names(config: TrainConfig, name_of: Mapping[str, str]) -> TrainConfig:
    """Return the config with its bots renamed."""
    entries = [",".join(name_of[bot] for bot in bots_of(entry)) for entry in config.opponents]
    return replace(
        config,
        opponents=tuple(entries),
        table=replace(config.table, rest=name_of[config.table.rest]),
        imitation=replace(config.imitation, teacher=name_of[config.imitation.teacher]),
    )
