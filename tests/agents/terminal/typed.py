"""A terminal for tests: lines that are typed, and the text that the screen shows."""

from __future__ import annotations

import io

import pytest
from monopoly_agents.terminal.human import HumanAgent
from rich.console import Console

from monopoly_env import Game
from monopoly_env.view import View

WIDTH = 80


class Terminal:
    """A person who types these lines, and what the screen shows."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        self.screen = io.StringIO()
        monkeypatch.setattr("sys.stdout", self.screen)  # where input() shows its prompt
        self.human = HumanAgent(
            Console(file=self.screen, width=WIDTH, markup=False, emoji=False, highlight=False)
        )

    def decide(self, game: Game) -> str:
        return game.text(self.human.decide(View.of(game)))

    @property
    def text(self) -> str:
        return self.screen.getvalue()
