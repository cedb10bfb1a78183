"""The demo: train an agent briefly, evaluate it against bots, and save a game to look at.

Training takes a fixed number of decisions, and evaluation a fixed number of games. A slow or busy
machine takes longer, and trains the same agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import FileError
from monopoly_env.extras import is_installed
from monopoly_env.files import check_output_folder
from monopoly_training.common.compile_notice import announce
from monopoly_training.common.files import as_json, provenance, write_atomic
from monopoly_training.common.progress import Games, Progress
from monopoly_training.compilation import warm_up
from monopoly_training.compilation.warm_up import WarmUp
from monopoly_training.demo.showcase import play_one, write_game
from monopoly_training.evaluation.evaluate import Evaluation, EvaluationSpec, evaluate
from monopoly_training.evaluation.learning_curve import FILE as CURVE
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.evaluation.plots import plot_curves
from monopoly_training.evaluation.score_table import as_csv, as_row
from monopoly_training.matches.entrants import Entrant, entrant, entrants
from monopoly_training.runs import train
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.run_folder import FILES

OPPONENTS = (
    ("random", "random", "random"),
    ("background", "background", "background"),
    ("fixed_a", "fixed_b", "fixed_c"),
)
WRITTEN = ("table.csv", "results.json", "curve.png", "game.jsonl", "game.txt")
SEED = 2_000_000  # of the evaluation games; apart from the seeds of training and its curve
GAMES = 400  # against each line-up


@dataclass(frozen=True)
class Demo:
    """Results of the demo."""

    steps: int  # the learner's decisions
    evaluations: list[Evaluation]
    paths: list[Path]


def run_demo(config: TrainConfig, folder: Path, progress: Progress, games: int = GAMES) -> Demo:
    """Train, evaluate in ``games`` against each line-up, and write; all files go to ``folder``."""
    check_output_folder(folder, FileError.at(folder), (*FILES, *WRITTEN))
    announce(progress, "batched")
    with WarmUp("bots") as bots:
        warm_up.rules()
        bots.wait()
    with WarmUp("games") as warm_up_of_games:
        run = train.train(config, folder, progress, overwrite=True)
        warm_up_of_games.wait()
    options = config.table.options()
    learner = entrant(f"model:{folder}")
    evaluations = evaluate_against_all(learner, options, games, progress)
    paths = write_results(evaluations, folder)
    progress.stage("playing a game to look at")
    line_up = [learner, *entrants(OPPONENTS[-1])]
    game = play_one(line_up, options, SEED)
    paths += write_game(game, [one.name for one in line_up], folder)
    return Demo(run.learner.num_timesteps, evaluations, paths)


def evaluate_against_all(
    learner: Entrant, options: TableOptions, games: int, progress: Progress
) -> list[Evaluation]:
    """Evaluate the learner in ``games`` against each line-up."""
    evaluations = []
    for names in OPPONENTS:
        bar = Games(progress, games, f"judging against {in_short(names)}")
        spec = EvaluationSpec(games, seed=SEED)
        evaluations.append(evaluate(learner, entrants(names), spec, options, bar))
    return evaluations


def in_short(names: Sequence[str]) -> str:
    """Return a line-up as ``3 × random``, or as the list of names."""
    return f"{len(names)} × {names[0]}" if len(set(names)) == 1 else ", ".join(names)


def write_results(evaluations: list[Evaluation], folder: Path) -> list[Path]:
    """Write the table (CSV and JSON) and the learning curve's picture; return the paths.

    The picture is left out if Matplotlib is not installed.
    """
    table, results, picture = (folder / n for n in ("table.csv", "results.json", "curve.png"))
    rows = [as_row(one.agent, one.score, against=" ".join(one.against)) for one in evaluations]
    write_atomic(table, as_csv(rows))
    everything = [{**one.as_json(), "against": one.against} for one in evaluations]
    write_atomic(results, as_json({"evaluations": everything, **provenance()}))
    if not is_installed("matplotlib"):
        return [folder / CURVE, table, results]
    plot_curves({folder.name: [read_curve(folder)]}, picture)
    return [folder / CURVE, picture, table, results]
