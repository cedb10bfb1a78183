"""What a person at a terminal is shown: all of it, within eighty columns."""

from __future__ import annotations

import io
import re

import pytest
from monopoly_agents.terminal.human import HumanAgent
from rich.cells import cell_len

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.playing import GameLoop
from monopoly_env.view import View
from tests.agents.positions import offered, seated
from tests.agents.terminal.typed import WIDTH, Terminal


def test_a_decision_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = offered({"cash": 500}, {"deeds": ["reading"]}, deal_give=["reading"], deal_ask_cash=50)
    terminal = Terminal(monkeypatch, "accept")
    terminal.decide(seated(deal))
    assert "A decides (ANSWER): B offers A: Reading Railroad for $50" in terminal.text
    terminal = Terminal(monkeypatch, "roll")
    terminal.decide(seated({"A": {"cash": 77, "deeds": ["oriental"]}}))
    assert re.search(r"A car, you +\$77 +\$177 +GO +light blue 1/3", terminal.text)


@pytest.mark.parametrize("edition", ["classic", "pokemon_fr2000", "yugioh2016"])
def test_a_game_fits_eighty_columns_and_tells_everything(
    edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two people who type what a bot would do, with a look at the board now and then."""
    game = Game(edition, 3, 3, rules={"max_decisions": 400})
    terminal = Terminal(monkeypatch)
    told: list[str] = []

    class Typist(HumanAgent):
        """Has the lines that it types from a bot."""

        bot = make_agent("background")

        def decide(self, view: View) -> int:
            told.extend(event.text for event in view.events)
            line = view.game.text(self.bot.decide(view))
            monkeypatch.setattr("sys.stdin", io.StringIO(f"board\nlist\n{line}\n"))
            action = super().decide(view)
            assert view.game.text(action) == line
            return action

    typist = Typist(terminal.human.console)
    GameLoop(game, [typist, make_agent("random"), make_agent("fixed_a")], 3).play()
    lines = terminal.text.splitlines()
    assert len(lines) > 1000
    assert max(cell_len(line) for line in lines if "> " not in line) <= WIDTH
    shown = re.sub(r"\s+", " ", terminal.text)
    assert len(told) > 200
    assert all(re.sub(r"\s+", " ", text) in shown for text in told)
