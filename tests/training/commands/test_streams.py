"""Standard streams that are closed or full, odd variables, a working folder that is gone."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.promise("bad_input"),
    pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX"),
]

PROGRAM = f"{shlex.quote(sys.executable)} -m monopoly_training"


def shell(line: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A line of shell, in which PROGRAM stands for the command."""
    line = line.replace("PROGRAM", PROGRAM)
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


FULL = "error: standard output cannot be written: No space left on device\n"
GONE = "error: the working folder has been removed; change to one that is there\n"


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("PROGRAM agents >&-", 0, ""),
        ("PROGRAM agents <&- >/dev/null", 0, ""),
        ("PROGRAM agents nosuch 2>&-", 2, ""),
        ("PROGRAM agents <&- >&- 2>&-", 0, ""),
        ("PROGRAM agents >/dev/full", 2, FULL),
        ("PROGRAM agents >/dev/full 2>/dev/full", 2, ""),
        ("PROGRAM agents 2>/dev/full >/dev/null", 0, ""),
        ("PROGRAM agents | true; exit ${PIPESTATUS[0]}", 0, ""),
        ("PROGRAM editions classic | head -1 >/dev/null; exit ${PIPESTATUS[0]}", 0, ""),
        ("mkdir gone; cd gone; rmdir ../gone; PROGRAM agents", 2, GONE),
    ],
)
def test_streams(line: str, status: int, said: str, tmp_path: Path) -> None:
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    run = shell(line, tmp_path)
    assert (run.returncode, run.stderr) == (status, said)


@pytest.mark.parametrize(
    "variables",
    [
        {"COLUMNS": "0", "LINES": "-5", "TERMINAL_WIDTH": "wide", "HOME": "", "TERM": ""},
        {"COLUMNS": "1", "LC_ALL": "C", "PYTHONIOENCODING": "ascii:strict"},
    ],
    ids=str,
)
def test_variables_that_are_none(variables: dict[str, str], tmp_path: Path) -> None:
    run = shell("PROGRAM editions classic && PROGRAM --help", tmp_path, **variables)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout


@pytest.mark.parametrize("text", ["0", "abc", "-1", ""])
def test_variables_that_others_read(text: str, tmp_path: Path) -> None:
    run = shell("PROGRAM agents", tmp_path, NUMBA_NUM_THREADS=text)
    assert run.returncode == 2
    assert run.stderr == (
        f"error: NUMBA_NUM_THREADS: must be a whole number from 1 up, not {text!r}; or unset it\n"
    )
