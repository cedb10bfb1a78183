"""Garbage without a newline behind files of ours that only grow: told, and never part of a line."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from monopoly_training.common.files import RepairWarning

from monopoly_env import Game
from monopoly_env.errors import FileError

pytestmark = pytest.mark.promise("checksums")

GARBAGE = [b"x", b'{"part": 7', b'{"part": 7}', b"[", b"\x00\x00\x00", b"\xff"]


@pytest.fixture(scope="module")
def data_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("data") / "set"
    make_data(folder, resume=False)
    return folder


def make_data(folder: Path, resume: bool) -> None:
    from monopoly_training.dataset.writer import DatasetSpec, generate
    from monopoly_training.matches.workers import WorkOptions
    from monopoly_training.tournament.config import load_tournament_config

    settings = {"agents": ["random", "fixed_a"], "games": 2, "rules": {"max_turns": 5}}
    config = load_tournament_config(None, settings)
    generate(config, DatasetSpec(), folder, WorkOptions(resume=resume))


@pytest.mark.parametrize("garbage", GARBAGE)
def test_behind_the_parts_of_a_finished_data_set(
    data_set: Path, tmp_path: Path, garbage: bytes
) -> None:
    from monopoly_training.dataset.reader import read

    folder = tmp_path / "set"
    shutil.copytree(data_set, folder)
    path = folder / "parts.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + garbage)
    with pytest.warns(RepairWarning, match=rf"ends in {len(garbage)} bytes that are not a line"):
        rows = list(read(folder))
    assert len(rows) == len(list(read(data_set)))
    with pytest.warns(RepairWarning, match="they are cut off"):
        make_data(folder, resume=True)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("garbage", GARBAGE)
def test_behind_a_finished_ledger(tmp_path: Path, garbage: bytes) -> None:
    from monopoly_training.tournament.ledger import Ledger

    header: dict[str, Any] = {"config": {"games": 8}, "code": {}}
    with Ledger(tmp_path, header, resume=False) as ledger:
        ledger.add(0, [], ["first\n"])
        ledger.end()
    path = tmp_path / "games.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + garbage)
    with (
        pytest.warns(RepairWarning, match=rf"cut off; the {len(garbage)} bytes after"),
        Ledger(tmp_path, header, resume=True) as ledger,
    ):
        assert ledger.ended
    assert path.read_bytes() == whole


@pytest.mark.parametrize("garbage", GARBAGE)
def test_behind_moves(tmp_path: Path, garbage: bytes) -> None:
    from monopoly_training.play.store import Header, Line, Store

    start = Game(players=2, seed=1).record()
    store = Store.create(tmp_path / "game", Header(start, ["human", "random"], {"key": [0]}))
    store.append(Line("move", 0, "A roll"))
    store.close()
    whole = store.path.read_bytes()
    store.path.write_bytes(whole + garbage)
    assert len(store.lines()) == 1
    with pytest.warns(RepairWarning, match="bytes that are not a move; they are cut off"):
        store.append(Line("move", 1, "B roll"))
    store.close()
    assert store.path.read_bytes().startswith(whole)
    assert [line.text for line in store.lines()] == ["A roll", "B roll"]


@pytest.mark.parametrize("garbage", GARBAGE)
def test_behind_records(tmp_path: Path, garbage: bytes) -> None:
    """A file that a user names may be anything: what is no torn record is refused, not cut off."""
    from monopoly_env.errors import RecordError
    from monopoly_env.records.files import RecordWarning, read_records, write_record

    path = tmp_path / "games.jsonl"
    record = Game(players=2, seed=1).record()
    write_record(path, record)
    whole = path.read_bytes()
    path.write_bytes(whole + garbage)
    with pytest.raises(RecordError, match=r"line 2: "):
        list(read_records(path))
    if garbage.endswith(b"}"):  # JSON that lacks its newline only
        write_record(path, record)
        assert path.read_bytes() == whole + garbage + b"\n" + whole
    else:
        with pytest.raises(RecordError, match="last line is not a record; name another file"):
            write_record(path, record)
        assert path.read_bytes() == whole + garbage
    path.write_bytes(whole + b'{"format": 1'.replace(b" ", b""))
    with pytest.warns(RecordWarning, match="cut off"):
        write_record(path, record)
    assert path.read_bytes() == whole + whole


@pytest.mark.parametrize("garbage", GARBAGE)
def test_behind_generations(tmp_path: Path, garbage: bytes) -> None:
    pytest.importorskip("cma")
    from monopoly_training.tuning import evolution
    from monopoly_training.tuning.config import load_tune_config

    run = tmp_path / "run"
    evolution.tune(load_tune_config("small", ["generations=1", "games=2", "check.games=2"]), run)
    path = run / evolution.GENERATIONS
    path.write_bytes(path.read_bytes() + garbage)
    with pytest.raises(FileError, match=r"generations.jsonl: line \d: .*; ") as problem:
        evolution.resume(run)
    assert "\n" not in str(problem.value)
