"""Outputs: checked before work begins, and nothing is left by the check."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from monopoly_env.errors import FileError
from monopoly_env.files import check_output, check_output_folder

pytestmark = pytest.mark.promise("bad_input")
posix = pytest.mark.skipif(os.name != "posix", reason="needs devices and pipes")


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    check_output(tmp_path / "a" / "b" / "x", FileError.at("x"))
    check_output_folder(tmp_path / "c" / "d", FileError.at("d"))
    assert not list((tmp_path / "a" / "b").iterdir())
    assert not list((tmp_path / "c" / "d").iterdir())


def test_a_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    check_output(path, FileError.at(path))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@posix
@pytest.mark.parametrize("path", ["/dev/full", "/dev/null", ".", "/proc/version/x", "/proc/x"])
def test_a_file_that_cannot_be_is_one_line(path: str) -> None:
    with pytest.raises(FileError, match=rf"^{path}: cannot be written: .*; name another file"):
        check_output(path, FileError.at(path))


@posix
@pytest.mark.parametrize("path", ["/dev/full", "/proc", "/proc/version/x", "\0", "x" * 300])
def test_a_folder_that_cannot_be_is_one_line(path: str) -> None:
    with pytest.raises(FileError, match="name another"):
        check_output_folder(path, FileError.at("out"))


def test_what_takes_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.json").mkdir()
    with pytest.raises(FileError, match=r"out: model.json in it is a folder, not a file"):
        check_output_folder(tmp_path, FileError.at("out"), ["curve.csv", "model.json"])
    (tmp_path / "file").touch()
    with pytest.raises(FileError, match="is a file, and a folder is needed there"):
        check_output_folder(tmp_path / "file", FileError.at("out"))
