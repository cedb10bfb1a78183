"""PettingZoo's AEC interface, with an agent in every seat."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.encoding.packed import PACKED_SIZE, as_packed
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import NOBODY, PLAYERS
from monopoly_env.envs._call import play_at
from monopoly_env.envs._constructor import takes
from monopoly_env.envs._copies import ExactCopies
from monopoly_env.envs._display import FRAMES_PER_SECOND, MODES, Display, Frame
from monopoly_env.envs._fast_wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)
from monopoly_env.envs._saved_state import AEC
from monopoly_env.envs.checks import UNKNOWN, check_action, fail, is_true
from monopoly_env.envs.config import EnvConfig
from monopoly_env.envs.game_batch import NO_NUMBERS, GameBatch
from monopoly_env.envs.options import AECOptions
from monopoly_env.envs.spaces import Arrays, HasInterface, Interface, Observation
from monopoly_env.envs.step_codes import RAISE, RUNNING, TRUNCATED
from monopoly_env.errors import NoSuchItem, show
from monopoly_env.game import Game
from monopoly_env.notation import NotAnAction, parse_action
from monopoly_env.seeds import check_seed

# The agents in a saved state: present, terminated and truncated seats as bits; the selected agent;
# the agent selected after dead steps; whether rewards were just paid; whether any are nonzero.
AGENTS = struct.Struct("<BBBbbBB")
PAYMENTS = struct.Struct(f"<{2 * PLAYERS}d")  # rewards, cumulative rewards


def env(*arguments: Any, **parameters: Any) -> AECEnv[str, Observation, int]:
    """Return the environment with PettingZoo's standard wrappers.

    The options are those of :class:`MonopolyEnv`. An illegal action ends the game with a reward of
    -1 for its player, and anything that is not an action is an error; ``illegal_action`` overrides
    this. The wrappers halve the speed; :func:`raw_env` has none.

    >>> from monopoly_env import monopoly_v0
    >>> game = monopoly_v0.env(num_players=2, preset="basic")
    >>> game.reset(seed=1)
    >>> decisions = 0
    >>> for agent in game.agent_iter():
    ...     observation, reward, termination, truncation, info = game.last()
    ...     over = termination or truncation
    ...     game.step(None if over else int(observation["action_mask"].argmax()))
    ...     decisions += not over
    >>> decisions, game.agents
    (2206, [])
    """
    bare: AECEnv[str, Observation, int] = MonopolyEnv(*arguments, **parameters)
    if "illegal_action" not in parameters:
        bare = AssertOutOfBoundsWrapper(TerminateIllegalWrapper(bare, illegal_reward=-1))
    return OrderEnforcingWrapper(bare)


class MonopolyEnv(ExactCopies, HasInterface, AECEnv[str, Observation, int], EzPickle):  # type: ignore[misc]  # no types there
    """The PettingZoo environment without wrappers.

    Agents ``player_0`` to ``player_7`` are the seats A to H. An illegal action raises
    IllegalAction and does not change the game, unless ``illegal_action`` says otherwise.

    >>> env = MonopolyEnv(num_players=3)
    >>> env.reset(seed=7)
    >>> env.agent_selection
    'player_2'
    >>> observation, reward, termination, truncation, info = env.last()
    >>> observation["observation"].shape, observation["action_mask"].shape
    ((1365,), (342,))
    >>> env.step(int(observation["action_mask"].argmax()))
    >>> env.agents
    ['player_0', 'player_1', 'player_2']
    """

    metadata = {  # noqa: RUF012 - PettingZoo's interface
        "name": "monopoly_v0",
        "render_modes": list(MODES),
        "is_parallelizable": False,
        "render_fps": FRAMES_PER_SECOND,
    }

    @takes(AECOptions)
    def __init__(self, options: AECOptions) -> None:
        super().__init__()
        self.render_mode = options.render_mode
        self._display = Display(options.render_mode, options.render_size, options.render_theme)
        config = EnvConfig(options)
        config.seat_everyone(options.elimination)
        config.set_illegal_action(options.illegal_action)
        self._interface = Interface(options, config.editions, config.players)
        # The kernel's arrays are returned as they are, observation and mask
        self._as_written = self._interface.plain and not self._interface.flat
        self._is_packed = self._interface.packed
        self._immediate = options.elimination == "immediate"
        self._batch = GameBatch(config, 1)
        self._names = tuple(f"player_{seat}" for seat in range(config.players))
        self._seats = {name: seat for seat, name in enumerate(self._names)}
        self.possible_agents = list(self._names)
        self.agents = list(self._names)
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            name: self._interface.action_space() for name in self._names
        }
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            name: self._interface.observation_space() for name in self._names
        }
        self.state_space = self._interface.box()
        self.infos: dict[str, dict[str, Any]] = {}
        self.terminations: dict[str, bool] = {}
        self.agent_selection = ""  # nobody, until reset()
        # The next agent's observation, written by the step, until it is read
        self._observer: str | None = None
        self._observation: Arrays
        self._mask: npt.NDArray[np.int8]
        self._paid = False  # whether `rewards` holds anything but zeros

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return a Dict of ``observation`` and ``action_mask``, or a Box without the mask."""
        self._seat_of(agent, "observation_space")
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the Discrete space of action ids."""
        if type(agent) is not str or agent not in self.action_spaces:  # called at every step
            self._seat_of(agent, "action_space")
        return self.action_spaces[agent]

    # Playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game, the same one as ``Game(seed=seed)``.

        Without a seed, the sequence of games continues. ``options={"position": …}`` sets the
        starting position: a mapping, the path of a YAML file, or a Game.
        """
        batch = self._batch
        seed = None if seed is None else check_seed(seed)
        batch.start(options, seed is not None, check=self._interface.check)
        batch.seed(seed)
        self._mask = np.empty(N_ACTIONS, np.int8)
        if self._interface.packed:
            self._observation = np.zeros(PACKED_SIZE, np.uint8)
            batch.begin(NO_NUMBERS, self._mask, as_packed(self._observation))
        else:
            self._observation = np.empty(OBSERVATION_SIZE, np.float32)
            batch.begin(self._observation, self._mask)
        out = batch.games["out"][0]
        self.agents = [name for name in self._names if out[self._seats[name]] == 0]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {name: {} for name in self.agents}
        self.agent_selection = self._observer = self._names[batch.actors.item()]
        self._skip_agent_selection = None
        self._paid = False
        if self._interface.flat:
            self._update_masks()
        if self._display.is_watched:
            self._display.show(self.game)

    def step(self, action: int | None) -> None:
        """Play the action of ``agent_selection``, an id or text; None for an agent that is done.

        Raises: IllegalAction with the reason for an illegal action, and for a number or text that
        is not an action, unless ``illegal_action`` says otherwise; InputError for other types. In
        all these cases the game is unchanged.
        """
        agent = self.agent_selection
        if self._is_out(agent):
            self._was_dead_step(action)
            self._paid = False
            if self._interface.flat:
                self._update_masks()
            return
        batch = self._batch
        number = action if type(action) is int else self._number(action)
        batch.action[0] = self._interface.id(number)
        mask = np.empty(N_ACTIONS, np.int8)
        if self._is_packed:
            observation: Arrays = np.zeros(PACKED_SIZE, np.uint8)
            row = as_packed(observation)
            legal = play_at(batch.calls.alone, 0, NO_NUMBERS, mask, row)
        else:
            observation = np.empty(OBSERVATION_SIZE, np.float32)
            legal = play_at(batch.calls.alone, 0, observation, mask, None)
        if not legal:
            batch.refuse(0, self._interface.refused(number))
        self._observation, self._mask = observation, mask
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        actor = batch.actors.item()
        self.agent_selection = self._observer = self._names[max(actor, 0)]
        if batch.eventful.item():
            self._pay_and_remove()
        if self._interface.flat:
            self._update_masks()
        if self._display.is_watched:
            self._display.show(self.game)

    def _update_masks(self) -> None:
        """Put each agent's mask into its info; the mask is empty unless the agent decides.

        The infos are new dictionaries, because callers keep the previous ones.
        """
        form = self._interface
        self.infos = {
            name: {**self.infos[name], "action_mask": np.zeros(form.num_actions, form.mask_dtype)}
            for name in self.agents
        }
        if self.agent_selection in self.infos and not self._is_out(self.agent_selection):
            self.infos[self.agent_selection]["action_mask"] = form.mask(self._mask.copy())

    def _is_out(self, agent: str) -> bool:
        """Return whether an agent is done and can only step with None."""
        try:
            return self.terminations[agent] or self.truncations[agent]
        except KeyError:
            fail("step", "no game is running; call reset()")

    def _number(self, action: object) -> int:
        """Return the id of an action."""
        if isinstance(action, str):
            number = self._number_of_text(action)
            if number is None and self._batch.kernel_config["illegal"][0] == RAISE:
                self._batch.refuse(0, action)
            return UNKNOWN if number is None else number
        if action is None:
            fail("action", "must be an id or text, not None; None is for agents that are out")
        return check_action("action", action)

    def _number_of_text(self, text: str) -> int | None:
        """Return the id of an action text; None if it is unknown or excluded by ``narrow``."""
        try:
            known = parse_action(text, self._seats[self.agent_selection], len(self._names))
        except NotAnAction:
            return None
        number = int(self._interface.numbers(np.array(known)))
        return None if number < 0 else number

    def _pay_and_remove(self) -> None:
        """Update rewards and agents after a reward, a bankruptcy or the end of the game."""
        batch = self._batch
        paid, out = batch.step_records["reward"][0], batch.games["out"][0]
        self.rewards = {name: float(paid[self._seats[name]]) for name in self.agents}
        self._accumulate_rewards()
        self._paid = True
        ended = batch.ended[0]
        if ended != RUNNING:
            flags = self.truncations if ended == TRUNCATED else self.terminations
            for name in self.agents:
                flags[name] = True
                self.infos[name] = self._result(name)
        elif self._immediate:
            for name in self.agents:
                if out[self._seats[name]] != 0:
                    self.terminations[name] = True
                    self.infos[name] = self._result(name)
        self._deads_step_first()

    def _result(self, agent: str) -> dict[str, Any]:
        """Return an agent's result; empty while it plays.

        The rank of a bankrupt agent is known before the game is over: nobody can fall behind it.
        """
        seat, game = self._seats[agent], self._batch.games[0]
        if self._batch.ended[0] != RUNNING:
            return self._batch.result(0, seat)
        out = game["out"][: len(self._names)]
        if not self._immediate or out[seat] == 0:
            return {}
        return {
            "rank": 1 + int(((out == 0) | (out > out[seat])).sum()),
            "win": 0.0,
            "turns": int(game["turns"]),
            "decisions": int(game["decisions"]),
        }

    # Observing

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation in new arrays; the mask is empty unless it decides."""
        if type(agent) is str and agent == self._observer:
            self._observer = None
            if self._as_written:
                return {"observation": self._observation, "action_mask": self._mask}
            return self._interface.shown(self._observation, self._mask)
        seat = self._seat_of(agent, "observe")
        self._check_begun("observe")
        return self._interface.shown(*self._batch.observe(0, seat, self._is_packed))

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, termination, truncation and info of ``agent_selection``.

        ``observe`` may be any true or false value, as in PettingZoo. Raises: InputError.
        """
        agent = self.agent_selection
        if agent not in self.terminations:
            fail("last", "no game is running; call reset()")
        wanted = observe is True or is_true("observe", observe)
        return (
            self.observe(agent) if wanted else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _seat_of(self, agent: object, method: str) -> int:
        """Return the seat of an agent that ``method`` is asked about. Raises: InputError."""
        if not isinstance(agent, str) or agent not in self._seats:
            if isinstance(agent, str) and agent == "":
                fail(method, "no game is running; call reset()")
            NoSuchItem.at("agent").fail(
                f"must be one of {', '.join(self._names)}, not {show(agent)}"
            )
        return self._seats[agent]

    def _check_begun(self, method: str) -> None:
        """Refuse queries before the first reset. Raises: InputError."""
        if not self._batch.seeded:
            fail(method, "no game is running; call reset()")

    def state(self) -> Arrays:
        """Return the complete public state: ``player_0``'s view, whose seat order is absolute."""
        self._check_begun("state")
        return self._interface.observation(self._batch.observe(0, 0, self._is_packed)[0])

    @property
    def game(self) -> Game:
        """A copy of the game, for inspection or search."""
        return self._batch.game(0)

    def render(self) -> str | Frame | None:
        """Return text or uint8[height, width, 3], by ``render_mode``; None for ``human``."""
        return self._display.render(self.game)

    def close(self) -> None:
        """Close the window, if any."""
        self._display.close()

    # Copies and saved states

    def carried(self) -> Iterator[tuple[str, object]]:
        """Yield the options that were given as objects rather than by name."""
        return self._batch.carried()

    @property
    def has_begun(self) -> bool:
        """Whether the environment has been reset."""
        return self._batch.seeded

    def clone_state(self) -> bytes:
        """Return the complete state as bytes: game, hidden information and agents, without options.

        Intended for search: it takes a few microseconds, and :meth:`restore_state` a few more.
        """
        batch = self._batch
        return batch.clone_state(kind=AEC, extra=self._agents_to_bytes() if batch.seeded else b"")

    def restore_state(self, state: object) -> None:
        """Restore a state of :meth:`clone_state` from an environment with the same options.

        Raises: InputError for bytes that are not a state, are damaged, or have other options; the
        environment is then unchanged.
        """
        extra = self._batch.restore_state(state, kind=AEC, accept=self._check_agents)
        if extra:
            self._agents_from_bytes(extra)
        else:  # before the first reset
            self.agents, self.agent_selection = list(self._names), ""
            self.infos, self.terminations = {}, {}
            for name in ("rewards", "_cumulative_rewards", "truncations", "_skip_agent_selection"):
                self.__dict__.pop(name, None)
        self._observer = None  # observations are written when they are read
        self._interface.check(self._batch.edition)
        if extra and self._interface.flat:
            _, self._mask = self._batch.observe(0, self._seats[self.agent_selection])
            self._update_masks()

    def _agents_to_bytes(self) -> bytes:
        """Return the agents, the selection and the rewards as bytes."""
        seats, agents = self._seats, self.agents
        over = sum(1 << seats[name] for name in agents if self.terminations[name])
        cut = sum(1 << seats[name] for name in agents if self.truncations[name])
        skipped = getattr(self, "_skip_agent_selection", None)
        rewards, sums = self.rewards, self._cumulative_rewards
        due = any(rewards.values()) or any(sums.values())
        data = AGENTS.pack(
            sum(1 << seats[name] for name in agents),
            over,
            cut,
            seats.get(self.agent_selection, NOBODY),
            NOBODY if skipped is None else seats[skipped],
            self._paid,
            due,
        )
        if due:
            values = [[paid.get(name, 0.0) for name in self._names] for paid in (rewards, sums)]
            unused = [0.0] * (PLAYERS - len(self._names))
            data += PAYMENTS.pack(*values[0], *unused, *values[1], *unused)
        return data

    def _check_agents(self, data: bytes, _games: int) -> None:
        """Check that bytes are the agents of a state; there are none before the first reset."""
        if not data:
            return
        rest = len(data) - AGENTS.size
        if rest in (0, PAYMENTS.size):
            _, _, _, selected, skipped, _, due = AGENTS.unpack_from(data)
            known = all(NOBODY <= seat < len(self._names) for seat in (selected, skipped))
            if known and bool(due) == (rest > 0):
                return
        fail("state", "is damaged: its agents do not fit; clone the state again")

    def _agents_from_bytes(self, data: bytes) -> None:
        """Restore the agents from the bytes of :meth:`_agents_to_bytes`."""
        left, over, cut, selected, skipped, paid, due = AGENTS.unpack_from(data)
        payments = PAYMENTS.unpack_from(data, AGENTS.size) if due else (0.0,) * (2 * PLAYERS)
        seats = self._seats
        self.agents = agents = [name for name in self._names if left >> seats[name] & 1]
        self.terminations = {name: bool(over >> seats[name] & 1) for name in agents}
        self.truncations = {name: bool(cut >> seats[name] & 1) for name in agents}
        self.rewards = {name: payments[seats[name]] for name in agents}
        self._cumulative_rewards = {name: payments[PLAYERS + seats[name]] for name in agents}
        # No decision comes between an agent's end and its last step: infos are those of the position
        self.infos = {name: self._result(name) for name in agents}
        self.agent_selection = self._names[selected] if selected != NOBODY else ""
        self._skip_agent_selection = self._names[skipped] if skipped != NOBODY else None
        self._paid = bool(paid)


raw_env = MonopolyEnv  # PettingZoo's name for an environment without wrappers
