"""Plays a game in Python: asks each agent in turn and passes it the events since its last decision.

Agents of all kinds can be mixed: compiled policies, Python objects, programs, people. Accumulators
collect statistics.

>>> from monopoly_env import Game
>>> from monopoly_env.agent import make_agent
>>> loop = GameLoop(Game(players=2, seed=7, rules={"max_turns": 4}), [make_agent("fixed_a")] * 2)
>>> loop.step()
'roll'
>>> loop.play().over
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeGuard, cast

import numpy as np

from monopoly_env.agent import Agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Int8s
from monopoly_env.errors import InputError, show
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.seeds import check_seed
from monopoly_env.view import View


def id_in(answer: object) -> int | None:
    """Return an agent's answer as an int; None if it is not an integer.

    Booleans do not count as integers. Conversions defined by the agent's own classes are ignored.
    """
    kind = type(answer)  # isinstance() would trust the object's __class__
    if issubclass(kind, bool):
        return None
    if issubclass(kind, int):
        return int.__index__(cast(int, answer))
    if issubclass(kind, np.integer):
        return int(np.generic.item(cast(Any, answer)))
    return None


def is_legal(answer: object, mask: Int8s) -> TypeGuard[int | np.integer[Any]]:
    """Return whether an agent's answer is the id of a legal action; ``mask`` is int8[N_ACTIONS]."""
    number = id_in(answer)
    return number is not None and 0 <= number < N_ACTIONS and bool(mask[number])


def ask(agent: Agent, view: View, refuse: Callable[[int], object]) -> int:
    """Return the id of the action that an agent chooses.

    ``refuse`` is called with an illegal answer and must raise the error with the reason.
    Raises: TypeError if the answer is not an id.
    """
    mask = view.mask.copy()  # the agent may modify its own
    answer = agent.decide(view)
    number = id_in(answer)
    if number is None:
        raise TypeError(f"an agent answers with the id of an action, not {show(answer)}")
    if not is_legal(number, mask):
        refuse(number)
    return number


class Accumulator:
    """Collects statistics while a game is played; subclasses override the methods they need.

    >>> from monopoly_env.agent import make_agent
    >>> class Deals(Accumulator):
    ...     def before(self, game):
    ...         self.offers = 0
    ...     def step(self, game, action):
    ...         self.offers += game.text(action) == "offer"
    >>> deals = Deals()
    >>> bots = [make_agent("strategist")] * 2
    >>> game = GameLoop(Game(players=2, seed=7), bots, accumulators=[deals]).play()
    >>> deals.offers > 0
    True
    """

    def before(self, game: Game) -> None:
        """Called before the first action."""

    def step(self, game: Game, action: int) -> None:
        """Called when the actor has chosen an action, before it is played.

        ``game.text(action)`` is the action as text, ``game.journal()`` the events since the previous
        decision.
        """

    def after(self, game: Game) -> None:
        """Called at the end of the game."""


def _check_agents(agents: object, players: int) -> None:
    """Check that there is one agent per seat. Raises: InputError."""
    location = InputError.at("agents")
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        location.fail(f"must be a list of agents, one a seat, not {show(agents)}")
    if len(agents) != players:
        location.fail(f"{players} players need as many agents, not {len(agents)}")
    for seat, agent in enumerate(agents):
        for method in ("reset", "decide"):
            if not callable(getattr(agent, method, None)):
                location.fail(
                    f"seat {LETTERS[seat]}: {show(agent)} has no method {method}; an agent has "
                    "reset(seed) and decide(view)"
                )


def _accumulators(given: object) -> tuple[Accumulator, ...]:
    """Return the accumulators as a tuple. Raises: InputError."""
    if not isinstance(given, Sequence) or not all(
        callable(getattr(one, "step", None)) for one in given
    ):
        InputError.at("accumulators").fail(f"must be a list of Accumulators, not {show(given)}")
    return tuple(given)


