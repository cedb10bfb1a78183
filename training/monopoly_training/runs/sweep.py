"""Train a sweep: one run for each value of a setting, or each combination of values.

``--set ppo.learning_rate=0.001,0.0003`` gives two runs, and with ``--set seed=0,1,2`` six. The last
setting changes fastest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from monopoly_env.errors import InputError, show
from monopoly_env.files import check_output_folder
from monopoly_training.common.files import write_atomic
from monopoly_training.common.progress import Progress, percent
from monopoly_training.common.remote import name_of
from monopoly_training.evaluation.learning_curve import Point
from monopoly_training.evaluation.score_table import as_csv
from monopoly_training.matches.workers import DEFAULTS, WorkOptions
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.run_folder import RunError, holds_run
from monopoly_training.runs.train import train

RESULTS = "sweep.csv"
OPENING, CLOSING, QUOTES = "[{", "]}", "\"'"
MOST_RUNS = 1000
IN_NAMES = "=.,+-_[]"  # characters besides letters and digits that folder names keep


@dataclass(frozen=True)
class SweepRun:
    """One run of a sweep: its folder's name, and its ``key=value`` changes."""

    name: str  # empty if nothing has several values
    changes: tuple[str, ...]


def runs_of(changes: Iterable[str], options: Iterable[str] = ()) -> list[SweepRun]:
    """Return the runs that ``key=value`` changes ask for: a single one without a name if no value is a list.

    Commas in brackets, braces or quotes do not separate values. ``options`` are settings with a
    command-line option of their own.

    Raises: InputError, one line, for an empty value, a setting swept twice, or too many runs.

    >>> [run.name for run in runs_of(["ppo.gamma=0.9,0.99", "seed=1"])]
    ['ppo.gamma=0.9', 'ppo.gamma=0.99']
    >>> runs_of(["ppo.layers=[64,64]"])[0].changes
    ('ppo.layers=[64,64]',)
    """
    choices = [choices_of(change) for change in changes]
    check_choices(choices, list(options))
    swept = [len(values) > 1 for values in choices]
    return [
        SweepRun(
            name=folder_name(
                [one for one, is_swept in zip(chosen, swept, strict=True) if is_swept]
            ),
            changes=chosen,
        )
        for chosen in product(*choices)
    ]


def choices_of(change: str) -> list[str]:
    """Return a ``key=value`` change for each value."""
    key, equals, text = change.partition("=")
    values = split_values(text)
    if not equals or len(values) == 1:
        return [change]
    if not all(values):
        InputError.at("changes").fail(
            f"{key}: has an empty value in {show(text)}; put values between the commas"
        )
    return [f"{key}={value}" for value in values]


def split_values(text: str) -> list[str]:
    """Split a text at commas outside of brackets, braces and quotes."""
    values, depth, quote, start = [], 0, "", 0
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in QUOTES:
            quote = letter
        elif letter in OPENING:
            depth += 1
        elif letter in CLOSING:
            depth -= 1
        elif letter == "," and depth == 0:
            values.append(text[start:index].strip())
            start = index + 1
    return [*values, text[start:].strip()]


def check_choices(choices: Sequence[Sequence[str]], options: Sequence[str]) -> None:
    """Refuse a setting that is swept and set again, values that repeat, and too many runs."""
    location, runs = InputError.at("changes"), 1
    keys = [values[0].partition("=")[0] for values in choices]
    for key, values in zip(keys, choices, strict=True):
        runs *= len(values)
        if len(values) > 1 and [*keys, *options].count(key) > 1:
            location.fail(f"{key}: has several values and is set twice; give all its values once")
        if len(set(values)) < len(values):
            location.fail(f"{key}: has the same value twice; leave one out")
    if runs > MOST_RUNS:
        location.fail(f"would be {runs:,} runs; sweep fewer values, at most {MOST_RUNS:,} runs")


def folder_name(changes: Sequence[str]) -> str:
    """Return a name that identifies a run, such as ``ppo.gamma=0.9,seed=1``."""
    text = ",".join(change.replace(" ", "") for change in changes)
    return "".join(letter if letter.isalnum() or letter in IN_NAMES else "_" for letter in text)


def train_sweep(
    configs: Mapping[str, TrainConfig],
    folder: Path,
    progress: Progress,
    work: WorkOptions = DEFAULTS,
) -> Path:
    """Train each config in turn, in a subfolder with its name.

    Returns the path of the results, ``sweep.csv``: the last evaluation of each run against each
    line-up. It is rewritten after each run.

    Raises: RunError, one line, if one of the folders holds a run already.
    """
    check_output_folder(folder, RunError.at(folder), (RESULTS,))
    for name in configs:
        check_no_run(folder / name)
    rows: list[dict[str, Any]] = []
    for number, (name, config) in enumerate(configs.items(), start=1):
        progress.log(f"run {number} of {len(configs)}: {name}")
        points = train(config, folder / name, progress, work=work).evaluator.last_points()
        rows += [as_result(name, point) for point in points]
        write_atomic(folder / RESULTS, as_csv(rows))
    for row in rows:
        progress.log(f"{percent(row['win_rate'])} against {row['against']}: {row['run']}")
    return folder / RESULTS


def check_no_run(folder: Path) -> None:
    """Refuse a folder that holds a run. Raises: RunError, one line."""
    if holds_run(folder):
        RunError.at(folder).fail(
            f"already contains a run; continue it with --resume {name_of(folder)}, or name "
            "another --out"
        )


def as_result(name: str, point: Point) -> dict[str, Any]:
    """Return a row of the results."""
    kept = ("against", "steps", "games", "win_rate", "low", "high", "mean_rank", "truncated")
    return {"run": name, **{key: getattr(point, key) for key in kept}}
