"""Files of records: appended to safely, and clear about what is wrong with them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from monopoly_env import Game
from monopoly_env.errors import RecordError
from monopoly_env.records import (
    RecordWarning,
    check_record,
    encode_record,
    read_records,
    record_at,
    write_record,
)
from tests.game.random_play import played

pytestmark = pytest.mark.promise("records")


def test_files_are_appended_and_read(tmp_path: Path, record: dict[str, Any]) -> None:
    file = tmp_path / "runs" / "games.jsonl"
    other = played(5, seed=3, players=3).record()
    write_record(file, record)
    write_record(str(file), other)
    assert list(read_records(file)) == [record, other]
    assert record_at(file, 2) == other
    with pytest.raises(RecordError, match="there is no game number 3"):
        record_at(file, 3)


@pytest.mark.promise("checksums")
def test_a_torn_last_line_is_left_out_and_cut_off(tmp_path: Path, record: dict[str, Any]) -> None:
    file = tmp_path / "games.jsonl"
    write_record(file, record)
    whole = file.read_bytes()
    for torn in (b"{", b'{"for', whole[: len(whole) // 2]):
        file.write_bytes(whole + torn)
        with pytest.warns(RecordWarning, match="the last line was cut off"):
            assert list(read_records(file)) == [record]
        with pytest.warns(RecordWarning, match="the last line was cut off"):
            write_record(file, record)
        assert file.read_bytes() == whole + whole
    file.write_bytes(whole[:-1])  # complete but for its end
    assert list(read_records(file)) == [record]


def test_a_whole_last_line_without_an_end_is_kept(tmp_path: Path) -> None:
    """What read_records accepts, write_record does not throw away."""
    path = tmp_path / "games.jsonl"
    game = Game(players=2, seed=7)
    write_record(path, game.record())
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    write_record(path, game.record())
    assert len(list(read_records(path))) == 2


@pytest.mark.promise("checksums")
def test_a_record_in_a_file_carries_a_digest(tmp_path: Path, record: dict[str, Any]) -> None:
    path = tmp_path / "games.jsonl"
    write_record(path, record)
    raw = json.loads(path.read_text())
    assert check_record(raw) == record
    path.write_text(json.dumps({**raw, "bots": ["bob", "ben", "cem"]}) + "\n")
    says = r"line 1: is damaged: its content does not fit its digest; take the digest out of what"
    with pytest.raises(RecordError, match=says):
        list(read_records(path))
    edited = {key: value for key, value in raw.items() if key != "digest"}
    path.write_text(json.dumps({**edited, "bots": ["bob", "ben", "cem"]}) + "\n")
    assert record_at(path, 1)["bots"] == ["bob", "ben", "cem"]


@pytest.mark.promise("bad_input", "checksums")
def test_a_cut_or_damaged_compressed_file_is_one_line(
    tmp_path: Path, record: dict[str, Any]
) -> None:
    path = tmp_path / "games.jsonl.gz"
    whole = gzip.compress(encode_record(record).encode())
    path.write_bytes(whole)
    assert list(read_records(path)) == [record]
    for data in (whole[:-9], whole[:20], whole[:50] + b"\xff" + whole[51:], b"x" + whole[1:]):
        path.write_bytes(data)
        with pytest.raises(RecordError, match=r"games.jsonl.gz: "):
            list(read_records(path))


@pytest.mark.promise("checksums")
@pytest.mark.parametrize("text", ["hello", "buy milk", '{"a": 1}', '{"format":1}x', "\0"])
def test_text_without_an_end_is_no_torn_record(tmp_path: Path, text: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text)
    with pytest.raises(RecordError, match="line 1: "):
        list(read_records(path))


def test_files_that_are_no_records(tmp_path: Path, record: dict[str, Any]) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("buy milk")
    with pytest.raises(RecordError, match="is not a file of records"):
        write_record(file, record)
    assert file.read_text() == "buy milk"
    file.write_text("buy milk\n")
    with pytest.raises(RecordError, match=r"notes.txt: line 1: is not JSON"):
        list(read_records(file))
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        list(read_records(tmp_path / "nosuch"))
    with pytest.raises(RecordError, match="cannot be written"):
        write_record(tmp_path, record)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[]", "must be a record, a JSON object"),
        ("{}", "has format None"),
        ('{"format": 2}', "has format 2; this is monopoly-env"),
        ('{"format": 1}', "edition: is missing"),
    ],
)
def test_lines_that_are_no_records(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(RecordError) as caught:
        list(read_records(file))
    assert str(caught.value).startswith(f"{file}: line 1: ")
    assert says in str(caught.value)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("line", ["[" * 100_000, '{"format": 1}', "[]"])
def test_odd_lines_are_one_clear_error(tmp_path: Path, line: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match="line 1") as refused:
        list(read_records(path))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("record", [None, {}, {"format": 1}])
def test_only_records_are_written(tmp_path: Path, record: object) -> None:
    path = tmp_path / "games.jsonl"
    with pytest.raises(RecordError):
        write_record(path, record)  # type: ignore[arg-type]
    assert not path.exists()
