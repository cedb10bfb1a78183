"""The ledger: what a kill may leave behind, and who may go on with it."""

from __future__ import annotations

import gzip
from io import FileIO
from pathlib import Path

import numpy as np
import pytest
from monopoly_training.common.files import RepairWarning
from monopoly_training.matches.outcome import Outcome
from monopoly_training.tournament.ledger import Ledger

from monopoly_env.errors import FileError

HEADER = {"config": {"games": 8, "agents": ("a", "b")}, "code": {"version": "1"}}


def game(winner=0, **more):
    found = {
        "ranks": (1, 2) if winner == 0 else (2, 1), "worth": (900, 0), "turns": 9, "decisions": 40,
        "truncated": False, "faults": ((0, 0, 0),) * 2, "timed_decisions": (0, 0), "seconds": (0.0, 0.0),
        "wall": 0.5,
    }  # fmt: skip
    return Outcome(**{**found, **more})


def rows(games):
    return [one.as_row() for one in games]


def test_an_outcome_survives_the_way_to_disk_and_back():
    for one in (
        game(),
        game(1, faults=((1, 0, 2), (0, 3, 0)), timed_decisions=(5, 0), seconds=(0.25, 0.0)),
    ):
        assert Outcome.from_row(one.as_row()).as_row() == one.as_row()


@pytest.fixture
def folder(tmp_path):
    """A ledger of two batches."""
    with Ledger(tmp_path, HEADER, resume=False) as ledger:
        ledger.add(0, [game(), game(1)], ["first\n"])
        ledger.add(3, [game(1)], ["second\n"])
    return tmp_path


def resumed(folder, *says, header=HEADER):
    """The ledger of a folder that is gone on with, which gives warnings."""
    with pytest.warns(RepairWarning) as told:
        ledger = Ledger(folder, header, resume=True)
    assert len(told) == len(says)
    for one, text in zip(told, says, strict=True):
        assert text in str(one.message)
    return ledger


def test_what_was_noted_is_found_again(folder):
    with Ledger(folder, HEADER, resume=True) as ledger:
        assert list(ledger.batches) == [0, 3]
        assert rows(ledger.batches[0]) == rows([game(), game(1)])


@pytest.mark.promise("checksums")
@pytest.mark.parametrize("cut", [1, 2, 40])
def test_a_line_that_was_cut_off_does_not_count(folder, cut):
    path = folder / "games.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    with resumed(folder, "games.jsonl: its last line is cut off", "holds more than") as ledger:
        assert list(ledger.batches) == [0]
        ledger.add(3, [game(1)], ["second\n"])
    with Ledger(folder, HEADER, resume=True) as ledger:
        assert list(ledger.batches) == [0, 3]
    assert gzip.decompress((folder / "records.jsonl.gz").read_bytes()) == b"first\nsecond\n"


@pytest.mark.promise("checksums")
def test_records_without_a_line_are_cut_off(folder):
    records = folder / "records.jsonl.gz"
    before = records.read_bytes()
    records.write_bytes(before + gzip.compress(b"of a batch that was never noted\n")[:20])
    with resumed(folder, "records.jsonl.gz: holds more than games.jsonl tells of; the 20 bytes"):
        pass
    assert records.read_bytes() == before


@pytest.mark.parametrize("keep", [None, 5])
def test_lost_records_are_not_made_up_for_with_zeros(folder, keep):
    records = folder / "records.jsonl.gz"
    data = records.read_bytes()
    records.unlink()
    if keep is not None:
        records.write_bytes(data[:keep])
    with pytest.raises(FileError, match=r"records.jsonl.gz: is gone or cut off, games.jsonl"):
        Ledger(folder, HEADER, resume=True)


@pytest.mark.promise("bad_input", "checksums")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line_and_costs_what_was_not_noted(folder):
    with Ledger(folder, HEADER, resume=True) as ledger, Path("/dev/full").open("wb", 0) as full:
        ledger._records = full
        with pytest.raises(FileError, match="cannot be written: No space left on device; what"):
            ledger.add(4, [game()], ["third\n"])
    with Ledger(folder, HEADER, resume=True) as ledger:
        assert list(ledger.batches) == [0, 3]


