"""Compile code ahead of time in separate processes, to use several cores.

Compiled code is cached on disk, so on a machine with a warm cache this takes only seconds.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack

from monopoly_env.agent import agents
from monopoly_training.common.stopping import killed_on_exit


class WarmUp:
    """A process that compiles one of the parts. A context manager."""

    def __init__(self, part: str) -> None:
        self._stack = ExitStack()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "monopoly_training.compilation.warm_up", part],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> WarmUp:
        self._stack.enter_context(killed_on_exit(self._process))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def wait(self) -> None:
        """Wait until it is done."""
        self._process.wait()


def bots() -> None:
    """Compile the policies of all bots."""
    for spec in agents().values():
        _ = spec.policy


def games() -> None:
    """Compile what ``Game`` needs to play, and to write and read a record."""
    from monopoly_env.game import Game
    from monopoly_env.replay import transcript
    from monopoly_env.view import View

    game = Game(players=2, seed=0, rules={"max_turns": 2})
    while not game.over:
        view = View.of(game)
        view.observation.sum()
        view.mask.sum()
        game.play(int(game.legal_ids()[0]))
    list(transcript(game.record()))


def rules() -> None:
    """Compile the loop that steps all games of an environment."""
    from monopoly_env.envs.vector import VectorEnv

    VectorEnv(1, opponents=["random"]).reset(seed=0)


def main(part: str) -> None:
    """Compile one of the parts."""
    {"bots": bots, "games": games, "rules": rules}[part]()


if __name__ == "__main__":
    main(sys.argv[1])