class SeatJournals:
    """Plays the actions of a game and keeps, for each seat, the events since its last decision.

    Attributes:
        unheard: the events that each seat has not seen yet, by seat.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.unheard: list[list[Happening]] = [game.journal() for _ in range(game.players)]

    def view(self, mask: Int8s) -> View:
        """Return what the current actor may see, with the events since its last decision."""
        game = self.game
        return View(game.state.reshape(1), 0, game.edition, mask, self.unheard[game.actor_seat])

    def mark_read(self, seat: int) -> None:
        """Start a new list of events for a seat, because it has decided."""
        self.unheard[seat] = []  # a new list: the view that was handed out keeps the old one

    def take(self, action: int) -> None:
        """Play an action and add its events to every seat that was in the game before it.

        Raises: IllegalAction or TypeError; the game is unchanged.
        """
        game = self.game
        out = game.state["out"].tolist()  # a player eliminated by this action still sees how
        game.play(action)
        events = game.journal()
        for seat in range(game.players):
            if not out[seat]:
                self.unheard[seat] += events


def with_first_seat(agents: Iterable[tuple[int, Agent]]) -> list[tuple[int, Agent]]:
    """Return each distinct agent once, with the first seat it plays.

    Args:
        agents: pairs of seat and agent; one object may have several seats.
    """
    first: dict[int, tuple[int, Agent]] = {}
    for seat, agent in agents:
        first.setdefault(id(agent), (seat, agent))
    return list(first.values())


class GameLoop(SeatJournals):
    """Asks the agents for decisions and plays them, until the game is over.

    Args:
        game: the game, at any position. Agents receive events if it keeps a journal
            (``journal=True``, the default).
        agents: one per seat; an object may play several seats.
        seed: for the agents' own random numbers. Each agent is reset with a hash of this seed and
            its first seat (:func:`monopoly_env.bot_seeds.bot_seed`).
        accumulators: objects that collect statistics, called in this order.
        skip_forced: play the only legal action without asking.

    Raises: InputError for a wrong number of agents, or an object that is not an agent.

    >>> from monopoly_env.agent import make_agent
    >>> game = Game(players=3, seed=7)
    >>> loop = GameLoop(game, [make_agent(name) for name in ("fixed_a", "fixed_b", "random")], seed=7)
    >>> loop.play().over, [standing.player for standing in game.standings()]
    (True, ['B', 'C', 'A'])
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        seed: int = 0,
        *,
        accumulators: Sequence[Accumulator] = (),
        skip_forced: bool = False,
    ) -> None:
        if not isinstance(game, Game):
            InputError.at("game").fail(f"must be a Game, not {show(game)}")
        _check_agents(agents, game.players)
        super().__init__(game)
        self.agents = tuple(agents)
        self.accumulators = _accumulators(accumulators)
        self.skip_forced = InputError.at("skip_forced").flag(skip_forced)
        self.seed = check_seed(seed)
        self._begun = False

    def _each(self) -> list[tuple[int, Agent]]:
        """Return each agent once, with the first of its seats."""
        return with_first_seat(enumerate(self.agents))

    def begin(self) -> None:
        """Reset the agents and the accumulators. Otherwise the first step does this."""
        if self._begun:
            return
        self._begun = True
        for seat, agent in self._each():
            agent.reset(bot_seed(self.seed, seat))
        for accumulator in self.accumulators:
            accumulator.before(self.game)

    def step(self) -> str:
        """Ask the actor, play its action, and return it as text.

        Raises: IllegalAction for an illegal action, TypeError for an answer that is not an id; the
        game does not change. Errors of the agent are passed on.
        """
        self.begin()
        mask = self.game.legal_mask()
        if self._is_forced(mask):
            return self._taken(int(mask.argmax()))
        seat = self.game.actor_seat
        view = self.view(mask)
        action = ask(self.agents[seat], view, self.game.play)  # play() raises for a bad answer
        self.mark_read(seat)
        return self._taken(action)

    def question(self) -> View | None:
        """Advance to the next decision and return the view of its seat; None at the end.

        Together with :meth:`answer`, this steps a game whose agents are asked elsewhere.
        """
        self.begin()
        while self.game.actor_seat >= 0:
            mask = self.game.legal_mask()
            if not self._is_forced(mask):
                return self.view(mask)
            self.take(int(mask.argmax()))
        return None

    def answer(self, action: int) -> str:
        """Play the actor's decision and return it as text. Raises: IllegalAction."""
        if not self.game.legal_mask()[action]:
            self.game.play(action)  # raises with the reason
        self.mark_read(self.game.actor_seat)
        return self._taken(action)

    def _is_forced(self, mask: Int8s) -> bool:
        """Return whether the only legal action is played without asking."""
        return self.skip_forced and np.count_nonzero(mask) == 1

    def take(self, action: int) -> None:
        """Play an action as :class:`SeatJournals` does, after passing it to the accumulators."""
        for accumulator in self.accumulators:
            accumulator.step(self.game, action)
        super().take(action)

    def _taken(self, action: int) -> str:
        """Play an action and return it as text."""
        text = self.game.text(action)
        self.take(action)
        return text

    def play(self) -> Game:
        """Play to the end and return the game."""
        self.begin()
        while self.game.actor_seat >= 0:
            self.step()
        self.finish()
        return self.game

    def finish(self) -> None:
        """Pass the finished game to the accumulators, and a copy to agents with ``finish``.

        The copy contains neither the game's seed nor its random numbers, because the next game may
        use the same seed.
        """
        for accumulator in self.accumulators:
            accumulator.after(self.game)
        for _, agent in self._each():
            finish = getattr(agent, "finish", None)
            if callable(finish):
                finish(self.game.wiped())

    def close(self) -> None:
        """Close the agents, for example their processes."""
        for _, agent in self._each():
            close = getattr(agent, "close", None)
            if callable(close):
                close()
