"""Files of lines that only grow: what follows the last newline never becomes part of a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from monopoly_env.errors import FileError
from monopoly_env.files import BLOCK, add_lines, cut_torn_end, torn_end, whole_lines, write_all

pytestmark = pytest.mark.promise("checksums")

ENDS = [b"x", b'{"a": 1', b'{"a": 1}', b"\x00" * 9, b"\xff\xfe", b"\r", b"y" * (BLOCK + 5)]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: repr(end[:9]))
@pytest.mark.parametrize("lines", [b"", b"one\n", b"one\n\ntwo\n"])
def test_a_torn_end_is_no_line_and_is_cut_off_before_the_next_one(
    tmp_path: Path, lines: bytes, end: bytes
) -> None:
    path = tmp_path / "file"
    location = FileError.at(path)
    path.write_bytes(lines + end)
    assert whole_lines(path, location) == lines.splitlines(keepends=True)
    assert torn_end(path, location) == len(end)
    assert add_lines(path, b"next\n", location) == len(end)
    assert path.read_bytes() == lines + b"next\n"
    assert torn_end(path, location) == 0
    assert add_lines(path, b"last\n", location) == 0
    assert path.read_bytes() == lines + b"next\nlast\n"


def test_there_need_be_no_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    assert whole_lines(path, FileError.at(path)) == []
    assert torn_end(path, FileError.at(path)) == 0
    add_lines(path, b"one\n", FileError.at(path))
    assert path.read_bytes() == b"one\n"


def test_an_open_file_is_written_after_its_last_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\nto")
    with path.open("r+b", buffering=0) as file:
        assert cut_torn_end(file) == 2
        write_all(file, b"two\n")
        assert cut_torn_end(file) == 0
    assert path.read_bytes() == b"one\ntwo\n"


def test_a_full_disk_is_one_line() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(
        FileError, match=r"/dev/full: cannot be written: .*; go on later"
    ) as problem:
        add_lines(full, b"one\n", FileError.at(full), "go on later")
    assert "\n" not in str(problem.value)
