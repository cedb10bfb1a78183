"""Start a training run from a config, or resume it from a checkpoint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from monopoly_env.files import check_output_folder
from monopoly_training.common.files import cleanup_on_error
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.common.run_settings import check_kept, keys_of, settings_in
from monopoly_training.common.schema import ConfigError, load_settings
from monopoly_training.matches.workers import DEFAULTS, WorkOptions
from monopoly_training.runs.callbacks import TrainingCallback
from monopoly_training.runs.checkpoint import read_checkpoint
from monopoly_training.runs.config_checks import check_config
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.memory_use import check_training_memory
from monopoly_training.runs.run import Run
from monopoly_training.runs.run_folder import CONFIG, FILES, RunError, holds_run, remove_run


def train(
    config: TrainConfig,
    folder: Path,
    progress: Progress | None = None,
    overwrite: bool = False,
    callbacks: Sequence[TrainingCallback] = (),
    work: WorkOptions = DEFAULTS,
) -> Run:
    """Train from scratch. ``overwrite`` removes an earlier run in the folder.

    ``callbacks`` receive figures and evaluations; see :class:`TrainingCallback`. ``work`` says
    where rollout workers run, if the config has any; it does not affect the course of the run.

    Raises: RunError, one line, if the folder already holds a run.
    """
    if any((folder / name).exists() for name in FILES):
        if not overwrite and holds_run(folder):
            RunError.at(folder).fail("already contains a run; resume it, or choose another folder")
        remove_run(folder)
    with cleanup_on_error(folder):
        check_output_folder(folder, RunError.at(folder), FILES)
        run = Run(config, folder, progress or NoProgress(), callbacks, work)
    run.write_config()
    run.train()
    return run


def resume(
    folder: Path,
    progress: Progress | None = None,
    changes: Iterable[str] = (),
    options: Mapping[str, object] | None = None,
    callbacks: Sequence[TrainingCallback] = (),
    work: WorkOptions = DEFAULTS,
) -> Run:
    """Resume a run from its last checkpoint; ``changes`` are ``key=value`` over its config.

    ``options`` are single settings by name, applied over the changes. Apart from the settings named
    in either, config.yaml must match the settings that the run was trained with.

    Raises: RunError or ConfigError, one line.
    """
    path, changes = folder / CONFIG, list(changes)
    if not path.exists() and not holds_run(folder):
        RunError.at(folder).fail(f"holds no {CONFIG}; give the folder of a training run")
    check_output_folder(folder, RunError.at(folder), FILES)
    state = read_checkpoint(folder)
    found = settings_in(path, TrainConfig, state["config"], state.get("replaced"))
    check_kept(state["config"], found, keys_of(changes, options or {}), ConfigError.at(path))
    config = load_settings(TrainConfig, [path], changes, options)
    check_config(config, ConfigError.at(path))
    check_training_memory(config, ConfigError.at(path))
    run = Run(config, folder, progress or NoProgress(), callbacks, work)
    run.restore_checkpoint(state)
    run.train()
    return run
