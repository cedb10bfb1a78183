"""Damaged files: whatever bit flips, wherever a file ends, one line names the file."""

from __future__ import annotations

import gzip
import json
import random
import warnings
from pathlib import Path

import numpy as np
import pytest

from monopoly_env.errors import FileError, InputError
from monopoly_env.game import Game
from monopoly_env.records import read_records, write_record

pytestmark = pytest.mark.promise("checksums")

FLIPS, CUTS = 60, 12  # of each file


def record_file(folder: Path, ending: str) -> Path:
    path = folder / "games.jsonl"
    for seed in (1, 2):
        game = Game(players=2, seed=seed)
        for _ in range(12):
            game.play(int(game.legal_mask().argmax()))
        write_record(path, game.record(["ann", "ben"]))
    if ending == "gz":
        packed = folder / "games.jsonl.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        return packed
    return path


def ledger_folder(folder: Path) -> Path:
    from monopoly_training.matches.outcome import Outcome
    from monopoly_training.tournament.ledger import Ledger

    faults = ((0, 0, 0),) * 2
    game = Outcome((1, 2), (900, 0), 9, 40, False, faults, (0, 0), (0.0, 0.0), 0.5)
    with Ledger(folder, {"config": {"games": 8}, "code": {}}, resume=False) as ledger:
        ledger.add(0, [game, game], ["first\n"])
        ledger.add(3, [game], ["second\n"])
    return folder


def open_ledger(folder: Path) -> object:
    """What a resumed tournament finds; a last line that was cut off is played again."""
    from monopoly_training.tournament.ledger import Ledger

    with Ledger(folder, {"config": {"games": 8}, "code": {}}, resume=True) as ledger:
        return [(k, [one.as_row() for one in games]) for k, games in ledger.batches.items()]


@pytest.fixture(scope="module")
def data_set(tmp_path_factory):
    pytest.importorskip("pyarrow")
    from monopoly_training.dataset.writer import DatasetSpec, generate
    from monopoly_training.tournament.config import load_tournament_config

    folder = tmp_path_factory.mktemp("data")
    settings = {"agents": ["random", "fixed_a"], "games": 2, "rules": {"max_turns": 5}}
    generate(load_tournament_config(None, settings), DatasetSpec(), folder)
    return folder


def read_data(folder: Path) -> object:
    from monopoly_training.dataset.reader import read

    rows = list(read(folder))
    return [{name: values.tolist() for name, values in one.items()} for one in rows]


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    pytest.importorskip("cma")
    from monopoly_training.tuning import evolution
    from monopoly_training.tuning.config import load_tune_config

    folder = tmp_path_factory.mktemp("tuned") / "run"
    evolution.tune(load_tune_config("small"), folder)
    return folder


def read_generations(folder: Path) -> object:
    from monopoly_training.common.progress import NoProgress
    from monopoly_training.tuning import evolution
    from monopoly_training.tuning.config import load_tune_config

    run = evolution.Evolution(load_tune_config("small"), folder, NoProgress())
    run.load_generations()
    return [run.generations, [vars(point) for point in run.points]]


def read_weights(folder: Path) -> object:
    from monopoly_agents.strategist.weights import by_name
    from monopoly_agents.strategist.weights import read_weights as read

    return by_name(read(folder / "weights.json"))


def read_model(folder: Path) -> object:
    from monopoly_training.models.storage import load_model

    model = load_model(folder)
    tensors = {name: array.tolist() for name, array in model.network.tensors().items()}
    return [dict(model.card), model.columns.tolist(), model.actions.tolist(), tensors]


def read_checkpoint(folder: Path) -> object:
    from monopoly_training.runs.checkpoint import checked_content

    path = folder / "checkpoint.pt"
    return checked_content(path, FileError.at(path))


def read_curve(folder: Path) -> object:
    from monopoly_training.evaluation.learning_curve import read_curve as read

    return [vars(point) for point in read(folder)]


def damages(data: bytes, flips: int) -> list[tuple[str, bytes]]:
    """A sample of flipped bits and of cuts, always the same."""
    draw = random.Random(0)
    found = []
    for _ in range(flips):
        place, bit = draw.randrange(len(data)), draw.randrange(8)
        flipped = bytearray(data)
        flipped[place] ^= 1 << bit
        found.append((f"bit {bit} of byte {place}", bytes(flipped)))
    places = [0, 1, len(data) - 1, *(draw.randrange(len(data)) for _ in range(CUTS))]
    return found + [(f"cut at {place}", data[:place]) for place in places]


