"""Measure other projects' environments; a standalone script for any Python that has them.

    python peers.py SECONDS     one JSON object per line: a peer's rate, or why it was skipped

Rates are steps per second of CPU time in one process, as in the benchmarks. The script imports
nothing from this project, so that peers can live in an environment of their own.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

ROUNDS = 5
STEPS = 2000  # between two clock readings
Work = Callable[[], int]


def pettingzoo(name: str, make: str) -> Work:
    """Return work that takes random legal steps in the loop from the PettingZoo documentation."""
    env = getattr(import_module(f"pettingzoo.classic.{name}"), make)()
    env.reset(seed=1)

    def work() -> int:
        for _ in range(STEPS):
            if not env.agents:
                env.reset()
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[int(random.random() * len(legal))]))
        return STEPS

    return work


def open_spiel(name: str, observe: bool) -> Work:
    """Return work that takes random legal steps; with ``observe``, reads observations and masks."""
    game = import_module("pyspiel").load_game(name)
    state = game.new_initial_state()

    def work() -> int:
        nonlocal state
        done = 0
        while done < STEPS:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
            else:
                if observe:
                    state.observation_tensor()
                    state.legal_actions_mask()
                state.apply_action(random.choice(state.legal_actions()))
                done += 1
        return done

    return work


def catanatron() -> Work:
    """Return work that plays a game of four random players; each of their actions is a step."""
    package = import_module("catanatron")
    colors, player = list(package.Color), package.RandomPlayer

    def work() -> int:
        game = package.Game([player(color) for color in colors[:4]])
        game.play()
        return len(actions_of(game.state))

    return work


def actions_of(state: Any) -> Any:
    """Return a game's actions; the attribute's name changed between versions."""
    return state.action_records if hasattr(state, "action_records") else state.actions


PEERS: dict[str, Callable[[], Work]] = {
    "PettingZoo tic-tac-toe, raw": lambda: pettingzoo("tictactoe_v3", "raw_env"),
    "PettingZoo tic-tac-toe, wrapped": lambda: pettingzoo("tictactoe_v3", "env"),
    "PettingZoo connect four, raw": lambda: pettingzoo("connect_four_v3", "raw_env"),
    "PettingZoo connect four, wrapped": lambda: pettingzoo("connect_four_v3", "env"),
    "OpenSpiel backgammon": lambda: open_spiel("backgammon", observe=False),
    "OpenSpiel backgammon, observation and mask": lambda: open_spiel("backgammon", observe=True),
    "Catanatron, 4 random players": catanatron,
}


def rate(work: Work, seconds: float) -> float:
    """Return steps per second: the median of several rounds after a warm-up."""
    work()
    rates = []
    for _ in range(ROUNDS):
        done, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds / ROUNDS or done == 0:
            done += work()
        rates.append(done / spent)
    return statistics.median(rates)


def measure(seconds: float) -> None:
    """Print a line for each peer."""
    random.seed(0)
    for name, make in PEERS.items():
        try:
            row: dict[str, Any] = {"steps_per_s": round(rate(make(), seconds))}
        except ImportError as missing:
            row = {"skipped": f"{missing.name or missing} is not installed"}
        sys.stdout.write(json.dumps({"peer": name, **row}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    measure(float(sys.argv[1]))
