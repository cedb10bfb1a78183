"""No process of a bot is left behind, however its program or whoever started it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from monopoly_agents.external.agent import ExternalAgent

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.playing import GameLoop
from tests.agents.programs import is_running, program, wait_until

QUICK = "decision=1 first=5 game=10"
GOOD = "while True: first(ask())"


def play(bot: ExternalAgent, seed: int = 1, decisions: int = 60, **more: object) -> Game:
    """A short game of three: the bot and two others."""
    others = [make_agent("fixed_a"), make_agent("fixed_b")]
    game = Game(players=3, seed=seed, rules={"max_decisions": decisions}, **more)  # type: ignore[arg-type]
    return GameLoop(game, [bot, *others], seed).play()


# Both pids are written before the first answer, so that nothing ends the child before it is known.
FORKS = """
ready, set_up = os.pipe()
child = os.fork()
if child == 0:
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    os.write(set_up, b"1")
    time.sleep(600)
os.read(ready, 1)
open(sys.argv[1], "a").write(f"{child}\\n{os.getpid()}\\n")
"""


def pids_in(file: Path, count: int = 2) -> list[int]:
    assert wait_until(lambda: file.exists() and len(file.read_text().split()) >= count)
    return [int(pid) for pid in file.read_text().split()]


@pytest.mark.parametrize("end", ["while True: first(ask())", "first(ask()); os._exit(1)"])
def test_children_end_with_their_program(end: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot = ExternalAgent(f"{program(tmp_path, FORKS + end, QUICK)} {pids}")
    assert play(bot).over
    bot.close()
    for pid in pids_in(pids):
        assert wait_until(lambda pid=pid: not is_running(pid))  # type: ignore[misc]


def test_a_bot_that_is_dropped_takes_its_program_along(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot: ExternalAgent | None = ExternalAgent(f"{program(tmp_path, FORKS + GOOD)} {pids}")
    assert bot is not None
    play(bot)
    found = pids_in(pids)
    bot = None
    for pid in found:
        assert wait_until(lambda pid=pid: not is_running(pid))  # type: ignore[misc]


PARENT = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job begins ignoring it
from monopoly_agents.external import protocol
from monopoly_agents.external.agent import ExternalAgent
from monopoly_env import Game
from monopoly_env.view import View
bot = ExternalAgent(sys.argv[1])
bot.decide(View.of(Game(players=2, seed=1)))
print("playing", flush=True)
if sys.argv[2] == "exit":
    sys.exit(0)
if sys.argv[2] == "_exit":
    os._exit(1)
time.sleep(600)
"""


@pytest.mark.parametrize("how", ["exit", "_exit", "SIGTERM", "SIGINT", "SIGKILL"])
def test_programs_end_with_whoever_started_them(how: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    command = f"{program(tmp_path, FORKS + GOOD)} {pids}"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, command, how],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "playing\n"
    found = pids_in(pids)
    if how.startswith("SIG"):
        parent.send_signal(getattr(signal, how))
    parent.wait(20)
    parent.stdout.close()
    for pid in found:
        assert wait_until(lambda pid=pid: not is_running(pid))  # type: ignore[misc]


FORKER = """
import gc, os, sys
from monopoly_agents.external.agent import ExternalAgent
from monopoly_env import Game
from monopoly_env.view import View
view = View.of(Game(players=2, seed=1))
bot = ExternalAgent(sys.argv[1])
bot.decide(view)
if os.fork() == 0:
    del bot
    gc.collect()
    other = ExternalAgent(sys.argv[1])
    other.decide(view)
    other.close()
    os._exit(sum(other.faults.values()))
status = os.wait()[1]
bot.decide(view)
bot.close()
print(status, sum(bot.faults.values()))
"""


def test_a_forked_process_leaves_its_parents_programs_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKER, program(tmp_path, GOOD)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "0 0\n"
