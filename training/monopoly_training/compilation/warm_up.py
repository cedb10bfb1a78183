"""Compiles ahead, in processes of their own: two cores compile two things at a time.

Compiled code is kept on disk; whoever needs it next finds it there. On a machine where that has
been done already, all of this takes seconds.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack

from monopoly_env.agent import agents
from monopoly_training.common.stopping import ending_with_us


class WarmUp:
    """Another process that compiles one of the parts. Use it in a ``with`` block."""

    def __init__(self, part: str) -> None:
        self._stack = ExitStack()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "monopoly_training.compilation.warm_up", part],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> WarmUp:
        self._stack.enter_context(ending_with_us(self._process))
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
    """Compile what ``Game`` needs to play, to write a record and to read it aloud."""
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
    """Compile the loop in which all games of an environment are stepped."""
    from monopoly_env.envs.vector import VectorEnv

    VectorEnv(1, opponents=["random"]).reset(seed=0)


def main(part: str) -> None:
    """Compile one of the parts."""
    {"bots": bots, "games": games, "rules": rules}[part]()


if __name__ == "__main__":
    main(sys.argv[1])
