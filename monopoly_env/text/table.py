"""A game with its bots, and the events that each seat has not seen yet."""

from __future__ import annotations

from collections.abc import Mapping

from monopoly_env.agent import Agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.bots.fallback import safe_action
from monopoly_env.engine.state import Int8s
from monopoly_env.game import Game
from monopoly_env.playing import SeatJournals, ask, is_legal, with_first_seat


class Table(SeatJournals):
    """A game in which some seats have bots and the others are asked elsewhere.

    Args:
        game: keeps its journal.
        bots: by seat; the caller asks the other seats.
        rest: makes the decisions that those other seats leave to a bot.
        seed: the game's seed; the bots' seeds are derived from it.
    """

    def __init__(self, game: Game, bots: Mapping[int, Agent], rest: Agent, seed: int) -> None:
        super().__init__(game)
        self.bots = bots
        self.rest = rest
        self.seed = seed
        asked = next((seat for seat in range(game.players) if seat not in bots), 0)
        for seat, agent in with_first_seat([*bots.items(), (asked, rest)]):
            agent.reset(bot_seed(seed, seat))

    def let_bot_decide(self, mask: Int8s) -> None:
        """Play the decision of the actor's bot. Raises: IllegalAction or TypeError."""
        seat = self.game.actor_seat
        action = ask(self.bots[seat], self.view(mask), self.game.play)
        self.mark_read(seat)
        self.take(action)

    def choice_of_rest(self, left: Int8s) -> int:
        """Return the bot's choice among the actions ``left``, or a safe one if it has none."""
        answer = self.rest.decide(self.view(left))
        return int(answer) if is_legal(answer, left) else safe_action(left)
