"""Reading: regular files only, up to a limit, and one line for whatever else is there."""

from __future__ import annotations

import doctest
import gzip
import os
import socket
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import monopoly_env.files
from monopoly_env.cases import load_cases
from monopoly_env.editions import load_edition
from monopoly_env.errors import FileError, InputError, RecordError, one_line
from monopoly_env.files import (
    digest_of,
    parse_json,
    read_bytes,
    read_json,
    read_lines,
    read_text,
    with_digest,
    without_digest,
)
from monopoly_env.game import Game
from monopoly_env.records import read_records
from monopoly_env.yaml_text import parse_yaml

LOCATION = FileError.at("f")
pytestmark = pytest.mark.promise("bad_input")
posix = pytest.mark.skipif(os.name != "posix", reason="needs devices and pipes")


def test_examples_in_the_docs() -> None:
    results = doctest.testmod(monopoly_env.files)
    assert results.attempted > 3
    assert results.failed == 0


# --- what is no regular file ---


@pytest.fixture(params=["pipe", "socket", "folder", "device", "link to a device", "link to itself"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "odd.yaml"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            here = Path.cwd()
            os.chdir(tmp_path)  # names of sockets are short
            one.bind(path.name)
            os.chdir(here)
            yield path
        return
    elif request.param == "folder":
        path.mkdir()
    elif request.param == "link to itself":
        path.symlink_to(path)
    else:
        path = Path("/dev/zero") if request.param == "device" else path
        if request.param != "device":
            path.symlink_to("/dev/zero")
    yield path


READERS: dict[str, Callable[[Path], object]] = {
    "bytes": lambda path: read_bytes(path, FileError.at(path), 100),
    "text": lambda path: read_text(path, FileError.at(path), 100),
    "JSON": lambda path: read_json(path, FileError.at(path)),
    "lines": lambda path: list(read_lines(path, FileError.at(path))),
    "edition": load_edition,
    "position": Game.from_position,
    "cases": load_cases,
    "records": lambda path: list(read_records(path)),
}


@posix
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_one_line_at_once(reader: str, odd: Path) -> None:
    with pytest.raises(InputError) as refused:
        READERS[reader](odd)
    assert any(str(one) in str(refused.value) for one in (odd, "/dev/zero"))  # links are followed
    assert "\n" not in str(refused.value)


# --- limits ---


@pytest.mark.promise("checksums")
def test_a_file_beyond_its_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(101))
    with pytest.raises(FileError, match="x: has 101 bytes; such a file has up to 100"):
        read_bytes(path, FileError.at(path), 100)
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a file of nothing, as large as it likes
    with pytest.raises(FileError, match="such a file has up to 100"):
        read_bytes(path, FileError.at(path), 100)


@pytest.mark.promise("checksums")
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs Linux")
def test_a_file_that_holds_more_than_it_says_is_read_up_to_its_limit() -> None:
    with pytest.raises(FileError, match="has more than 100 bytes"):
        read_bytes("/proc/self/maps", LOCATION, 100)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b" " * (1 << 22), "has a line of more than"),
        (b"\n" * (1 << 12), "has more than 1,000 lines with nothing"),
        (b" " * (1 << 14) + b"\n", "unpacks to more than"),
    ],
)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes, says: str
) -> None:
    monkeypatch.setattr(monopoly_env.files, "LEAST_UNPACKED", 1 << 24)
    monkeypatch.setattr(monopoly_env.files, "JSON_BYTES", 1 << 22)
    path = tmp_path / "bomb.jsonl.gz"
    with gzip.open(path, "wb", 9) as file:
        for _ in range(max(6, min(1200, (1 << 25) // len(line)))):
            file.write(line)
    assert path.stat().st_size < 1_000_000
    tracemalloc.start()
    with pytest.raises(RecordError, match=f"bomb.jsonl.gz: {says}"):
        list(read_records(path))
    assert tracemalloc.get_traced_memory()[1] < 200 << 20
    tracemalloc.stop()


def test_aliases_that_stand_for_billions_are_refused() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 10)]
    with pytest.raises(FileError, match="expands to more than 1,000,000 values"):
        parse_yaml("\n".join(lines), LOCATION)
    with pytest.raises(FileError, match="refers to itself"):
        parse_yaml("a: &a [*a]", LOCATION)
    assert parse_yaml("a: &a [1]\nb: *a\nc: {<<: {d: 1}}", LOCATION) == {
        "a": [1],
        "b": [1],
        "c": {"d": 1},
    }


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 100_000, "- " * 100_000, "\0", "\ud800"])
def test_odd_yaml_is_one_line(text: str) -> None:
    with pytest.raises(FileError) as refused:
        parse_yaml(text, LOCATION)
    assert "\n" not in str(refused.value)


# --- JSON ---


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": 1, "a": 1}', "the key 'a' occurs twice"),
        ('[{"b": {"a": 1, "b": 2, "a": 3}}]', "the key 'a' occurs twice"),
        ("[NaN]", "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("[1,\n2", "is not JSON: line 2: "),
        ("", "is not JSON: Expecting value, column 1"),
        ("[" * 100_000, "nested too deeply"),
        ("1" * 10_000, "is not JSON: "),
        (b"\xff\xfe", "is not JSON: "),
    ],
)
def test_odd_json_is_one_line(text: str | bytes, says: str) -> None:
    with pytest.raises(FileError) as refused:
        parse_json(text, LOCATION)
    assert says in str(refused.value)
    assert str(refused.value).isprintable()


# --- digests ---


@pytest.mark.promise("checksums")
def test_a_digest_is_of_what_a_document_says() -> None:
    assert digest_of({"a": 1, "b": [1.5, None]}) == digest_of({"b": [1.5, None], "a": 1})
    assert digest_of({"a": 1}) != digest_of({"a": 1.0})
    document = with_digest({"a": (1, 2), "b": {3: 4}})
    assert without_digest(document, LOCATION) == {"a": [1, 2], "b": {"3": 4}}
    assert with_digest(document) == document
    with pytest.raises(FileError, match="is damaged: it has no digest; put it back"):
        without_digest({"a": 1}, LOCATION, hint="put it back")
    assert without_digest({"a": 1}, LOCATION, needed=False) == {"a": 1}


# --- names ---


def test_a_path_that_is_no_utf_8_is_spelled_out() -> None:
    path = os.fsdecode(b"/tmp/\xff\xc3.yaml")
    assert one_line(f"{path}: is\n no\tfile\x1b") == r"/tmp/\xff\xc3.yaml: is no file"
    assert one_line("a\u200b\ud800") == r"a\u200b\ud800"


@posix
def test_a_file_whose_name_is_no_utf_8_is_named(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.json")
    with pytest.raises(FileError, match=r"\\xff.json: cannot be read: No such file"):
        read_json(path, FileError.at(path))
