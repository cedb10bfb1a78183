"""Many games of Monopoly stepped in one compiled call: Gymnasium's vector interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

import gymnasium
import gymnasium.vector
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import EzPickle
from gymnasium.vector.utils import batch_space

from monopoly_env.editions import Edition
from monopoly_env.encoding.observation import OBSERVATION_SIZE
from monopoly_env.encoding.row_cache import new_shown
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.envs._constructor import takes
from monopoly_env.envs._thread_pool import ThreadPool
from monopoly_env.envs.checks import check_render_mode, check_whole, check_word, fail
from monopoly_env.envs.config import EnvConfig
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.envs.options import VectorOptions
from monopoly_env.envs.seating import find_opponents, seat_learner
from monopoly_env.envs.spaces import FORMS, Arrays, Observation, observation_space
from monopoly_env.envs.step_codes import RESET, RUNNING, SKIP, STUCK, TERMINATED, TRUNCATED
from monopoly_env.errors import show
from monopoly_env.game import Game, IllegalAction
from monopoly_env.seeds import check_seed

Step = tuple[Observation, Arrays, Arrays, Arrays, dict[str, Any]]
SAME_STEP = getattr(getattr(gymnasium.vector, "AutoresetMode", None), "SAME_STEP", "SameStep")


class VectorEnv(gymnasium.vector.VectorEnv[Observation, Arrays, Arrays], EzPickle):
    """``num_envs`` games, stepped together in place; finished ones begin anew in the same step.

    An observation is overwritten by the step after the next one (``buffers``); rewards and flags
    are new arrays. ``infos`` has the masks, and, when games ended, ``final_obs`` and ``final_info``.

    With ``seats="one"`` each game has one learner among bots, as in
    :class:`monopoly_env.envs.single.SingleSeatEnv`. With ``seats="all"`` every decision of every
    seat is asked for: ``infos["actor"]`` says whose it is, the observation is the actor's, and
    rewards are float32[num_envs, num_players]: each seat's share, paid when it decides again or
    when the game ends. ``final_obs`` is then as whoever acted last sees it.

    Options are those of :class:`monopoly_env.envs.single.SingleSeatEnv`, and some more; all bots
    must be compiled, and lone legal actions happen unasked by default.

    Attributes:
        batch: the games as arrays, for whoever goes without flags and infos; see :meth:`advance`.
    """

    metadata = {"autoreset_mode": SAME_STEP, "render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium's

    @takes(VectorOptions)
    def __init__(self, options: VectorOptions) -> None:
        check_word("observation", options.observation, FORMS)
        check_word("seats", options.seats, ("one", "all"))
        check_word("elimination", options.elimination, ("immediate", "end"))
        check_render_mode(options.render_mode)
        self.render_mode = options.render_mode
        self.num_envs = check_whole("num_envs", options.num_envs, 1, 1 << 20)
        self._flat = options.observation == "flat"
        self._every_seat = options.seats == "all"
        config = self._config(options)
        self.batch = GameBatch(config, self.num_envs, autoreset=True)
        threads = check_whole("threads", options.threads, 1, 256)
        self._threads = ThreadPool(threads, self.num_envs)
        buffers = check_whole("buffers", options.buffers, 1, 8)
        self._buffers = [Buffer(self.num_envs) for _ in range(buffers)]
        self._current = 0  # the buffer in use
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.single_observation_space = observation_space(options.observation)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def _config(self, options: VectorOptions) -> EnvConfig:
        """Who plays what."""
        if self._every_seat and (options.opponents is not None or options.pool is not None):
            fail("seats", "all of them are asked for; leave opponents and pool out")
        bots, players = find_opponents(options)
        config = EnvConfig(options.table(players))
        if self._every_seat:
            config.seat_everyone(options.elimination)
            return config
        for agent in seat_learner(config, options, bots).values():
            fail("opponents", f"{show(agent)} is not compiled; only single environments ask it")
        return config

    # Playing

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | Arrays | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin new games. A seed, or one a game; without one the games go on from the last ones.

        ``options={"position": …}``: these games and all that follow them begin there.
        ``options={"reset_mask": …}``, bool[num_envs]: the other games go on.
        """
        options = dict(options or {})
        chosen = self._chosen(options)
        seeds = self._seeds(seed)
        super().reset(seed=int(seeds) if isinstance(seeds, int) else None)
        batch = self.batch
        if chosen.all():
            batch.start(options, seeds is not None)
            batch.seed(seeds)
        elif not batch.seeded or seeds is not None or options:
            fail("reset_mask", "goes without seeds and positions, after a whole reset")
        batch.action[:] = np.where(chosen, RESET, SKIP)
        self._play()
        return self.observations, self._info()

    def step(self, actions: Arrays) -> Step:
        """Take one action a game. Raises IllegalAction that names the game; nothing is stepped."""
        some_ended = self.advance(actions)
        batch = self.batch
        ended = batch.ended.copy()
        reward = batch.learner_rewards
        if self._every_seat:
            reward = batch.step_records["reward"][:, : batch.config.players]
        infos = self._info()
        if some_ended:
            infos |= self._final(ended)
        return (
            self.observations,
            reward.astype(np.float32),
            ended == TERMINATED,
            ended == TRUNCATED,
            infos,
        )

    def advance(self, actions: Arrays) -> bool:
        """Take one action a game, without flags and infos, which take as long as the games.

        What came of it is in :attr:`batch` (``learner_rewards``, ``ended``, ``actors``,
        ``results()``), :attr:`observations`, :attr:`final_observations` and
        :meth:`action_masks`. Returns whether any game ended.

        Raises: IllegalAction that names the game; nothing is stepped then.
        """
        batch = self.batch
        if not batch.seeded:
            fail("step", "no game is on; call reset()")
        batch.action[:] = self._checked(actions, self.num_envs)
        if batch.action.min() < 0:
            self._refuse(int(batch.action.argmin()))
        before, self._current = self._current, (self._current + 1) % len(self._buffers)
        try:
            return self._play()
        except IllegalAction:
            self._current = before
            raise

    def advance_rows(self, rows: npt.NDArray[np.intp], actions: Arrays) -> bool:
        """Take one action in each of the games at ``rows``; the others stand still.

        That is for seats whose decisions are taken outside (:meth:`GameBatch.add_external_opponent`)
        between two decisions of the learners. Otherwise as :meth:`advance`; the arrays of the step
        before are overwritten.
        """
        given = self._checked(actions, len(rows))
        self.batch.action[:] = SKIP
        self.batch.action[rows] = given
        if len(rows) and given.min() < 0:
            self._refuse(int(rows[given.argmin()]))
        return self._play()

    def _checked(self, actions: object, n: int) -> Arrays:
        """The actions as an array of ``n`` whole numbers."""
        given = np.asarray(actions)
        if given.shape != (n,) or given.dtype.kind not in "iu":
            fail("actions", f"must be whole numbers of shape ({n},), not {show(actions)}")
        return given

    def _play(self) -> bool:
        """Step all games; whether any ended."""
        batch, buffer = self.batch, self._buffers[self._current]
        if buffer.edition is not batch.edition:
            buffer.shown["filled"] = 0
        if self._threads.workers is None:
            legal = batch.play(*buffer.arrays)
        else:
            legal = batch.first_illegal() < 0
            if legal:
                self._threads.run(partial(batch.play, *buffer.arrays))
        if not legal:
            self._refuse(batch.first_illegal())
        buffer.edition = batch.edition
        worst = batch.ended.max()
        if worst == STUCK:
            batch.check_stuck()
        return bool(worst != RUNNING)

    def _refuse(self, index: int) -> NoReturn:
        """Raise the error for the action of one game."""
        try:
            self.batch.refuse(index, int(self.batch.action[index]))
        except IllegalAction as problem:
            text = f"game {index}: {problem}"
            raise IllegalAction(problem.action, problem.reason, text) from None

    def _seeds(self, seed: object) -> int | Arrays | None:
        """One seed, or one a game."""
        if seed is None or isinstance(seed, int | np.integer):
            return None if seed is None else check_seed(seed)
        if not isinstance(seed, Sequence | np.ndarray) or len(seed) != self.num_envs:
            fail("seed", f"must be a whole number, or {self.num_envs} of them, not {show(seed)}")
        return np.array([check_seed(one) for one in seed], np.int64)

    def _chosen(self, options: dict[str, Any]) -> npt.NDArray[np.bool_]:
        """The games to reset; takes ``reset_mask`` out of the options."""
        mask = options.pop("reset_mask", None)
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        chosen = np.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            fail("reset_mask", f"must be bool[{self.num_envs}], not {show(mask)}")
        return chosen

    # Looking

    @property
    def observations(self) -> Observation:
        """What is observed now, in the form of ``observation_space``: the buffer itself."""
        buffer = self._buffers[self._current]
        if self._flat:
            return buffer.now
        return {"observation": buffer.now, "action_mask": buffer.mask}

    @property
    def final_observations(self) -> npt.NDArray[np.float32]:
        """The last observations of games that ended in the last step; others' rows hold anything.

        float32[num_envs, n]: the buffer itself.
        """
        return self._buffers[self._current].final

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, bool[num_envs, n]: the buffer itself."""
        return self._buffers[self._current].legal

    def sample_actions(self, key: int = 0) -> npt.NDArray[np.int64]:
        """A random legal action for each game, int64[num_envs]; the same state and key, the same."""
        return self.batch.sample_actions(key)

    @property
    def actors(self) -> npt.NDArray[np.int8]:
        """Who decides in each game, a seat."""
        return self.batch.actors.copy()

    @property
    def game_seeds(self) -> npt.NDArray[np.int64]:
        """The seed of each game being played: ``Game(seed=…)`` deals and throws the same."""
        return self.batch.game_seeds.copy()

    def game(self, index: int) -> Game:
        """A copy of one of the games, to look at or to search in."""
        return self.batch.game(index)

    def render(self) -> tuple[str, ...] | None:  # type: ignore[override]  # text, no frames
        """The positions as text, if ``render_mode`` is ``ansi``."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() gives nothing without render_mode='ansi'")
            return None
        return tuple(str(self.game(index)) for index in range(self.num_envs))

    # Keeping

    def state_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """The games being played, to go on with later by :meth:`load_state_arrays`: arrays by name.

        Not in it: where new games begin (``options["position"]``) and the pool's weights.
        """
        return self.batch.state_arrays() | {"masks": self._buffers[self._current].mask.copy()}

    def load_state_arrays(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on where :meth:`state_arrays` was taken, of an environment of the same making.

        Raises: ValueError for arrays of another size.
        """
        self.batch.load_state_arrays(state)
        buffer = self._buffers[self._current]
        buffer.mask[:] = state["masks"]
        buffer.now[:] = self.batch.observations()
        buffer.shown["filled"] = 0  # to be written in full by the next step

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays that are kept for the games."""
        return self.batch.nbytes + sum(b.nbytes for buffer in self._buffers for b in buffer.arrays)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002 - Gymnasium's signature
        """Let the threads go."""
        threads = getattr(self, "_threads", None)  # Gymnasium closes what was never made, too
        if threads is not None:
            threads.close()

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {}
        if self._flat:
            info["action_mask"] = self._buffers[self._current].mask
        if self._every_seat:
            info["actor"] = self.actors
        return info

    def _final(self, ended: npt.NDArray[np.int8]) -> dict[str, Any]:
        """How the games that ended went, in Gymnasium's form."""
        done = ended != RUNNING
        index = np.flatnonzero(done)
        observations = np.full(self.num_envs, None, object)
        for game in index:
            last = self.final_observations[game].copy()
            observations[game] = last if self._flat else _without_actions(last)
        facts = self.batch.results(index, self._every_seat)
        info: dict[str, Any] = {}
        for name, values in facts.items():
            info[name] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            info[name][index] = values
            info[f"_{name}"] = done
        return {
            "final_obs": observations,
            "_final_obs": done,
            "final_info": info,
            "_final_info": done,
        }


def _without_actions(observation: npt.NDArray[np.float32]) -> dict[str, Arrays]:
    return {"observation": observation, "action_mask": np.zeros(N_ACTIONS, np.int8)}


class Buffer:
    """Room for one step of all games: observations, the last ones of ended games, masks."""

    def __init__(self, n: int) -> None:
        self.observations = np.zeros(2 * n * OBSERVATION_SIZE, np.float32)  # now, then final
        self.shown = new_shown(n)
        self.masks = np.zeros(n * N_ACTIONS, np.int8)
        rows = self.observations.reshape(2 * n, OBSERVATION_SIZE)
        self.now, self.final = rows[:n], rows[n:]
        self.mask = self.masks.reshape(n, N_ACTIONS)
        self.legal = self.mask.view(np.bool_)
        self.arrays = (self.observations, self.masks, self.shown)
        self.edition: Edition | None = None  # whose rules every row shows