def attempt(read):
    """What reading gives, and the line of an error if it gives none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return read(), None
        except InputError as problem:
            return None, str(problem)


def check_damages(path: Path, read, allowed=(), flips=FLIPS) -> int:
    """Damage a file in many ways; how many were noticed.

    ``allowed`` are other values that reading may give: what a kill may have left of a file that is
    added to line by line.
    """
    whole, expected, noticed = path.read_bytes(), read(), 0
    try:
        for what, damaged in damages(whole, flips):
            path.write_bytes(damaged)
            found, message = attempt(read)
            if message is None:
                assert found == expected or found in allowed, what
            else:
                noticed += 1
                assert path.name in message, what
                assert "\n" not in message, what
    finally:
        path.write_bytes(whole)
    return noticed


@pytest.mark.parametrize("ending", ["jsonl", "gz"])
def test_records(ending, tmp_path):
    path = record_file(tmp_path, ending)
    records = list(read_records(path))
    allowed = [records[:1], []] if ending == "jsonl" else [[]]  # the last line, cut off
    noticed = check_damages(path, lambda: list(read_records(path)), allowed)
    assert noticed > FLIPS * 0.8


def test_ledgers_of_tournaments(tmp_path):
    folder = ledger_folder(tmp_path / "run")
    whole = open_ledger(folder)
    files = {path: path.read_bytes() for path in folder.iterdir()}

    def read():
        try:
            return open_ledger(folder)
        finally:  # opening cuts off what a kill may have left
            for path, data in files.items():
                if path not in damaged:
                    path.write_bytes(data)

    for name in ("games.jsonl", "records.jsonl.gz"):
        damaged = {folder / name}
        allowed = [whole[:1], []]
        assert check_damages(folder / name, read, allowed) > FLIPS * 0.8


@pytest.mark.parametrize("name", ["part-00000.parquet", "parts.jsonl", "dataset.json"])
def test_data_sets(name, data_set):
    assert check_damages(data_set / name, lambda: read_data(data_set)) > FLIPS * 0.8


def test_a_damaged_row_group_is_named(data_set):
    from pyarrow import parquet

    path = data_set / "part-00000.parquet"
    whole = path.read_bytes()
    chunk = parquet.ParquetFile(path).metadata.row_group(0).column(6)
    place = chunk.data_page_offset + chunk.total_compressed_size // 2
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    try:
        with pytest.raises(FileError, match="is damaged in row group 0, column action; delete it"):
            read_data(data_set)
    finally:
        path.write_bytes(whole)


def test_generations_of_tune_runs(tuned):
    path = tuned / "generations.jsonl"
    assert check_damages(path, lambda: read_generations(tuned), flips=15) > 12


def test_weights_of_the_strategist(tuned):
    assert check_damages(tuned / "weights.json", lambda: read_weights(tuned)) > FLIPS * 0.8


@pytest.mark.parametrize("name", ["model.json", "model.safetensors"])
def test_models(name, small_run):
    assert check_damages(small_run / name, lambda: read_model(small_run)) > FLIPS * 0.8


def test_a_damaged_tensor_is_named(small_run):
    path = small_run / "model.safetensors"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    try:
        with pytest.raises(InputError, match=r"card: value.weight does not fit its digest"):
            read_model(small_run)
    finally:
        path.write_bytes(whole)


def test_checkpoints(small_run):
    assert check_damages(small_run / "checkpoint.pt", lambda: read_checkpoint(small_run)) == (
        FLIPS + CUTS + 3
    )


def test_curves_of_training_runs(small_run):
    assert check_damages(small_run / "curve.csv", lambda: read_curve(small_run)) > FLIPS * 0.8


@pytest.mark.promise("bad_input")
def test_a_key_that_stands_twice_is_refused_everywhere(small_run, tuned, data_set, tmp_path):
    """Even where both say the same, and no digest could tell."""
    for path, read in (
        (small_run / "model.json", lambda: read_model(small_run)),
        (tuned / "weights.json", lambda: read_weights(tuned)),
        (data_set / "dataset.json", lambda: read_data(data_set)),
        (record_file(tmp_path, "jsonl"), lambda: list(read_records(tmp_path / "games.jsonl"))),
    ):
        whole = path.read_text()
        key, value = next(
            iter(json.loads(whole.splitlines()[0] if path.suffix == ".jsonl" else whole).items())
        )
        path.write_text(whole.replace("{", f"{{{json.dumps(key)}: {json.dumps(value)}, ", 1))
        try:
            with pytest.raises(InputError, match="occurs twice"):
                read()
        finally:
            path.write_text(whole)


def test_numpy_is_what_digests_are_taken_of(tmp_path):
    """Curves of win rates that NumPy made come back as they were written."""
    from monopoly_training.evaluation.learning_curve import Point, write_curve

    rate = np.float64(0.1) + np.float64(0.2)
    points = [Point(1, 0.5, "random", 4, rate, rate, rate, 1.5, 0.0, 20.0)]
    write_curve(tmp_path, points)
    assert read_curve(tmp_path) == [vars(points[0])]
