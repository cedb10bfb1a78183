"""Reference figures of other projects, shown beside the benchmarks.

They were measured once: one process, CPU time, medians, on two cores of an AMD EPYC VM with Python
3.11, in steps or games per second. They are context rather than targets, since no two games are the
same. ``--anchors`` measures installed projects in the same run (``peers.py``).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monopoly_env.errors import InputError

SCRIPT = Path(__file__).with_name("peers.py")


@dataclass(frozen=True)
class Anchor:
    """Another project's rate, in the unit of the benchmark beside it."""

    peer: str
    rate: float
    here: str = ""  # its name in peers.py


REFERENCE: dict[str, tuple[Anchor, ...]] = {
    "engine_mask": (
        Anchor("GNOME-p3, a Monopoly simulator, 4 background agents", 80_000),
        Anchor("Catanatron 3.3, 4 random players", 46_000, "Catanatron, 4 random players"),
        Anchor("OpenSpiel 2.0.2 backgammon, loop in C++", 222_000),
    ),
    "one_call": (
        Anchor("OpenSpiel 2.0.2 backgammon, loop in Python", 82_000, "OpenSpiel backgammon"),
    ),
    "games_bots": (
        Anchor("GNOME-p3, 4 background agents", 58),
        Anchor("monopyly (2014)", 290),
        Anchor("Catanatron 3.3, 4 random players", 43),
    ),
    "batch_step": (
        Anchor("EnvPool 1.2.5 backgammon, 1,024 games", 190_000),
        Anchor(
            "OpenSpiel 2.0.2 backgammon, observation and mask",
            35_000,
            "OpenSpiel backgammon, observation and mask",
        ),
        Anchor("PufferLib 3.0 go7, 1,024 games, no masks", 970_000),
        Anchor("pgx connect four, 1,024 games: simpler and faster", 4_300_000),
        Anchor("PufferLib 3.0 tetris, 1,024 games, no masks: simpler and faster", 5_300_000),
    ),
    "aec_raw": (
        Anchor("PettingZoo 1.27 tic-tac-toe", 107_000, "PettingZoo tic-tac-toe, raw"),
        Anchor("PettingZoo 1.27 connect four", 42_000, "PettingZoo connect four, raw"),
        Anchor("PettingZoo 1.27 no-limit hold'em", 13_700),
    ),
    "aec_env": (
        Anchor("PettingZoo 1.27 tic-tac-toe", 21_000, "PettingZoo tic-tac-toe, wrapped"),
        Anchor("PettingZoo 1.27 connect four", 17_000, "PettingZoo connect four, wrapped"),
        Anchor("PettingZoo 1.27 no-limit hold'em", 7_600),
    ),
    "ppo_batched": (
        Anchor("such a loop over an environment of 300 × 300 that does nothing", 78_000),
    ),
}


def measure_peers(python: Path | None, seconds: float) -> list[dict[str, Any]]:
    """Measure the peers that a Python has installed; by default this Python.

    Raises: InputError, one line, if it cannot be run.
    """
    program = str(python or sys.executable)
    environment = os.environ | {"PYGAME_HIDE_SUPPORT_PROMPT": "1"}  # it prints a greeting
    try:
        done = subprocess.run(
            [program, str(SCRIPT), str(seconds)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as problem:
        InputError.at("python").fail(f"{program} cannot be run: {problem.strerror}")
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
        InputError.at("python").fail(f"{program} failed: {last}")
    return [json.loads(line) for line in done.stdout.splitlines()]
