"""A game and the bots at it, asked from Python: each hears what happened since it decided last."""

from __future__ import annotations

from collections.abc import Sequence

from monopoly_env import Game
from monopoly_env.agent import Agent
from monopoly_env.events import Happening
from monopoly_env.view import View


class Table:
    """Asks whoever decides, plays the answer, and keeps for each seat what it has yet to hear.

    ``bots`` are one a seat; one object may have several seats. ``seed`` is for their own random
    numbers. The game needs its journal (``journal=True``, the default) for events.

    >>> from monopoly_env.agent import make_agent
    >>> table = Table(Game(players=2, seed=7, rules={"max_turns": 4}), [make_agent("fixed_a")] * 2)
    >>> table.step()
    'roll'
    >>> table.play().over
    True
    """

    def __init__(self, game: Game, bots: Sequence[Agent], seed: int = 0) -> None:
        if len(bots) != game.players:
            raise ValueError(f"{game.players} players need as many bots, not {len(bots)}")
        self.game = game
        self.bots = tuple(bots)
        self.unheard: list[list[Happening]] = [game.journal() for _ in bots]
        for bot in self._each():
            bot.reset(seed)

    def _each(self) -> list[Agent]:
        """Every bot once."""
        return list({id(bot): bot for bot in self.bots}.values())

    def step(self) -> str:
        """One decision; what was done, as text. Raises: IllegalAction for an answer that is not."""
        game, seat = self.game, self.game.actor_seat
        action = self.bots[seat].decide(View.of(game, self.unheard[seat]))
        text = game.text(action)
        listeners = [other for other in range(game.players) if not game.state["out"][other]]
        game.play(action)
        self.unheard[seat] = []
        events = game.journal()
        for other in listeners:  # who goes out now still hears how
            self.unheard[other] += events
        return text

    def play(self) -> Game:
        """Go on to the end, and tell the bots that want to know."""
        while not self.game.over:
            self.step()
        self.finish()
        return self.game

    def finish(self) -> None:
        """Tell the bots how the game stands, now that it ends."""
        for bot in self._each():
            tell = getattr(bot, "finish", None)
            if tell is not None:
                tell(self.game)

    def close(self) -> None:
        """Let go of what bots hold, such as processes."""
        for bot in self._each():
            end = getattr(bot, "close", None)
            if end is not None:
                end()
