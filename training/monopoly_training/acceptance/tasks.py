"""The tasks behind ``monopoly-env acceptance``: fit an acceptance model, and test one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from monopoly_agents.trader.acceptance import FEATURES, N_QUICK
from monopoly_agents.trader.acceptance_file import document_of, read_acceptance

from monopoly_env.engine.state import Float32s, Float64s
from monopoly_env.errors import FileError
from monopoly_env.files import check_output
from monopoly_training.acceptance.play import Answers, play_answers
from monopoly_training.common.files import as_json, write_atomic
from monopoly_training.common.progress import Progress

TEST_SEED = 9_000_000  # first seed of test games; fits must use other seeds
TEST_GAMES = 1000
BINS = 10
LEAST = 1e-6  # probabilities are clipped to [LEAST, 1 - LEAST]
MADE, DRAWN = "offers made", "offers at random"
SMALL = ", small network"


def fit_acceptance(
    out: Path, games: int, seed: int, epochs: int, jobs: int, progress: Progress
) -> None:
    """Play games, fit a model to their answers, test it on other games, and write it.

    Raises: FileError for a file that cannot be written; MissingExtra without torch.
    """
    from monopoly_training.acceptance.fit import NETWORKS, fit

    check_output(out, FileError.at(out))
    if out.suffix != ".json":
        FileError.at(out).fail("must end in .json")
    answers = joined(play_answers(games, seed, jobs, progress))
    fitted = {name: fit(answers, name, epochs, seed, progress) for name in NETWORKS}
    weights = {name: network.tensors for name, network in fitted.items()}
    made = {
        "command": f"monopoly-env acceptance fit --games {games} --seed {seed} --epochs {epochs}",
        "games": games,
        "offers": len(answers.yes),
        "best_epoch": {name: network.epochs for name, network in fitted.items()},
        "held_back_log_loss": {name: round(network.loss, 4) for name, network in fitted.items()},
    }
    write_atomic(out, as_json(document_of(weights, made)))
    model = read_acceptance(out)
    tested = joined(play_answers(TEST_GAMES, TEST_SEED, jobs, progress))
    made["scores"] = report(tested, model)
    write_atomic(out, as_json(document_of(weights, made)))


def joined(parts: Iterable[Answers]) -> Answers:
    """Concatenate several chunks."""
    lots = list(parts)
    return Answers(
        np.concatenate([part.rows for part in lots]),
        np.concatenate([part.yes for part in lots]),
        np.concatenate([part.made for part in lots]),
        np.concatenate([part.games for part in lots]),
    )


def chances(model: Any, rows: Float32s, network: str = "large") -> Float64s:
    """Return the acceptance probability of each offer, float64[n], computed in NumPy.

    ``model`` ACCEPTANCE[1], ``rows`` float32[n, N_FEATURES], ``network`` ``small`` or ``large``.
    """
    weights = model[0][network]
    rows = rows[:, : len(weights["first"])]
    hidden = np.maximum(rows @ weights["first"] + weights["bias"][0], 0)
    hidden = np.maximum(hidden @ weights["second"] + weights["bias"][1], 0)
    logits = np.asarray(hidden @ weights["out"] + weights["level"], np.float64)
    said: Float64s = 1 / (1 + np.exp(-logits))
    return said


def report(answers: Answers, model: Any) -> dict[str, Any]:
    """Return scores on offers that bots made and on random offers, as plain numbers."""
    found = {}
    for network, note in (("large", ""), ("small", SMALL)):
        said = chances(model, answers.rows, network)
        for kind, name in ((1, MADE), (0, DRAWN)):
            rows = answers.made == kind
            found[name + note] = scores(said[rows], answers.yes[rows])
    return found


def scores(said: Float64s, yes: Any) -> dict[str, float | int]:
    """Score predicted probabilities.

    ``log_loss`` is the mean negative log likelihood, ``by_rate`` the same for predicting the base
    rate. ``off`` is the calibration error: the mean difference over ten equal ranges of
    probabilities.
    """
    rate = float(np.clip(yes.mean(), LEAST, 1 - LEAST))
    clipped = np.clip(said, LEAST, 1 - LEAST)
    loss = -np.where(yes == 1, np.log(clipped), np.log(1 - clipped)).mean()
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    gaps = np.bincount(bins, weights=said - yes, minlength=BINS)
    return {
        "offers": len(yes),
        "accepted": round(rate, 4),
        "log_loss": round(float(loss), 4),
        "by_rate": round(float(-(rate * np.log(rate) + (1 - rate) * np.log(1 - rate))), 4),
        "off": round(float(np.abs(gaps).sum() / max(counts.sum(), 1)), 4),
    }


def lines(made: Mapping[str, Any], tested: Mapping[str, Any]) -> list[str]:
    """Return a model's description and test scores as a Markdown table."""
    rows = [
        f"| {name} | {row['offers']:,} | {row['accepted']:.1%} | {row['log_loss']:.3f} | "
        f"{row['by_rate']:.3f} | {row['off']:.3f} |"
        for name, row in tested.items()
    ]
    return [
        f"made by: {made.get('command', 'not known')}",
        (
            f"from {made.get('offers', 0):,} offers in {made.get('games', 0):,} games, "
            f"{len(FEATURES)} features each ({N_QUICK} for the small network)"
        ),
        "",
        "| | offers | accepted | log-loss | by the rate alone | off by |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
    ]
