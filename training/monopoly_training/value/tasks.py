"""Tasks of ``monopoly-env value``: fit a value, test one, freeze positions to test on."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.compiler.records import Records
from monopoly_env.errors import FileError
from monopoly_env.files import check_output
from monopoly_env.value.network import BOARDS, PRINTED, set_of, with_set
from monopoly_env.value.weights import Value, card_of, load_value, pack, shipped_value
from monopoly_training.common.files import as_json, write_atomic
from monopoly_training.common.progress import Progress
from monopoly_training.value.examples import examples_of
from monopoly_training.value.heldout import FROZEN_BOARDS, load_positions, save_positions
from monopoly_training.value.positions import Positions, joined, play_positions
from monopoly_training.value.report import MADE
from monopoly_training.value.scoring import by_table, judge
from monopoly_training.value.tables import TEST, TRAIN, Table

TABLES = {  # tables with scores of their own in a report
    "steps, US edition, 4 seats": Table(deals="steps"),
    "menu, US edition, 4 seats": Table(deals="menu", windows="own"),
}
GENERATED = "generated boards of the test split"  # the table of those frozen positions
FROZEN_GAMES = {"mixed": 1200, "steps": 400, "menu": 400}
FROZEN_BOARD_GAMES = 500
KEPT_ROWS = 3  # positions per game in the frozen set
TEST_SEED = 7_000_000  # of test games; a fit's seed must differ


def fit_value(
    out: Path,
    games: int,
    seed: int,
    jobs: int,
    epochs: int,
    progress: Progress,
    boards: bool = False,
) -> Value:
    """Play games, fit weights to who won, test the value on the frozen positions, and write it.

    The weights are those for the printed editions, or with ``boards`` those for other boards. The
    latter start from the included ones for the printed editions. The other set stays as included.

    Raises: FileError for a file that cannot be written; MissingExtra without torch.
    """
    from monopoly_training.value.fit import START_RATE, FitOptions, fit

    check_output(out, FileError.at(out))
    check_output(out.with_suffix(".json"), FileError.at(out.with_suffix(".json")))
    if out.suffix != ".safetensors":
        FileError.at(out).fail("must end in .safetensors; its card is put beside it")
    included = shipped_value()
    split = TRAIN if boards else ""
    rate = START_RATE if boards else FitOptions.rate
    options = FitOptions(epochs=epochs, rate=rate, seed=seed)
    played = play_positions(games, seed, jobs, progress=progress, boards=split)
    examples = examples_of(played)
    start = set_of(included.networks, PRINTED) if boards else None
    fitted = fit(examples, options, progress, start)
    which = BOARDS if boards else PRINTED
    command = "monopoly-env value fit --boards" if boards else "monopoly-env value fit"
    made = {
        "command": f"{command} --games {games} --seed {seed} --epochs {epochs}",
        "games": games,
        "positions": len(examples),
        "options": asdict(options),
        "best_epoch": fitted.epochs,
        "held_back_log_loss": round(fitted.loss, 4),
    }
    cards = {key: included.card.get(key, {}) for key in MADE} | {list(MADE)[which]: made}
    write_value(out, with_set(included.networks, which, fitted.tensors), cards)
    return load_value(out)


def write_value(out: Path, networks: Records, made: dict[str, Any]) -> None:
    """Write a value with its card, which says how its sets were made and how accurate they are."""
    data, card = pack(networks), out.with_suffix(".json")
    write_atomic(out, data)
    write_atomic(card, as_json(card_of(data, {**made, "scores": {}})))
    scores = frozen_report(load_value(out))
    write_atomic(card, as_json(card_of(data, {**made, "scores": scores})))


def frozen_report(value: Value) -> dict[str, Any]:
    """Return all scores of a value on the frozen positions, as plain numbers."""
    found = report(load_positions(), value)
    boards = judge(load_positions(FROZEN_BOARDS), value)
    return {**found, GENERATED: _rounded(boards)}


def report(positions: Positions, value: Value) -> dict[str, Any]:
    """Return all scores of a value on some positions, as plain numbers."""
    tables = [positions.tables[game] for game in positions.games.tolist()]
    result: dict[str, Any] = {"all": judge(positions, value)}
    for name, wanted in TABLES.items():
        rows = np.array([table == wanted for table in tables])
        if rows.any():
            result[name] = judge(positions, value, rows)
    for key in ("edition", "mode", "deals", "players"):
        result[f"by {key}"] = by_table(positions, value, key)
    rounded: dict[str, Any] = _rounded(result)
    return rounded


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return round(value, 4) if isinstance(value, float) else value


def freeze(out: Path, seed: int, jobs: int, progress: Progress, boards: bool = False) -> None:
    """Play the games of the frozen positions and write the file; with ``boards``, generated ones."""
    check_output(out, FileError.at(out))
    plans = {"mixed": None, "steps": Table(), "menu": Table(deals="menu", windows="own")}
    games = {"boards": FROZEN_BOARD_GAMES} if boards else FROZEN_GAMES
    parts: list[Positions] = []
    for k, (name, count) in enumerate(games.items()):
        split = TEST if boards else ""
        played = play_positions(count, seed + k, jobs, plans.get(name), progress, split)
        parts += [thinned(part, KEPT_ROWS) for part in played]
    made = {"seed": seed, "games": games, "rows_a_game": KEPT_ROWS}
    save_positions(out, joined(parts), made)


def thinned(positions: Positions, most: int) -> Positions:
    """Return at most ``most`` positions per game, after swaps first, without decided ones."""
    rng = np.random.default_rng(len(positions))
    alive = (positions.states["out"] == 0) & (np.arange(8) < positions.states["players"][:, None])
    order = np.lexsort((rng.random(len(positions)), ~positions.swapped, positions.games))
    kept: list[int] = []
    taken: dict[int, int] = {}
    for row in order.tolist():
        game = int(positions.games[row])
        if taken.get(game, 0) < most and alive[row].sum() > 1:
            taken[game] = taken.get(game, 0) + 1
            kept.append(row)
    rows = np.array(sorted(kept))
    return Positions(
        positions.states[rows],
        positions.shares[rows],
        positions.games[rows],
        positions.tables,
        positions.swapped[rows],
    )
