"""Ctrl-C and SIGTERM: one ends a command soon and in order, a second one at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.promise("resume"),
    pytest.mark.skipif(os.name != "posix", reason="signals of POSIX"),
]

PROGRAM = [sys.executable, "-m", "monopoly_training"]
SOON = 10.0  # seconds; it is told after 1.5 at most, a loaded machine takes its time
WAIT = 90.0  # for the program to begin
BOT = """
import os, time
class Slow:  # says that it is asked, and takes for ever
    def reset(self, seed): pass
    def decide(self, view):
        open("asked", "w").close()
        while True:
            time.sleep(0.01)

class Deaf(Slow):  # catches everything
    def decide(self, view):
        open("asked", "w").close()
        while True:
            try:
                time.sleep(0.01)
            except BaseException:
                pass

class Rude(Slow):
    def decide(self, view):
        raise KeyboardInterrupt
"""


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    """The program with its own process group, in a folder with the bots."""
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    return subprocess.Popen(
        [*PROGRAM, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a file is there."""
    end = time.monotonic() + WAIT
    while not path.exists():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)


def group_is_empty(group: int) -> bool:
    """Whether no process of a group is left."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def ended(process: subprocess.Popen[str], folder: Path) -> tuple[int, list[str]]:
    """The exit status and the lines on standard error; nothing else is left."""
    _, said = process.communicate(timeout=SOON)
    assert "Traceback" not in said
    assert group_is_empty(process.pid)
    assert not list(folder.rglob("*.part"))
    return process.returncode, [line for line in said.splitlines() if line]


EVALUATE = ("evaluate", "--against", "random", "--games", "4")


@pytest.mark.parametrize(
    ("bot", "number", "status"),
    [
        ("Slow", signal.SIGINT, 130),
        ("Slow", signal.SIGTERM, 143),
        ("Deaf", signal.SIGINT, 130),
    ],
)
def test_one_signal_ends_a_command(bot, number, status, tmp_path):
    process = start(tmp_path, *EVALUATE, f"python:bot.py:{bot}")
    wait_for(tmp_path / "asked", process)
    os.killpg(process.pid, number)
    code, said = ended(process, tmp_path)
    assert code == status
    what = "interrupted" if number == signal.SIGINT else "terminated"
    assert said[-1] == (
        f"error: {what}; an evaluation keeps nothing; the same command plays its games again"
    )


def test_many_signals_end_it_at_once_and_quietly(tmp_path):
    process = start(tmp_path, *EVALUATE, "python:bot.py:Deaf")
    wait_for(tmp_path / "asked", process)
    for _ in range(3):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.01)
    code, said = ended(process, tmp_path)
    assert code == 130
    assert said[-1].startswith("error: interrupted; ")


def test_what_was_finished_is_kept_and_the_line_says_how_to_go_on(tmp_path):
    words = ["tournament", "--agents", "random,fixed_a", "--games", "200000", "--jobs", "2"]
    words += ["--out", "out", "--rule", "max_turns=4", "--records", "none"]
    process = start(tmp_path, *words)
    ledger = tmp_path / "out" / "games.jsonl"
    wait_for(ledger, process)
    while len(ledger.read_bytes().splitlines()) < 6:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    code, said = ended(process, tmp_path)
    assert code == 130
    kept = f"{' '.join(['monopoly-env', *words])} --resume"
    assert said[-1] == f"error: interrupted; finished work is saved; resume with: {kept}"
    lines = ledger.read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line) for line in lines)


def test_evolution_ends_soon_with_its_processes(tmp_path):
    pytest.importorskip("cma")
    (tmp_path / "t.yaml").write_text("games: 4000\npopulation: 4\ngenerations: 3\n")
    process = start(tmp_path, "tune", "t.yaml", "--jobs", "2", "--out", "out")
    wait_for(tmp_path / "out" / "config.yaml", process)
    time.sleep(3.0)
    os.killpg(process.pid, signal.SIGINT)
    code, said = ended(process, tmp_path)
    assert code == 130
    assert said[-1].endswith("resume with: monopoly-env tune --resume out --jobs 2")


@pytest.mark.promise("resume")
def test_an_interrupt_of_a_bots_own_is_its_own(tmp_path):
    process = start(tmp_path, *EVALUATE, "python:bot.py:Rude", "--rule", "max_turns=2", "--json")
    out, said = process.communicate(timeout=WAIT)
    assert process.returncode == 0
    assert json.loads(out)["faults"]["python:bot.py:Rude"]["crashed"] > 0
    assert "crashed: KeyboardInterrupt" in said
