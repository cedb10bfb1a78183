"""The loop asks agents in turn and relays to each what happened since it decided last."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env import Game, IllegalAction
from monopoly_env.agent import Agent, make_agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.engine.actions import IDS, N_ACTIONS
from monopoly_env.playing import Accumulator, GameLoop, is_legal
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
    loop = GameLoop(game, bots, seed=9)
    while not game.over:
        loop.step()
        happened += [event.text for event in game.journal()]
    assert len(happened) > 300
    for seat, bot in enumerate(bots):
        rest = [event.text for event in loop.unheard[seat]]
        assert bot.heard + rest == happened
        assert bot.seeds == [bot_seed(9, seat)]


def test_who_is_out_hears_how_and_no_more() -> None:
    game = Game(players=4, seed=1)
    loop = GameLoop(game, [make_agent("random")] * 4, seed=1)
    while not game.state["out"].any():
        loop.step()
    seat = int(game.state["out"].argmax())
    assert any("is bankrupt" in event.text for event in loop.unheard[seat])
    heard = len(loop.unheard[seat])
    for _ in range(20):
        loop.step()
    assert len(loop.unheard[seat]) == heard


def test_the_end_is_told_to_those_who_want_to_know() -> None:
    listener = Listener(make_agent("fixed_a"))
    loop = GameLoop(
        Game(players=3, seed=2, rules={"max_decisions": 50}),
        [listener, make_agent("fixed_b"), listener],
    )
    game = loop.play()
    assert game.over
    assert listener.finished == [game.wiped()]
    assert listener.finished[0].seed is None  # the next game may have the same
    loop.close()
    assert listener.closed == 1
    assert listener.seeds == [bot_seed(0, 0)]


def test_one_bot_a_seat() -> None:
    with pytest.raises(ValueError, match="3 players need as many agents, not 2"):
        GameLoop(Game(players=3, seed=1), [make_agent("random")] * 2)


class Diary(Accumulator):
    """Writes down what it is called with."""

    def __init__(self) -> None:
        self.lines: list[object] = []

    def before(self, game: Game) -> None:
        self.lines.append(("before", len(game.history)))

    def step(self, game: Game, action: int) -> None:
        assert game.legal_mask()[action]
        self.lines.append((game.actor_seat, action))

    def after(self, game: Game) -> None:
        self.lines.append(("after", game.over))


def test_accumulators_hear_of_every_action_before_it_is_played() -> None:
    diary, silent = Diary(), Accumulator()
    game = Game(players=2, seed=3, rules={"max_decisions": 40})
    loop = GameLoop(game, [make_agent("random")] * 2, accumulators=[diary, silent])
    assert diary.lines == []
    loop.play()
    assert diary.lines == [("before", 0), *game.history, ("after", True)]


@pytest.mark.parametrize("skip_forced", [True, False])
def test_forced_decisions_need_not_be_asked_for(skip_forced: bool) -> None:
    choices = []

    class Counter:
        def reset(self, seed: int) -> None:
            """Nothing to forget."""

        def decide(self, view: View) -> int:
            choices.append(int(view.mask.sum()))
            return int(view.mask.argmax())

    game = Game(players=2, seed=3, rules={"max_decisions": 60})
    diary = Diary()
    GameLoop(game, [Counter()] * 2, accumulators=[diary], skip_forced=skip_forced).play()
    assert (1 in choices) is not skip_forced
    assert len(diary.lines) == len(game.history) + 2


@pytest.mark.promise("bots")
@pytest.mark.parametrize("answer", [-1, N_ACTIONS, IDS["bankrupt"], "roll", None])
def test_an_answer_that_is_not_legal_raises_and_changes_nothing(answer: object) -> None:
    class Wrong:
        def reset(self, seed: int) -> None:
            """Nothing to forget."""

        def decide(self, view: View) -> int:
            view.mask[:] = 1  # its own
            return answer  # type: ignore[return-value]

    diary = Diary()
    game = Game(players=2, seed=3)
    before = game.copy()
    loop = GameLoop(game, [Wrong()] * 2, accumulators=[diary])
    with pytest.raises((IllegalAction, TypeError)):
        loop.step()
    assert game == before
    assert diary.lines == [("before", 0)]
    assert loop.unheard[0]


def test_answers_of_numpy_are_fine() -> None:
    mask = Game(players=2, seed=3).legal_mask()
    assert is_legal(np.int64(IDS["roll"]), mask)
    assert not is_legal(1.0, mask)
