"""A table asks its bots in turn and tells each what happened since it decided last."""

from __future__ import annotations

import pytest
from monopoly_agents.table import Table

from monopoly_env import Game
from monopoly_env.agent import Agent, make_agent
from monopoly_env.view import View


class Listener:
    """Plays as another bot does, and writes down what it hears."""

    def __init__(self, bot: Agent) -> None:
        self.bot = bot
        self.heard: list[str] = []
        self.finished: list[Game] = []
        self.closed = 0
        self.seeds: list[int] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)
        self.bot.reset(seed)

    def decide(self, view: View) -> int:
        self.heard += [event.text for event in view.events]
        return self.bot.decide(view)

    def finish(self, game: Game) -> None:
        self.finished.append(game)

    def close(self) -> None:
        self.closed += 1


def test_everybody_hears_everything_once() -> None:
    game = Game(players=3, seed=4, rules={"max_decisions": 300})
    happened = [event.text for event in game.journal()]
    bots = [Listener(make_agent(name)) for name in ("fixed_a", "random", "background")]
    table = Table(game, bots, seed=9)
    while not game.over:
        table.step()
        happened += [event.text for event in game.journal()]
    assert len(happened) > 300
    for seat, bot in enumerate(bots):
        rest = [event.text for event in table.unheard[seat]]
        assert bot.heard + rest == happened
        assert bot.seeds == [9]


def test_who_is_out_hears_how_and_no_more() -> None:
    game = Game(players=4, seed=1)
    table = Table(game, [make_agent("random")] * 4, seed=1)
    while not game.state["out"].any():
        table.step()
    seat = int(game.state["out"].argmax())
    assert any("is bankrupt" in event.text for event in table.unheard[seat])
    heard = len(table.unheard[seat])
    for _ in range(20):
        table.step()
    assert len(table.unheard[seat]) == heard


def test_the_end_is_told_to_those_who_want_to_know() -> None:
    listener = Listener(make_agent("fixed_a"))
    table = Table(
        Game(players=3, seed=2, rules={"max_decisions": 50}),
        [listener, make_agent("fixed_b"), listener],
    )
    game = table.play()
    assert game.over
    assert listener.finished == [game]
    table.close()
    assert listener.closed == 1
    assert listener.seeds == [0]


def test_one_bot_a_seat() -> None:
    with pytest.raises(ValueError, match="3 players need as many bots, not 2"):
        Table(Game(players=3, seed=1), [make_agent("random")] * 2)
