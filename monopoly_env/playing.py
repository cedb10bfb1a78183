"""Plays a game in Python: asks whoever decides, and relays to each what has happened since.

Any mix of agents plays here: compiled policies, Python objects, programs, people. What is to be
gathered on the way is gathered by accumulators.

>>> from monopoly_env import Game
>>> from monopoly_env.agent import make_agent
>>> loop = GameLoop(Game(players=2, seed=7, rules={"max_turns": 4}), [make_agent("fixed_a")] * 2)
>>> loop.step()
'roll'
>>> loop.play().over
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    """An answer of an agent as a plain number; None if it is no whole number.

    Truth values are none. What a class of the agent's own says it is or does does not count.
    """
    kind = type(answer)  # isinstance() would ask the object
    if issubclass(kind, bool):
        return None
    if issubclass(kind, int):
        return int.__index__(cast(int, answer))
    if issubclass(kind, np.integer):
        return int(np.generic.item(cast(Any, answer)))
    return None


def is_legal(answer: object, mask: Int8s) -> TypeGuard[int | np.integer[Any]]:
    """Whether an answer of an agent is the id of a legal action; ``mask`` is int8[N_ACTIONS]."""
    number = id_in(answer)
    return number is not None and 0 <= number < N_ACTIONS and bool(mask[number])


def ask(agent: Agent, view: View, refuse: Callable[[int], object]) -> int:
    """The id of the action that an agent chooses.

    ``refuse`` is called with an answer that is not legal, and raises the error that says why.
    Raises: TypeError for an answer that is no id.
    """
    mask = view.mask.copy()  # the agent may do with its own as it likes
    answer = agent.decide(view)
    number = id_in(answer)
    if number is None:
        raise TypeError(f"an agent answers with the id of an action, not {show(answer)}")
    if not is_legal(number, mask):
        refuse(number)
    return number


class Accumulator:
    """Gathers something while a game is played; a subclass has those methods that it needs.

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
        """The game is about to begin, or to go on from where it stands."""

    def step(self, game: Game, action: int) -> None:
        """The actor has chosen an action, by id; it is played next.

        ``game.text(action)`` is the action as text, ``game.journal()`` what has happened since the
        decision before.
        """

    def after(self, game: Game) -> None:
        """The game is over."""


def _check_agents(agents: object, players: int) -> None:
    """An agent a seat. Raises: InputError."""
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
    """What gathers something. Raises: InputError."""
    if not isinstance(given, Sequence) or not all(
        callable(getattr(one, "step", None)) for one in given
    ):
        InputError.at("accumulators").fail(f"must be a list of Accumulators, not {show(given)}")
    return tuple(given)


class GameLoop:
    """Asks whoever decides, plays the answer, and keeps for each seat what it has yet to hear.

    Args:
        game: the game, at its start or anywhere. Agents hear of events if it keeps its journal
            (``journal=True``, the default).
        agents: one a seat; one object may have several seats.
        seed: for the agents' own random numbers: each is reset with a seed that follows from this
            one and from the first of its seats (:func:`monopoly_env.bot_seeds.bot_seed`).
        accumulators: what gathers something on the way, called in this order.
        skip_forced: take the only legal action without asking anybody.

    Raises: InputError if there are more or fewer agents than seats, or one is none.

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
        self.game = game
        self.agents = tuple(agents)
        self.accumulators = _accumulators(accumulators)
        self.skip_forced = InputError.at("skip_forced").flag(skip_forced)
        self.seed = check_seed(seed)
        self.unheard: list[list[Happening]] = [game.journal() for _ in agents]  # by seat
        self._begun = False

    def _by_first_seat(self) -> list[tuple[int, Agent]]:
        """Every agent once, with the first of its seats."""
        first: dict[int, tuple[int, Agent]] = {}
        for seat, agent in enumerate(self.agents):
            first.setdefault(id(agent), (seat, agent))
        return list(first.values())

    def _each(self) -> list[Agent]:
        """Every agent once."""
        return [agent for _, agent in self._by_first_seat()]

    def begin(self) -> None:
        """Reset the agents and the accumulators, once: the first step does it otherwise."""
        if self._begun:
            return
        self._begun = True
        for seat, agent in self._by_first_seat():
            agent.reset(bot_seed(self.seed, seat))
        for accumulator in self.accumulators:
            accumulator.before(self.game)

    def step(self) -> str:
        """Let the actor decide and play its action; the action as text.

        Raises: IllegalAction or TypeError, if the agent answers with an illegal action or with no
        id; the game has not changed. What an agent itself raises passes through.
        """
        self.begin()
        mask = self.game.legal_mask()
        if self._is_forced(mask):
            return self._take(int(mask.argmax()))
        seat = self.game.actor_seat
        action = ask(
            self.agents[seat], self._view(mask), self.game.play
        )  # which says what is wrong
        self.unheard[seat] = []
        return self._take(action)

    def question(self) -> View | None:
        """Take what is forced, up to the next decision; what its seat may know, None at the end.

        With :meth:`answer` it steps a game whose agents are asked elsewhere.
        """
        self.begin()
        while self.game.actor_seat >= 0:
            mask = self.game.legal_mask()
            if not self._is_forced(mask):
                return self._view(mask)
            self._take(int(mask.argmax()))
        return None

    def answer(self, action: int) -> str:
        """Play what the actor has decided; the action as text. Raises: IllegalAction."""
        if not self.game.legal_mask()[action]:
            self.game.play(action)  # which says why not
        self.unheard[self.game.actor_seat] = []
        return self._take(action)

    def _is_forced(self, mask: Int8s) -> bool:
        """Whether nobody need be asked."""
        return self.skip_forced and np.count_nonzero(mask) == 1

    def _view(self, mask: Int8s) -> View:
        """What the actor may know, with what has happened since it decided last."""
        game = self.game
        return View(game.state.reshape(1), 0, game.edition, mask, self.unheard[game.actor_seat])

    def _take(self, action: int) -> str:
        """Play an action, and note for everybody who is not out what came of it."""
        game = self.game
        text = game.text(action)
        for accumulator in self.accumulators:
            accumulator.step(game, action)
        out = game.state["out"].tolist()  # who goes out now still hears how
        game.play(action)
        events = game.journal()
        for seat in range(game.players):
            if not out[seat]:
                self.unheard[seat] += events
        return text

    def play(self) -> Game:
        """Go on to the end; the game."""
        self.begin()
        while self.game.actor_seat >= 0:
            self.step()
        self.finish()
        return self.game

    def finish(self) -> None:
        """Hand the game, which is over, to accumulators, and a copy to the agents that take one.

        The copy knows neither the game's seed nor its random numbers: the next game may have the
        same ones.
        """
        for accumulator in self.accumulators:
            accumulator.after(self.game)
        for agent in self._each():
            finish = getattr(agent, "finish", None)
            if callable(finish):
                finish(self.game.wiped())

    def close(self) -> None:
        """Let go of what agents hold, such as processes."""
        for agent in self._each():
            close = getattr(agent, "close", None)
            if callable(close):
                close()
