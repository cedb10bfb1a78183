"""Gymnasium's single-agent interface: one learner against bots."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import EzPickle

from monopoly_env.agent import Agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.encoding.packed import PACKED_SIZE, as_packed
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.envs._constructor import takes
from monopoly_env.envs._copies import ExactCopies
from monopoly_env.envs._display import FRAMES_PER_SECOND, MODES, Display, Frame
from monopoly_env.envs._episodes import ATTEMPTS
from monopoly_env.envs._saved_state import SINGLE
from monopoly_env.envs.checks import check_action, fail
from monopoly_env.envs.config import EnvConfig
from monopoly_env.envs.game_batch import NO_NUMBERS, GameBatch
from monopoly_env.envs.options import SingleSeatOptions
from monopoly_env.envs.seating import (
    check_states,
    clone_states,
    find_opponents,
    restore_states,
    seat_learner,
)
from monopoly_env.envs.spaces import Arrays, HasInterface, Interface, Observation
from monopoly_env.envs.step_codes import RUNNING, TERMINATED, TRUNCATED
from monopoly_env.game import Game
from monopoly_env.playing import ask
from monopoly_env.seeds import check_seed
from monopoly_env.view import View

Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class SingleSeatEnv(ExactCopies, HasInterface, gymnasium.Env[Observation, int], EzPickle):
    """One learner against bots. The episode ends when the learner is bankrupt or the game is over.

    With ``observation="flat"``, the mask is in ``info["action_mask"]`` and in
    :meth:`action_masks`.

    >>> env = SingleSeatEnv(opponents=["fixed_a", "random"])
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape, info["action_mask"].shape, info["seat"]
    ((1365,), (342,), 2)
    >>> over = False
    >>> while not over:
    ...     action = int(info["action_mask"].argmax())
    ...     observation, reward, terminated, truncated, info = env.step(action)
    ...     over = terminated or truncated
    >>> reward, info["rank"], info["win"]
    (-0.5, 2, 0.0)
    """

    metadata = {  # noqa: RUF012 - Gymnasium's interface
        "render_modes": list(MODES),
        "render_fps": FRAMES_PER_SECOND,
    }

    @takes(SingleSeatOptions)
    def __init__(self, options: SingleSeatOptions) -> None:
        self.render_mode = options.render_mode
        self._display = Display(options.render_mode, options.render_size, options.render_theme)
        bots, players = find_opponents(options)
        config = EnvConfig(options.table(players))
        self._agents = seat_learner(config, options, bots)
        config.set_illegal_action(options.illegal_action)
        self._interface = Interface(options, config.editions, config.players)
        self._batch = GameBatch(config, 1)
        self._batch.ended[0] = TERMINATED  # until reset()
        self._observation, _ = self._new_row()
        self._observation[:] = 0
        self._mask = np.zeros(N_ACTIONS, np.int8)
        self.action_space = self._interface.action_space()
        self.observation_space = self._interface.observation_space()

    # Playing

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game; without a seed, the sequence of games continues.

        ``options={"position": …}`` sets the starting position: a mapping, the path of a YAML file,
        or a Game.
        """
        batch = self._batch
        seed = None if seed is None else check_seed(seed)
        batch.start(options, seed is not None, check=self._interface.check)
        super().reset(seed=seed)
        batch.seed(seed)
        for _ in range(ATTEMPTS):
            self._observation, arrays = self._new_row()
            batch.begin(arrays[0], self._mask, arrays[1])
            self._reset_agents()
            self._ask_agents()
            if batch.ended[0] == RUNNING:
                break
        else:
            fail("decides", "no game came to a decision of the learner; name more phases")
        if self._display.is_watched:
            self._display.show(self.game)
        return self._shown(), self._info()

    def step(self, action: int) -> Step:
        """Play the learner's action, an id, and the bots' actions until the learner decides again.

        Raises: IllegalAction for an illegal action, and for a number that is not an action, unless
        ``illegal_action`` says otherwise; InputError for anything but an integer. In all these
        cases the game is unchanged.
        """
        batch = self._batch
        if batch.ended[0] != RUNNING:
            fail("step", "the episode is over; call reset()")
        number = check_action("action", action)
        if not self._take(self._interface.id(number)):
            batch.refuse(0, self._interface.refused(number))
        reward = float(batch.learner_rewards[0]) + self._ask_agents()
        ended = batch.ended[0]
        over, cut = bool(ended == TERMINATED), bool(ended == TRUNCATED)
        if self._display.is_watched:
            self._display.show(self.game)
        return self._shown(), reward, over, cut, self._info()

    def _take(self, number: int) -> bool:
        """Pass an action id to the kernel, which writes the next observation into a new array.

        Returns False, with nothing changed, if the action is illegal.
        """
        batch = self._batch
        batch.action[0] = number
        observation, arrays = self._new_row()
        if not batch.play(arrays[0], self._mask, packed=arrays[1]):
            return False
        self._observation = observation  # a new array, because the caller owns the last one
        return True

    def _new_row(self) -> tuple[Arrays, tuple[Any, Any]]:
        """Return a new array for an observation, and the same array in the kernel's form."""
        if self._interface.packed:
            row = np.zeros(PACKED_SIZE, np.uint8)
            return row, (NO_NUMBERS, as_packed(row))
        observation = np.empty(OBSERVATION_SIZE, np.float32)
        return observation, (observation, None)

    # Python bots

    def _reset_agents(self) -> None:
        """Reset the Python bots for a new game."""
        seed = int(self._batch.episodes["game_seed"][0])
        first: dict[int, tuple[int, Agent]] = {}  # one object may have several seats
        for left, agent in self._agents.items():
            first.setdefault(id(agent), ((self.seat + left) % self._batch.config.players, agent))
        for seat, agent in first.values():
            agent.reset(bot_seed(seed, seat))

    def _ask_agents(self) -> float:
        """Play the Python bots until the learner decides; return the learner's reward meanwhile."""
        if not self._agents:
            return 0.0
        batch, paid = self._batch, 0.0
        while batch.ended[0] == RUNNING and (actor := int(batch.games["actor"][0])) != self.seat:
            agent = self._agents[(actor - self.seat) % batch.config.players]
            view = View(batch.games, 0, batch.edition_of(0), self._mask.copy())
            action = ask(agent, view, partial(batch.refuse, 0))
            if not self._take(action):
                batch.refuse(0, action)
            paid += float(batch.learner_rewards[0])
        return paid

    # Observing

    @property
    def seat(self) -> int:
        """The learner's seat in this game, 0 for A."""
        return int(self._batch.episodes["seat"][0])

    @property
    def game(self) -> Game:
        """A copy of the game, for inspection or search."""
        return self._batch.game(0)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the action mask, bool[n], as MaskablePPO expects it."""
        return self._interface.legal(self._mask.astype(np.bool_))

    def _shown(self) -> Observation:
        if self._interface.flat:
            return self._interface.observation(self._observation)
        return self._interface.shown(self._observation, self._mask.copy())

    def _info(self) -> dict[str, Any]:
        """Return the info: the mask unless observed, the seat, and at the end the results."""
        seat = self.seat
        info: dict[str, Any] = {"seat": seat}
        if self._interface.flat:
            info["action_mask"] = self._interface.mask(self._mask.copy())
        if self._batch.ended[0] != RUNNING:
            info |= self._batch.result(0, seat)
            info["is_success"] = info["rank"] == 1
        return info

    def render(self) -> str | Frame | None:  # type: ignore[override]  # Gymnasium's is a TypeVar
        """Return text or uint8[height, width, 3], by ``render_mode``; None for ``human``."""
        return self._display.render(self.game)

    def close(self) -> None:
        """Close the window, if any."""
        display = getattr(self, "_display", None)  # close() also runs if the constructor failed
        if display is not None:
            display.close()

    # Copies and saved states

    def carried(self) -> Iterator[tuple[str, object]]:
        """Yield Python bots, and other options that were given as objects."""
        yield from (("opponents", agent) for agent in self._agents.values())
        yield from self._batch.carried()

    def clone_state(self) -> bytes:
        """Return the complete state as bytes: game, hidden information and bots, without options.

        Intended for search: it takes a few microseconds, and :meth:`restore_state` a few more.
        Python bots are included if they have ``clone_state() -> bytes`` and
        ``restore_state(bytes)``.

        Raises: CopyError for a bot without these methods; ``copy.deepcopy`` copies most of them.
        """
        return self._batch.clone_state(kind=SINGLE, extra=clone_states(self._agents.values()))

    def restore_state(self, state: object) -> tuple[Observation, dict[str, Any]]:
        """Restore a state of :meth:`clone_state` from an environment with the same options.

        Returns the observation and the info of that state.

        Raises: InputError for bytes that are not a state, are damaged, or have other options, and
        if a Python bot refuses its part; the environment is then unchanged.
        """
        batch, agents = self._batch, self._agents.values()
        check_states(agents)
        batch.restore_state(
            state, kind=SINGLE, accept=lambda extra, _games: restore_states(agents, extra)
        )
        if batch.seeded:
            seen = batch.observe(0, self.seat, self._interface.packed)
            self._observation, self._mask = seen
        if batch.ended[0] != RUNNING:
            self._mask = np.zeros(N_ACTIONS, np.int8)
        self._interface.check(batch.edition)
        return self._shown(), self._info()
