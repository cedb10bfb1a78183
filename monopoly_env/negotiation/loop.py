"""Plays a game between bots, some of which negotiate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from monopoly_env.agent import Agent
from monopoly_env.game import Game
from monopoly_env.negotiation.negotiator import let_bot_speak
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.talks import Occasion, Talks
from monopoly_env.playing import GameLoop


class NegotiationLoop(GameLoop):
    """A :class:`monopoly_env.playing.GameLoop` in which bots may speak before they decide.

    >>> from monopoly_env.agent import make_agent
    >>> game = Game(players=2, seed=7, rules={"max_turns": 6})
    >>> loop = NegotiationLoop(game, [make_agent("negotiator"), make_agent("background")])
    >>> loop.play().over, sorted(loop.record()["negotiation"])
    (True, ['entries', 'format', 'options'])

    Args:
        game, agents, seed: as for a GameLoop. Agents with ``negotiate`` and ``takes`` may speak
            (:class:`monopoly_env.negotiation.negotiator.Negotiator`); others only play.
        options: the limits. The limit of offers per turn is a rule of the game and does not change.
        more: further arguments of GameLoop.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        seed: int = 0,
        options: NegotiationOptions | None = None,
        **more: Any,
    ) -> None:
        super().__init__(game, agents, seed, **more)
        self.talks = Talks(options or NegotiationOptions())

    def step(self) -> str:
        """Let the actor decide, or let a bot speak; return the action's text, or "" for words."""
        self.begin()
        question = self.talks.question(self.game)
        if question.occasion is Occasion.MOVE and self._is_forced(self.game.legal_mask()):
            return super().step()
        if let_bot_speak(self.talks, self, self.agents[question.seat], question):
            return ""
        return super().step()

    def take(self, action: int) -> None:
        """Play the actor's action, and record its effects on the negotiation."""
        before = self.talks.before(self.game, action)
        super().take(action)
        self.talks.after(before, self.game)

    def record(self, bots: Iterable[str] = ()) -> dict[str, Any]:
        """Return the game as a record, with its messages, offers and promises."""
        return {**self.game.record(bots), "negotiation": self.talks.as_record()}
