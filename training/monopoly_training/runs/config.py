"""Load and check training configs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from monopoly_training.common.schema import ConfigError, find_config, load_settings
from monopoly_training.runs.config_checks import check_config
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.memory_use import check_training_memory

KIND = "train"  # the folder of training configs


def load_train_config(
    name: str | Path,
    changes: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
) -> TrainConfig:
    """Load a training config by name or path, over the defaults, and apply ``key=value`` changes.

    ``options`` are settings that have a command-line option of their own; they are applied last.

    Raises: ConfigError, one line that names the file, the key and the remedy.
    """
    path = find_config(KIND, name)
    default = find_config(KIND, "default")
    config = load_settings(TrainConfig, [default, path], changes, options)
    check_config(config, ConfigError.at(path))
    check_training_memory(config, ConfigError.at(path))
    return config
