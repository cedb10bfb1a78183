"""Gymnasium's vector interface: many games, stepped in one compiled call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

import gymnasium
import gymnasium.vector
import numpy as np
import numpy.typing as npt
from gymnasium.utils import EzPickle
from gymnasium.vector.utils import batch_space

from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.state import Int64s
from monopoly_env.engine.why import Why
from monopoly_env.envs._aligned import aligned_copy
from monopoly_env.envs._buffer import Buffer
from monopoly_env.envs._constructor import takes
from monopoly_env.envs._copies import ExactCopies
from monopoly_env.envs._display import FRAMES_PER_SECOND, MODES, Display, Frame
from monopoly_env.envs._saved_state import VECTOR, check_rows
from monopoly_env.envs._thread_pool import ThreadPool
from monopoly_env.envs.autoreset import AutoresetMode, check_autoreset_mode
from monopoly_env.envs.checks import (
    check_actions,
    check_flag,
    check_games,
    check_list,
    check_mask,
    check_options,
    check_whole,
    check_word,
    describe,
    fail,
    items_of,
    read_only,
)
from monopoly_env.envs.config import EnvConfig
from monopoly_env.envs.game_batch import GameBatch, check_arrays, spread_seed
from monopoly_env.envs.options import VectorOptions
from monopoly_env.envs.seating import find_opponents, seat_learner
from monopoly_env.envs.spaces import Arrays, HasInterface, Interface, Observation
from monopoly_env.envs.step_codes import PLAY, RESET, RUNNING, SKIP, STUCK, TERMINATED, TRUNCATED
from monopoly_env.errors import InputError, show
from monopoly_env.game import Game, IllegalAction
from monopoly_env.integers import as_array, as_int
from monopoly_env.seeds import check_seed

MOST_ENVS = 1 << 20
FEW = 8  # games that an error message lists
Step = tuple[Observation, Arrays, Arrays, Arrays, dict[str, Any]]


class VectorEnv(
    ExactCopies, HasInterface, gymnasium.vector.VectorEnv[Observation, Arrays, Arrays], EzPickle
):
    """A vectorized environment with ``num_envs`` games.

    Observations and masks belong to the caller. With ``copy=False`` they are read-only views that
    the step after the next overwrites (``buffers``). ``infos`` contains the masks, and, when games
    ended, ``final_obs`` and ``final_info``. By default, finished games restart in the same step
    (``autoreset_mode``).

    With ``seats="one"``, each game has one learner against bots, as in
    :class:`monopoly_env.envs.single.SingleSeatEnv`. With ``seats="all"``, the caller decides for
    every seat: ``infos["actor"]`` is the deciding seat, the observation is the actor's, and rewards
    are float32[num_envs, num_players], paid when a seat decides again or the game ends.
    ``final_obs`` is then the view of the player who acted last.

    The options are those of :class:`monopoly_env.envs.single.SingleSeatEnv` and a few more. All
    bots must be compiled, and single legal actions are played automatically by default.

    >>> envs = VectorEnv(4, opponents=["random", "fixed_a", "fixed_b"])
    >>> observations, infos = envs.reset(seed=7)
    >>> observations.shape, infos["action_mask"].shape
    ((4, 1365), (4, 342))
    >>> for _ in range(100):
    ...     actions = infos["action_mask"].argmax(axis=1)
    ...     observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> rewards.shape, str(rewards.dtype), bool(infos["action_mask"].any(axis=1).all())
    ((4,), 'float32', True)

    Attributes:
        autoreset_mode: when finished games restart, as in ``metadata``.
        copy: whether observations and masks are copies.
        batch: the games as arrays, for training code without flags and infos; see :meth:`advance`.
            It uses action ids and complete observations, regardless of ``narrow``.
    """

    metadata = {  # noqa: RUF012 - Gymnasium's interface
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": list(MODES),
        "render_fps": FRAMES_PER_SECOND,
    }

    @takes(VectorOptions)
    def __init__(self, options: VectorOptions) -> None:
        check_word("seats", options.seats, ("one", "all"))
        check_word("elimination", options.elimination, ("immediate", "end"))
        self.render_mode = options.render_mode
        self._display = Display(options.render_mode, options.render_size, options.render_theme)
        self.num_envs = check_whole("num_envs", options.num_envs, 1, MOST_ENVS)
        self.copy = check_flag("copy", options.copy)
        self.autoreset_mode = check_autoreset_mode(options.autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self._same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        self._over = np.zeros(self.num_envs, np.bool_)  # ended games that have not restarted
        self._last_actors = np.zeros(self.num_envs, np.int8)  # of those games
        self._every_seat = options.seats == "all"
        config = self._config(options)
        config.set_illegal_action(options.illegal_action)
        self.batch = GameBatch(config, self.num_envs, autoreset=self._same_step)
        self._interface = Interface(options, config.editions, config.players)
        threads = check_whole("threads", options.threads, 1, 256)
        self._threads = ThreadPool(threads, self.num_envs)
        buffers = check_whole("buffers", options.buffers, 1, 8)
        self._buffers = [Buffer(self.num_envs, self._interface.packed) for _ in range(buffers)]
        self._current = 0  # the buffer in use
        self.single_action_space = self._interface.action_space()
        self.single_observation_space = self._interface.observation_space()
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)

    def _config(self, options: VectorOptions) -> EnvConfig:
        """Return the configuration: learner, opponents and options."""
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
        """Start new games, from one seed or one per game; without a seed, the sequence continues.

        ``options={"position": …}`` sets the starting position of these and all later games,
        ``options={"positions": […]}`` one for each game. ``options={"reset_mask": …}``,
        bool[num_envs], resets only some games.
        """
        options = check_options(options)
        mask = options.pop("reset_mask", None)
        seeds, seeded = self._seeds(seed)
        batch = self.batch
        rows = None
        if mask is not None:
            rows = np.flatnonzero(check_mask("reset_mask", mask, self.num_envs))
            if len(rows) < self.num_envs and not batch.seeded:
                fail("reset_mask", "leaves games that never began; reset all of them first")
        self._begin(rows, seeds, seeded, options)
        super().reset(seed=int(seeds[0]) if seeds is not None and seeded.all() else None)
        return self.observations, self._info()

    def _begin(
        self,
        rows: Int64s | None,
        seeds: Int64s | None,
        seeded: npt.NDArray[np.bool_],
        options: dict[str, Any],
    ) -> None:
        """Begin new games in these slots, or in all of them (None).

        If other games continue and no new game reaches a decision, the slots are restored.
        """
        batch = self.batch
        chosen = np.arange(self.num_envs) if rows is None else rows
        before = batch.clone_state(chosen) if len(chosen) < self.num_envs else None
        batch.start(options, seeded, rows, self._interface.check)
        batch.seed(None)
        if seeds is not None:
            batch.seed(seeds, chosen[seeded[chosen]])
        batch.command[:] = SKIP
        batch.command[chosen] = RESET
        try:
            self._play()
        except InputError:
            if before is not None:
                batch.restore_state(before, chosen)
                self._observe(chosen)
            raise
        finally:
            batch.command[:] = PLAY
        self._over[chosen] = False
        if self._display.is_watched:
            self._display.show(self.game(0))

    def step(self, actions: Arrays) -> Step:
        """Play one action per game, int[num_envs].

        Raises: IllegalAction with the index of the game for an illegal action, and for a number
        that is not an action, unless ``illegal_action`` says otherwise; InputError for anything but
        integers. In all these cases no game is stepped.
        """
        some_ended = self.advance(actions)
        batch = self.batch
        ended = batch.ended.copy()
        reward = batch.learner_rewards
        if self._every_seat:
            reward = batch.step_records["reward"][:, : batch.config.players]
        infos = self._info()
        if some_ended:
            infos |= self._final(ended)
        if self._display.is_watched:
            self._display.show(self.game(0))
        return (
            self.observations,
            reward.astype(np.float32),
            ended == TERMINATED,
            ended == TRUNCATED,
            infos,
        )

    def advance(self, actions: Arrays) -> bool:
        """Play one action per game, without flags and infos, which take as long as the games.

        The results are in :attr:`batch` (``learner_rewards``, ``ended``, ``actors``,
        ``results()``), :attr:`observations`, :attr:`final_observations` and :meth:`action_masks`.
        Returns whether any game ended.

        Raises: IllegalAction with the index of the game; no game is stepped then.
        """
        batch = self.batch
        if not batch.seeded:
            fail("step", "no game is running; call reset()")
        batch.action[:] = self._interface.ids(check_actions("actions", actions, self.num_envs))
        if not self._same_step and self._over.any():
            self._begin_or_refuse()
        actors = batch.actors if self._same_step else batch.actors.copy()
        before, self._current = self._current, (self._current + 1) % len(self._buffers)
        try:
            ended = self._play(actions)
        except IllegalAction:
            self._current = before
            batch.command[:] = PLAY
            raise
        except KeyboardInterrupt:  # may come before or after the games were stepped
            self._over = ~batch.episodes["bits"].any(axis=1)  # over: nothing is legal
            raise
        if not self._same_step:
            self._over[:] = False  # those that were over have begun anew
            self._stop(actors)
        return ended

    def advance_rows(self, rows: npt.NDArray[np.intp], actions: Arrays) -> bool:
        """Play one action id in each of the games at ``rows``; the other games do not move.

        Use it for external opponents (:meth:`GameBatch.add_external_opponent`), which decide
        between two decisions of the learners. Otherwise like :meth:`advance`; the arrays of the
        previous step are overwritten.
        """
        batch = self.batch
        if not batch.seeded:
            fail("advance_rows", "no game is running; call reset()")
        chosen = check_games("rows", rows, self.num_envs)
        batch.action[chosen] = check_actions("actions", actions, len(chosen))
        actors = batch.actors.copy()
        batch.command[:] = SKIP
        batch.command[chosen] = PLAY
        try:
            ended = self._play(actions, chosen)
        finally:
            batch.command[:] = PLAY
        if not self._same_step:
            self._stop(actors)
        return ended

    def _begin_or_refuse(self) -> None:
        """Restart games that are over, or raise an error if only reset() may restart them."""
        if self.autoreset_mode == AutoresetMode.DISABLED:
            over = ", ".join(map(str, np.flatnonzero(self._over)[:FEW].tolist()))
            which = f"games {over} are" if "," in over else f"game {over} is"
            fail("step", f"{which} over; call reset(options={{'reset_mask': …}}) first")
        self.batch.command[self._over] = RESET

    def _play(self, actions: Any = None, rows: npt.NDArray[np.intp] | None = None) -> bool:
        """Step all games; return whether any ended. ``actions`` are the caller's, for errors."""
        batch, buffer = self.batch, self._buffers[self._current]
        if buffer.edition is not batch.edition:
            buffer.shown["filled"] = 0
        if self._threads.workers is None:
            legal = batch.play(*buffer.arrays, packed=buffer.packed)
        else:
            legal = batch.first_illegal() < 0
            if legal:
                self._threads.run(partial(batch.play, *buffer.arrays, packed=buffer.packed))
        if not legal:
            index = batch.first_illegal()
            place = index if rows is None else int(np.flatnonzero(rows == index)[0])
            self._refuse(index, place, as_int(actions[place]), are_ids=rows is not None)
        buffer.edition = batch.edition
        worst = batch.ended.max()
        if worst == STUCK:
            batch.check_stuck()
        return bool(worst != RUNNING)

    def _stop(self, actors: npt.NDArray[np.int8]) -> None:
        """Record the games that ended; with all seats, show the end as the last actor sees it.

        ``actors`` decided before the step.
        """
        batch, buffer = self.batch, self._buffers[self._current]
        ended = batch.ended != RUNNING
        self._over |= ended
        self._last_actors = np.where(ended, actors, self._last_actors)
        if self._every_seat:
            for index in np.flatnonzero(ended).tolist():
                buffer.now[index] = self._seen_by(index, int(actors[index]))
                buffer.shown["filled"][index] = 0

    def _seen_by(self, index: int, seat: int) -> Arrays:
        """Return a seat's observation in one game, as a new array."""
        row: Arrays = self.batch.observe(index, seat, self._interface.packed)[0]
        return row

    def _refuse(self, index: int, place: int, number: int | None, are_ids: bool) -> NoReturn:
        """Raise the error for the action of one game, at index ``place`` of those given."""
        try:
            self.batch.refuse(index, number if are_ids else self._interface.refused(number))
        except IllegalAction as problem:
            where = f"actions[{place}]: " if problem.reason is Why.NO_SUCH_ACTION else ""
            text = f"game {index}: {where}{problem}"
            raise IllegalAction(text, problem.action, problem.reason) from None

    def _seeds(self, seed: object) -> tuple[Int64s | None, npt.NDArray[np.bool_]]:
        """Return the seeds, int64[num_envs] or None, and which games have one, bool[num_envs].

        In a list, None means that a game has no seed.
        """
        n = self.num_envs
        if seed is None:
            return None, np.zeros(n, np.bool_)
        if as_int(seed) is not None or isinstance(seed, bool):
            return spread_seed(check_seed(seed), n), np.ones(n, np.bool_)
        array = as_array(seed)
        plain = None if isinstance(seed, str | bytes | bytearray) else items_of(seed)
        given = plain if array is None or array.ndim == 0 else list(array)
        if given is None or len(given) != n:
            fail("seed", f"must be a whole number, or {n} of them, not {describe(seed)}")
        seeded = np.array([one is not None for one in given], np.bool_)
        seeds = [0 if one is None else check_seed(one) for one in given]
        return np.array(seeds, np.int64), seeded

    # Observing

    @property
    def observations(self) -> Observation:
        """The current observations, in the form of ``observation_space``; see ``copy``."""
        buffer = self._buffers[self._current]
        now: Arrays = self._returned(buffer.now, self._interface.observation)
        if self._interface.flat:
            return now
        return {"observation": now, "action_mask": self._masks()}

    @property
    def final_observations(self) -> Arrays:
        """The last observations of games that ended in the last step; other rows are undefined.

        float32[num_envs, n] or uint8[num_envs, PACKED_SIZE]; see ``copy``.
        """
        return self._returned(self._buffers[self._current].final, self._interface.observation)

    def final_observations_of(self, rows: Int64s) -> Arrays:
        """Return the final observations of the games at ``rows``, in a new array."""
        return self._interface.observation(self._buffers[self._current].final[rows])

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the action masks, bool[num_envs, n]; see ``copy``."""
        return self._returned(self._buffers[self._current].legal, self._interface.legal)

    def _masks(self) -> Arrays:
        """Return the masks in the form of infos and observations."""
        return self._returned(self._buffers[self._current].mask, self._interface.mask)

    def _returned(self, array: Arrays, form: Callable[[Arrays], Arrays]) -> Arrays:
        """Return a buffer's array in the caller's form: a copy, or a read-only view."""
        shown = form(array)
        if shown is not array:
            return shown  # already a new array
        return aligned_copy(array) if self.copy else read_only(array)

    def sample_actions(self, key: int = 0) -> npt.NDArray[np.int64]:
        """Draw a random legal action per game, int64[num_envs], from ``key`` and the state."""
        return self._interface.numbers(self.batch.sample_actions(key))

    @property
    def actors(self) -> npt.NDArray[np.int8]:
        """The deciding seat of each game, int8[num_envs]."""
        return self.batch.actors.copy()

    @property
    def game_seeds(self) -> npt.NDArray[np.int64]:
        """The seeds of the current games, as for ``Game(seed=…)``."""
        return self.batch.game_seeds.copy()

    def game(self, index: int) -> Game:
        """Return a copy of one of the games, for inspection or search."""
        return self.batch.game(index)

    def render(self) -> tuple[str | Frame | None, ...] | None:  # type: ignore[override]
        """Return a tuple of texts or uint8[height, width, 3]; ``human`` shows the first game."""
        if self.render_mode in (None, "human"):
            self._display.render(self.game(0))
            return None
        return tuple(self._display.render(self.game(index)) for index in range(self.num_envs))

    def get_games(self, indices: object = None) -> list[Game]:
        """Return copies of the games, or of those at ``indices`` (numbers or a mask)."""
        return [self.game(index) for index in check_rows(indices, self.num_envs).tolist()]

    def set_games(
        self, games: Sequence[Game], indices: object = None, *, seed: Any = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start new episodes at these positions, one per slot; the other games continue.

        ``indices`` are the slots: numbers or a mask. Positions are Games, which continue exactly,
        or values for ``options["position"]``; with a seed, hidden information is redrawn from it.
        Seats and opponents are drawn as for any episode. Returns what :meth:`reset` returns.

        Raises: InputError with the index of the position.
        """
        rows = check_rows(indices, self.num_envs)
        if len(rows) < self.num_envs and not self.batch.seeded:
            fail("indices", "leave games that never began; reset all of them first")
        positions = check_list("games", games, "positions, one a table")
        self._begin(rows, *self._seeds(seed), {"positions": positions})
        return self.observations, self._info()

    # Copies and saved states

    def carried(self) -> Iterator[tuple[str, object]]:
        """Yield the options that were given as objects rather than by name."""
        return self.batch.carried()

    def clone_state(self, indices: object = None) -> bytes:
        """Return the complete state of the games, or of those at ``indices``, as bytes.

        It includes hidden information, seats, the bots' memory, rewards, and the sequence of
        next games. A state of all games also has the pool's weights.
        """
        rows = check_rows(indices, self.num_envs)
        extra = b"" if self._same_step else self._over_actors()[rows].tobytes()
        return self.batch.clone_state(None if indices is None else rows, kind=VECTOR, extra=extra)

    def restore_state(
        self, state: object, indices: object = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Restore a state of :meth:`clone_state` from an environment with the same options.

        ``indices`` are the slots for the games of the state, in order; the state of one game fits
        any number of slots. The other games continue. Returns what :meth:`reset` returns;
        ``num_envs``, ``threads`` and ``buffers`` may differ.

        Raises: InputError for bytes that are not a state, are damaged, or have other options; the
        environment is then unchanged.
        """
        rows = check_rows(indices, self.num_envs)
        chosen = None if indices is None else rows
        extra = self.batch.restore_state(state, chosen, kind=VECTOR, accept=self._check_over)
        self._interface.check(self.batch.edition)
        if not self._same_step:
            self._set_over(rows, np.frombuffer(extra, np.int8))
        self._observe(rows)
        return self.observations, self._info()

    def _over_actors(self) -> npt.NDArray[np.int8]:
        """Return who acted last in games that are over, int8[num_envs]; NOBODY in other games."""
        actors = np.where(self._over, np.maximum(self._last_actors, 0), NOBODY)
        return actors.astype(np.int8)

    def _check_over(self, last_actors: bytes, games: int) -> None:
        """Check that bytes are the last actors of so many games; none with automatic resets."""
        seats = np.frombuffer(last_actors, np.int8)
        known = (seats >= NOBODY) & (seats < self.batch.config.players)
        if len(seats) != (0 if self._same_step else games) or not known.all():
            fail("state", "is damaged: the last actors of its games do not fit; take it again")

    def _set_over(self, rows: Any, last_actors: npt.NDArray[np.int8]) -> None:
        """Set which of these games are over, and who acted last in them."""
        self._last_actors = self._last_actors.copy()
        self._last_actors[rows] = last_actors
        self._over[rows] = self._last_actors[rows] != NOBODY

    def _observe(self, rows: Any) -> None:
        """Write the observations and masks of these slots again."""
        buffer = self._buffers[self._current]
        self.batch.observe_learners(rows, buffer.observations, buffer.mask, buffer.packed)
        for index in rows[self._over[rows]].tolist() if self._every_seat else ():
            buffer.now[index] = self._seen_by(index, int(self._last_actors[index]))
        buffer.shown["filled"][rows] = 0  # the next step writes these rows in full
        if len(rows) == self.num_envs:
            buffer.edition = self.batch.edition

    def state_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return a checkpoint of the games for :meth:`load_state_arrays`: arrays by name.

        It excludes the starting position (``options["position"]``) and the pool's weights.
        """
        state = self.batch.state_arrays() | {"masks": self._buffers[self._current].mask.copy()}
        return state if self._same_step else state | {"last_actors": self._over_actors()}

    def load_state_arrays(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Restore a checkpoint of :meth:`state_arrays` from an environment with the same options.

        Raises: InputError for a wrong mapping or size; the environment is then unchanged.
        """
        rows, mask = np.arange(self.num_envs), self._buffers[self._current].mask
        sizes = {"masks": mask.nbytes}
        if not self._same_step:
            sizes["last_actors"] = self.num_envs
        checked = check_arrays(state, sizes)
        if not self._same_step:
            self._check_over(checked["last_actors"].tobytes(), self.num_envs)
        self.batch.load_state_arrays(state)
        if not self._same_step:
            self._set_over(rows, checked["last_actors"].view(np.int8))
        self._observe(rows)
        mask[:] = checked["masks"].view(np.int8).reshape(mask.shape)

    @property
    def nbytes(self) -> int:
        """The size of all arrays of the games in bytes."""
        return self.batch.nbytes + sum(buffer.nbytes for buffer in self._buffers)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002 - Gymnasium's signature
        """Stop the threads and close the window."""
        display = getattr(self, "_display", None)
        if display is not None:
            display.close()
        threads = getattr(self, "_threads", None)  # close() also runs if the constructor failed
        if threads is not None:
            threads.close()

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {}
        if self._interface.flat:
            info["action_mask"] = self._masks()
        if self._every_seat:
            info["actor"] = self.actors
        return info

    def _final(self, ended: npt.NDArray[np.int8]) -> dict[str, Any]:
        """Return the results of the games that ended, in the form of Gymnasium's autoreset mode."""
        done = ended != RUNNING
        index = np.flatnonzero(done)
        facts = self.batch.results(index, self._every_seat)
        info: dict[str, Any] = {}
        for name, values in facts.items():
            info[name] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            info[name][index] = values
            info[f"_{name}"] = done.copy()
        if not self._same_step:
            return info
        observations = np.full(self.num_envs, None, object)
        for game in index:
            last = self._buffers[self._current].final[game].copy()
            observations[game] = self._interface.shown(last, np.zeros(N_ACTIONS, np.int8))
        return {
            "final_obs": observations,
            "_final_obs": done,
            "final_info": info,
            "_final_info": done.copy(),
        }
