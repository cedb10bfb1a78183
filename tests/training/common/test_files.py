"""Files are whole or not there, whatever happens while they are written."""

from __future__ import annotations

import errno

import pytest
from monopoly_training.common.files import whole_file, write_atomic


def test_a_file_is_there_when_it_is_whole(tmp_path):
    path = tmp_path / "new" / "x"
    write_atomic(path, "ü")
    assert path.read_bytes() == "ü".encode()
    assert [one.name for one in path.parent.iterdir()] == ["x"]


@pytest.mark.parametrize("problem", [OSError(errno.ENOSPC, "No space"), KeyboardInterrupt()])
def test_what_could_not_be_finished_leaves_the_old_file_and_nothing_else(problem, tmp_path):
    path = tmp_path / "x"
    path.write_text("old")

    def fail():
        with whole_file(path) as file:
            file.write(b"half")
            raise problem

    with pytest.raises(type(problem)) as raised:
        fail()
    assert [one.name for one in tmp_path.iterdir()] == ["x"]
    assert path.read_text() == "old"
    if isinstance(raised.value, OSError):
        assert (raised.value.errno, raised.value.filename) == (errno.ENOSPC, str(path))
