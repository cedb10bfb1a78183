"""One process of a machine compiles, the others wait for it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from monopoly_training.matches import warm_node
from monopoly_training.matches.warm_node import first_alone

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks here")

WORK = """
import sys, time
from pathlib import Path
from monopoly_training.matches.warm_node import first_alone

with first_alone("work", Path(sys.argv[1])):
    print(time.monotonic())
    sys.stdout.flush()
    time.sleep(float(sys.argv[2]))
"""


def start(folder: Path, seconds: float) -> subprocess.Popen[str]:
    """Start a process that holds the lock for so long, and wait until it holds it."""
    command = [sys.executable, "-c", WORK, str(folder), str(seconds)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_the_second_process_waits_for_the_first_one_and_a_third_one_for_none(
    tmp_path: Path,
) -> None:
    first = start(tmp_path, 1.0)
    assert first.stdout is not None
    begun = float(first.stdout.readline())
    second = start(tmp_path, 0.0)
    assert float(second.communicate()[0]) >= begun + 1.0
    assert first.wait() == 0
    with first_alone("work", tmp_path), first_alone("work", tmp_path):  # warm: nobody waits
        pass


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    first = start(tmp_path, 600.0)
    assert first.stdout is not None
    first.stdout.readline()
    first.kill()
    first.wait()
    begun = time.monotonic()
    with first_alone("work", tmp_path):
        assert time.monotonic() < begun + 60


def test_work_that_fails_is_not_done(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no"), first_alone("work", tmp_path):
        raise ValueError("no")
    assert [path.suffix for path in tmp_path.iterdir()] == [".lock"]
    with first_alone("work", tmp_path):
        pass
    assert len(list(tmp_path.iterdir())) == 2


def test_other_work_does_not_wait(tmp_path: Path) -> None:
    with first_alone("one", tmp_path), first_alone("other", tmp_path):
        pass


def test_nobody_waits_for_long_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_node, "PATIENCE", 0.5)
    first = start(tmp_path, 600.0)
    assert first.stdout is not None
    first.stdout.readline()
    with first_alone("work", tmp_path):
        assert first.poll() is None
    first.kill()
    first.wait()
