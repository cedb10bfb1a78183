"""A game with its bots, and what each seat has yet to hear of it."""

from __future__ import annotations

from collections.abc import Mapping

from monopoly_env.agent import Agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.bots.fallback import safe_action
from monopoly_env.engine.state import Int8s
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.playing import ask, is_legal
from monopoly_env.view import View


class Table:
    """Plays actions and lets bots decide; ``unheard`` is kept by seat.

    Args:
        game: with its journal.
        bots: by seat; the others are asked elsewhere.
        rest: decides what those others leave to a bot.
        seed: of the game; the bots' own follow from it.
    """

    def __init__(self, game: Game, bots: Mapping[int, Agent], rest: Agent, seed: int) -> None:
        self.game = game
        self.bots = bots
        self.rest = rest
        self.seed = seed
        self.unheard: list[list[Happening]] = [game.journal() for _ in range(game.players)]
        asked = next((seat for seat in range(game.players) if seat not in bots), 0)
        first: dict[int, tuple[int, Agent]] = {}  # one object may have several seats
        for seat, agent in (*bots.items(), (asked, rest)):
            first.setdefault(id(agent), (seat, agent))
        for seat, agent in first.values():
            agent.reset(bot_seed(seed, seat))

    def view(self, mask: Int8s) -> View:
        """What the actor may know, with the actions that it is shown."""
        game = self.game
        return View(game.state.reshape(1), 0, game.edition, mask, self.unheard[game.actor_seat])

    def take(self, action: int) -> None:
        """Play an action, and note for everybody who is not out what came of it."""
        game = self.game
        out = game.state["out"].tolist()  # who goes out now still hears how
        game.play(action)
        events = game.journal()
        for seat in range(game.players):
            if not out[seat]:
                self.unheard[seat] += events

    def let_bot_decide(self, mask: Int8s) -> None:
        """The bot of the actor's seat decides. Raises: IllegalAction or TypeError for a bad answer."""
        seat = self.game.actor_seat
        action = ask(self.bots[seat], self.view(mask), self.game.play)
        self.unheard[seat] = []
        self.take(action)

    def choice_of_rest(self, left: Int8s) -> int:
        """What the bot makes of a learner's decision; what costs least, if it wants none of these."""
        answer = self.rest.decide(self.view(left))
        return int(answer) if is_legal(answer, left) else safe_action(left)