def test_a_write_that_took_a_part_is_gone_on_with(tmp_path):
    class Slow(FileIO):
        def write(self, data):
            return super().write(bytes(data[:3]))

    with Slow(tmp_path / "x", "wb") as file:
        Ledger._append(file, b"all of this")
    assert (tmp_path / "x").read_bytes() == b"all of this"


@pytest.mark.promise("bad_input")
def test_another_tournament_is_refused_in_a_line(folder):
    other = {**HEADER, "config": {"games": 9, "agents": ("a", "b")}}
    with pytest.raises(FileError, match=r"games.jsonl: was begun with another games: 8, now 9"):
        Ledger(folder, other, resume=True)
    newer = {**HEADER, "code": {"version": "2"}}
    with pytest.raises(FileError, match="another version: '1', now '2'"):
        Ledger(folder, newer, resume=True)


def test_unfinished_games_are_not_thrown_away_unasked(folder):
    with pytest.raises(FileError, match="holds an unfinished tournament; `resume` continues"):
        Ledger(folder, HEADER, resume=False)
    with Ledger(folder, HEADER, resume=True) as ledger:
        ledger.end()
    with Ledger(folder, HEADER, resume=True) as ledger:
        assert len(ledger.batches) == 2
        ledger.end()
    assert (folder / "games.jsonl").read_bytes().count(b"end") == 1
    with Ledger(folder, HEADER, resume=False) as ledger:
        assert not ledger.batches


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("text", ["[]\n", "nonsense\n", "\udcff\n", '{"config":1}\n', "{}\n{}\n"])
def test_a_file_that_is_no_ledger_is_one_line(tmp_path, text):
    (tmp_path / "games.jsonl").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(FileError, match="is not a tournament's ledger"):
        Ledger(tmp_path, HEADER, resume=True)


def test_actions_are_not_part_of_the_ledger():
    assert game(actions=np.zeros(9, np.uint16)).as_row() == game().as_row()


def test_a_finished_tournament_is_played_again_but_not_replaced_by_another(folder):
    with Ledger(folder, HEADER, resume=True) as ledger:
        ledger.end()
    kept = (folder / "games.jsonl").read_bytes()
    other = {**HEADER, "config": {"games": 12, "agents": ("a", "b")}}
    with pytest.raises(FileError, match=r"another games: 8, now 12; .* `folder`"):
        Ledger(folder, other, resume=False)
    assert (folder / "games.jsonl").read_bytes() == kept
    with Ledger(folder, {**HEADER, "code": {"version": "2"}}, resume=False) as ledger:
        assert ledger.batches == {}


@pytest.mark.promise("checksums")
@pytest.mark.parametrize("resume", [True, False])
@pytest.mark.parametrize("content", [bytes(400), b"my notes", b"x", b'{"config":{"a'])
def test_a_file_that_is_no_begun_ledger_is_left_alone(tmp_path, content, resume):
    (tmp_path / "games.jsonl").write_bytes(content)
    (tmp_path / "records.jsonl.gz").write_bytes(b"many games")
    with pytest.raises(FileError, match=r"games\.jsonl: has no whole line"):
        Ledger(tmp_path, {"config": {}, "code": "x"}, resume)
    assert (tmp_path / "games.jsonl").read_bytes() == content
    assert (tmp_path / "records.jsonl.gz").read_bytes() == b"many games"


def test_a_ledger_whose_first_line_was_cut_off_begins_anew(tmp_path):
    for torn in (b"", b'{"con', b'{"config":{"a'):
        (tmp_path / "games.jsonl").write_bytes(torn)
        says = "is cut off in its first line; the tournament starts over" if torn else "is empty; "
        header = {"config": {}, "code": "x"}
        with resumed(tmp_path, f"games.jsonl: {says}", header=header) as ledger:
            assert not ledger.batches


def test_a_tournament_that_fails_before_its_first_batch_leaves_no_ledger(tmp_path):
    with pytest.raises(RuntimeError), Ledger(tmp_path, HEADER, resume=False):
        raise RuntimeError
    assert not list(tmp_path.iterdir())
    with Ledger(tmp_path, HEADER, resume=False) as ledger:
        ledger.add(0, [game()])
        ledger.__exit__(RuntimeError, RuntimeError(), None)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.jsonl", "records.jsonl.gz"]
