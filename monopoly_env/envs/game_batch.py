"""A batch of games with shared options, stored as the arrays that compiled code steps."""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.records import new_records
from monopoly_env.editions import Edition
from monopoly_env.encoding.observation import OBSERVATION_SIZE
from monopoly_env.encoding.packed import PACKED_SIZE, as_packed
from monopoly_env.encoding.row_cache import NOTHING_SHOWN
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import NOBODY, PLAYERS
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.state import Float32s, Float64s, Int8s, Int64s, new_games
from monopoly_env.envs import _call, _episodes, _kernel, _queries
from monopoly_env.envs._batch_state import (
    LAYOUT,
    clone_state,
    restore_state,
    state_blocks,
)
from monopoly_env.envs._copies import ExactCopies
from monopoly_env.envs._records import EPISODE, STEP_RECORD
from monopoly_env.envs._saved_state import BATCH, fill
from monopoly_env.envs._starts import Starts, check_rules, find_starts
from monopoly_env.envs._work_queue import NO_QUEUE
from monopoly_env.envs.checks import check_flag, check_options, check_whole, fail, items_of
from monopoly_env.envs.config import OUTSIDE, EnvConfig
from monopoly_env.envs.seating import check_weight
from monopoly_env.envs.step_codes import EXTERNAL, RESET, RUNNING, STUCK, TRUNCATED
from monopoly_env.errors import InputError, show
from monopoly_env.game import Game
from monopoly_env.integers import as_array
from monopoly_env.seeds import check_seed

SEED_BITS = 53  # of the seeds drawn here: any file format can hold them
OPTIONS = ("position", "positions", "edition")
RECORDS = ("games", "episodes", "step_records", "views")
COLUMNS = ("action", "command", "ended", "actors", "eventful", "seats", "learner_rewards")
HELD = frozenset((*RECORDS, *COLUMNS, "kernel_config", "arrays"))  # the kernel has addresses
NO_NUMBERS = np.empty(0, np.float32)  # in place of observations when packed rows are written
KEYS = (-(1 << 63), (1 << 63) - 1)  # int64


class GameBatch(ExactCopies):
    """``n`` games with shared options, stored as the arrays that compiled code steps.

    With ``autoreset``, a game that ends is followed by a new one in the same step. All arrays are
    written in place, so references to them stay valid. Set ``action`` and call :meth:`play`, or
    step a :class:`monopoly_env.envs.vector.VectorEnv` and read the results here.

    Attributes:
        config: the checked options; its ``bots`` are the names of the compiled policies by number.
        edition: the rules and names of the current games. If each game draws its edition, this is
            the first of them; :meth:`edition_of` returns a game's own.
        games: GAME records, one per game.
        episodes: EPISODE records: line-ups, rewards paid, results of the last games.
        step_records: STEP_RECORD records: the inputs and outputs of a step.
        views: VIEW records of shape (n, 8): the memory of each seat's policy.
        arrays: all of these, as the kernel takes them.
        calls: their addresses, for calls of the kernel.
        action: int64[n], the ids of the actions for the next step.
        command: int8[n], what the next step does: PLAY the action, RESET (begin a new game, once)
            or SKIP (leave the game alone until the command changes).
        ended: int8[n], how the last step left each game: RUNNING, TERMINATED, TRUNCATED or STUCK.
        actors: int8[n], the seat that decides next.
        eventful: int8[n], 1 after a reward, a bankruptcy, or the beginning or end of a game.
        seats: int8[n], the learner's seat; NOBODY if every seat is external.
        learner_rewards: float64[n], the learners' rewards of the last step.
    """

    def __init__(self, config: EnvConfig, n: int, autoreset: bool = False) -> None:
        self.config = config
        self.edition = config.edition
        self.n = n
        self.kernel_config = config.kernel_config
        self.kernel_config["autoreset"] = autoreset
        self.games = new_games(n)
        self.episodes = new_records(n, EPISODE)
        self.step_records = new_records(n, STEP_RECORD)
        self.views = new_views(n)
        self.starts = Starts(self.kernel_config, n)
        self.seeded = False
        self._name_columns()

    def _name_columns(self) -> None:
        """Create the attributes that are views of the records."""
        self.arrays = (self.games, self.episodes, self.kernel_config, self.step_records, self.views)
        self.blocks = state_blocks(self)
        self.fingerprint = b""  # what a state must match; computed on first use
        self.action: Int64s = self.step_records["action"]
        self.command: Int8s = self.step_records["command"]
        self.ended: Int8s = self.step_records["ended"]
        self.actors: Int8s = self.step_records["actor"]
        self.eventful: Int8s = self.step_records["eventful"]
        self.seats: Int8s = self.episodes["seat"]
        self.learner_rewards: Float64s = self.step_records["learner_reward"]
        self.calls = _call.Calls(self.arrays)

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse to replace arrays whose addresses the kernel has: it would not use the new ones.

        Raises: AttributeError.
        """
        if name in HELD and "calls" in self.__dict__ and value is not self.__dict__.get(name):
            raise AttributeError(
                f"{name} cannot be replaced: steps read and write the array that is there; "
                f"write into it, {name}[:] = …"
            )
        super().__setattr__(name, value)

    # Beginning games

    def seed(self, seed: int | Int64s | None, rows: Any = slice(None)) -> None:
        """Set the seeds of the next games, or of those at ``rows``, from one seed or int64[n].

        None continues the sequence of games, or draws a seed if there is none yet.
        """
        if seed is None:
            if self.seeded:
                return
            seed = secrets.randbits(SEED_BITS)
        seeds = seed if isinstance(seed, np.ndarray) else spread_seed(check_seed(seed), self.n)
        self.episodes["seed"][rows] = seeds[rows]
        self.episodes["begun"][rows] = 0
        self.seeded = True

    def start(
        self,
        options: Mapping[str, object] | None,
        seeded: Any,
        rows: Int64s | None = None,
        check: Callable[[Edition], None] = lambda _: None,
    ) -> None:
        """Set where the next games begin: at ``options["position"]``, or as new games.

        ``seeded``, bool or bool[n], says which games have a seed. ``rows`` selects the games that
        begin, in this order. If other games continue, all must have the same rules, and games
        without a position begin where they did before. ``check`` raises an error for an edition
        that does not fit the environment; nothing has changed then.
        """
        given = check_options(options)
        for key in given:
            _check_option(key)
        chosen = np.arange(self.n) if rows is None else rows
        whole = len(chosen) == self.n
        starts = find_starts(given, self.config, len(chosen))
        if starts:
            if not whole and self.draws_editions:
                fail("position", "games that go on draw their editions; reset all of them")
            check_rules(starts, starts[0].edition, "the first")
            if not whole:
                check_rules(starts, self.edition, "the games that go on")
        edition = starts[0].edition if starts else self.config.edition
        check(edition if whole else self.edition)
        if whole:
            self.starts.clear()
            self._set_edition(edition, drawn=not starts)
        if starts:
            seeds = np.array([one.seed for one in starts])
            if given.get("positions") is None:
                seeds = spread_seed(starts[0].seed, self.n)[chosen]
            exact = np.array([one.exact for one in starts])
            exact &= ~np.broadcast_to(seeded, self.n)[chosen]
            begun = self.episodes["begun"][chosen]
            self.starts.put(chosen, starts, np.where(exact, seeds, -1), begun)

    @property
    def draws_editions(self) -> bool:
        """Whether each game draws its edition from its seed."""
        return bool(self.kernel_config["board_count"][0])

    def edition_of(self, index: int) -> Edition:
        """Return the edition of the game at ``index``."""
        if not self.draws_editions:
            return self.edition
        return self.config.editions[int(self.episodes["board"][index])]

    def _set_edition(self, edition: Edition, drawn: bool) -> None:
        """Set the edition of all games, or let each game draw its own if ``drawn``."""
        if len(self.config.editions) > 1:
            if drawn:
                self.config.set_boards()
            else:
                self.config.use_one_edition()
            self.fingerprint = b""
        if edition is not self.edition:
            self.edition = edition
            self.kernel_config["rules"][0] = edition.rules[0]
            self.fingerprint = b""

    def begin_at(self, index: int, seed: int) -> None:
        """Begin the game with this seed at ``index`` in the next step.

        Raises: InputError; nothing has changed then.
        """
        index, seed = check_whole("index", index, 0, self.n - 1), check_seed(seed)
        self.seeded = True
        self.command[index] = RESET
        self.episodes["seed"][index] = seed
        self.episodes["begun"][index] = 0

    # Stepping

    def play(
        self,
        observations: Float32s,
        masks: Any,
        shown: Any = NOTHING_SHOWN,
        queue: Int64s = NO_QUEUE,
        thread: int = 0,
        packed: Any = None,
    ) -> bool:
        """Play ``action`` in all games in one call; return False, with no step, if one is illegal.

        See :func:`monopoly_env.envs._kernel.play_batch`.
        """
        address = self.calls.address(shown, queue)
        return _call.play_at(address, thread, observations, masks, packed)

    def begin(self, observations: Float32s, masks: Any, packed: Any = None) -> None:
        """Begin a new game in every slot."""
        self.command[:] = RESET
        self.play(observations, masks, packed=packed)
        self.check_stuck()

    def first_illegal(self) -> int:
        """Return the first game that refuses its ``action``; -1 if there is none."""
        return _kernel.first_illegal(
            self.games, self.episodes, self.kernel_config, self.step_records
        )

    def check_stuck(self) -> None:
        """Raise an error if no game reached an external decision."""
        if (self.ended == STUCK).any():
            names = ", ".join(self.config.options.decides or ())
            fail("decides", f"no game came to a decision in {names}; name more phases")

    def refuse(self, index: int, action: object) -> NoReturn:
        """Raise IllegalAction for an action that a game refuses."""
        self.game(index).play(action)  # type: ignore[arg-type]  # checks it
        fail("action", f"{show(action)} is not legal here")

    # Line-ups

    @property
    def bots(self) -> list[str]:
        """The names of the compiled bots, by their numbers in ``line_up``."""
        return self.config.bots

    @property
    def fallback_bot(self) -> str | None:
        """The bot that plays the learners' other phases; None if they decide everything."""
        if not self.config.options.needs_fallback:
            return None
        return self.bots[int(self.kernel_config["fallback"][0])]

    @property
    def pool_size(self) -> int:
        """The number of entries in the opponent pool; 0 without a pool."""
        return int(self.kernel_config["pool"][0])

    def set_pool_weights(self, weights: Sequence[float] | Float64s) -> None:
        """Set the weights with which opponents are drawn in games that begin from now on.

        One weight per pool entry, from 0 to 1e9, in the order of ``pool``; an external opponent, if
        any, is last.

        Raises: InputError; the weights are then unchanged.
        """
        array = as_array(weights)
        given = items_of(weights) if array is None else list(array) if array.ndim == 1 else None
        if given is None or len(given) != self.pool_size:
            fail(
                "weights",
                f"must be {self.pool_size} numbers, one a pool entry, not {show(weights)}",
            )
        numbers = np.array([check_weight("weights", one) for one in given])
        if not numbers.any():
            fail("weights", "must be more than 0 for one pool entry at least")
        self.kernel_config["chances"][0, : len(numbers)] = numbers.cumsum() / numbers.sum()

    def add_external_opponent(self) -> None:
        """Add an external opponent to the end of the pool: the caller plays its seats.

        Its weight is 0 until :meth:`set_pool_weights` changes that.
        """
        kernel_config, number = self.kernel_config[0], self.pool_size
        if number == 0 or kernel_config["whole"]:
            fail("pool", "must be single bots, for an external opponent beside them")
        if number == PLAYERS or kernel_config["policies"][-1]:
            fail("pool", f"more than {PLAYERS} different bots; name fewer")
        for column in (kernel_config["policies"], kernel_config["weights"]):
            column[number + 1 :] = column[number:-1].copy()
            column[number] = 0
        kernel_config["fallback"] += kernel_config["fallback"] >= number
        self.bots.insert(number, OUTSIDE)
        self.fingerprint = b""
        kernel_config["chances"][number - 1 :] = 1.0
        kernel_config["pool"] = number + 1

    def ask(self, address: int, views: Any, actions: Int64s) -> None:
        """Write the action of the compiled policy at ``address`` in each game into ``actions``.

        ``views`` (n, 8) holds its memory: :attr:`views`, or separate ones.
        """
        _queries.ask_everywhere(
            self.games, self.episodes, self.kernel_config, views, address, actions
        )

    # Observing

    @property
    def game_seeds(self) -> Int64s:
        """The seed of each current game; ``Game(seed=…)`` has the same rolls and cards."""
        seeds: Int64s = self.episodes["game_seed"]
        return seeds

    def potentials(self) -> Float64s:
        """Return each learner's potential at its last decision: float64[n], a new array."""
        potentials: Float64s = self.episodes["potential"][np.arange(self.n), self.seats]
        return potentials

    def observe(self, index: int, seat: int, packed: bool = False) -> tuple[Any, Int8s]:
        """Return a seat's observation and mask as new arrays; the mask is empty unless it decides.

        float32[OBSERVATION_SIZE], or with ``packed`` uint8[PACKED_SIZE]; int8[N_ACTIONS].
        """
        packed = check_flag("packed", packed)
        index = check_whole("index", index, 0, self.n - 1)
        seat = check_whole("seat", seat, 0, self.config.players - 1)
        mask = np.empty(N_ACTIONS, np.int8)
        arrays = (self.games, self.episodes, self.kernel_config, index, seat)
        if packed:
            row = np.zeros(PACKED_SIZE, np.uint8)
            _queries.observe_seat(*arrays, NO_NUMBERS, mask, as_packed(row))
            return row, mask
        observation = np.empty(OBSERVATION_SIZE, np.float32)
        _queries.observe_seat(*arrays, observation, mask, None)
        return observation, mask

    def observations(self, packed: bool = False) -> Any:
        """Return each learner's observation, or each actor's if every seat is external.

        float32[n, OBSERVATION_SIZE], or with ``packed`` uint8[n, PACKED_SIZE]; a new array.
        """
        seats = np.where(self.seats == NOBODY, np.maximum(self.actors, 0), self.seats)
        rows = [self.observe(k, seat, packed)[0] for k, seat in enumerate(seats.tolist())]
        return np.stack(rows)

    def observe_actors(self, rows: Int64s, observations: Float32s, masks: Int8s) -> None:
        """Write the observation and mask of the deciding seat of these games, one row each."""
        _queries.observe_actors(
            self.games, self.episodes, self.kernel_config, rows, observations, masks
        )

    def observe_learners(
        self, rows: Int64s, observations: Any, masks: Any, packed: Any = None
    ) -> None:
        """Write the observation and mask of the observing seat of these games into their rows.

        ``observations`` float32[n, OBSERVATION_SIZE], contiguous or flattened; or ``packed``
        PACKED[n]; ``masks`` int8[n, N_ACTIONS].
        """
        if packed is None:
            observations = observations.reshape(-1)
        _kernel.observe_learners(
            self.games,
            self.episodes,
            self.kernel_config,
            self.step_records,
            rows,
            observations,
            masks,
            packed,
        )

    def sample_actions(self, key: int) -> Int64s:
        """Draw a random legal action per game, int64[n], from ``key`` and the state of the game.

        -1 where nothing is legal, because the game is over.
        """
        actions = np.empty(self.n, np.int64)
        _queries.pick_actions(self.episodes, check_whole("key", key, *KEYS), actions)
        return actions

    def game(self, index: int) -> Game:
        """Return a copy of one of the games."""
        index = check_whole("index", index, 0, self.n - 1)
        if not self.seeded:
            fail("game", "no game is running; call reset()")
        return Game.from_record(self.games[index : index + 1], self.edition_of(index))

    def result(self, index: int, seat: int) -> dict[str, Any]:
        """Return a seat's result in the last game at ``index``; a shared win is a fraction."""
        index, seat = check_whole("index", index, 0, self.n - 1), self._seat(seat)
        episode = self.episodes[index]
        rank = episode["last_rank"]
        return {
            "rank": int(rank[seat]),
            "win": float((rank[seat] == 1) / max((rank == 1).sum(), 1)),
            "turns": int(episode["last_turns"]),
            "decisions": int(episode["last_decisions"]),
        }

    def results(self, rows: Int64s, every_seat: bool = False) -> dict[str, npt.NDArray[Any]]:
        """Return the results of the last games at ``rows``, per game or per game and seat.

        ``rank``, ``win`` (a shared win is a fraction), ``gain`` (total reward), ``turns``,
        ``decisions`` (of all players), ``steps`` (of the environment), ``truncated``, ``seat``,
        ``seed``.
        """
        last = self.episodes[rows]
        ranks, gain = self.last_ranks(rows), last["last_gain"][:, : self.config.players]
        win = (ranks == 1) / np.maximum((ranks == 1).sum(axis=1, keepdims=True), 1)
        facts = {"rank": ranks, "win": win, "gain": gain}
        if not every_seat:
            seat = last["last_seat"]
            facts = {name: values[np.arange(len(rows)), seat] for name, values in facts.items()}
            facts["seat"] = seat
        return facts | {
            "turns": last["last_turns"],
            "decisions": last["last_decisions"],
            "steps": last["last_steps"],
            "truncated": self.ended[rows] == TRUNCATED,
            "seed": last["last_seed"],
        }

    def last_ranks(self, rows: Int64s) -> Int8s:
        """Return the ranks of all seats in the last games at ``rows``: int8[rows, players]."""
        ranks: Int8s = self.episodes["last_rank"][rows, : self.config.players]
        return ranks

    def last_line_ups(self, rows: Int64s) -> Int8s:
        """Return the policies of all seats in those games, by number in ``bots``, or EXTERNAL."""
        line_ups: Int8s = self.episodes["last_line_up"][rows, : self.config.players]
        return line_ups

    def _seat(self, seat: object) -> int:
        """Return a seat of the games. Raises: InputError."""
        return check_whole("seat", seat, 0, self.config.players - 1)

    # Copies and saved states

    def carried(self) -> Iterator[tuple[str, object]]:
        """Yield the options that were given as objects rather than by name."""
        return self.config.carried()

    def __getstate__(self) -> dict[str, Any]:
        derived = {"arrays", "calls", "blocks", "kernel_config", *COLUMNS}
        state = {name: value for name, value in self.__dict__.items() if name not in derived}
        records = {name: np.asarray(state[name]).tobytes() for name in RECORDS}
        records["views"] = self._views_without_addresses().tobytes()
        starts = None if self.starts.records is None else self.starts.records.tobytes()
        return state | records | {"starts": starts, "layout": LAYOUT}

    def __setstate__(self, state: dict[str, Any] | bytes) -> None:
        super().__setstate__(state)
        n = self.n
        if self.__dict__.pop("layout") != LAYOUT:
            fail("state", "was taken by another version of monopoly-env; create it again")
        self.kernel_config = self.config.kernel_config
        kept = {name: getattr(self, name) for name in RECORDS}
        self.games, self.views = new_games(n), new_views(n)
        self.episodes, self.step_records = new_records(n, EPISODE), new_records(n, STEP_RECORD)
        for name, data in kept.items():
            fill(getattr(self, name), data)
        starts, self.starts = self.__dict__.pop("starts"), Starts(self.kernel_config, n)
        if starts is not None:
            self.starts.from_bytes(starts, slice(None))
        self._name_columns()
        self.set_weight_addresses()

    def clone_state(
        self, indices: object = None, *, kind: int = BATCH, extra: bytes = b""
    ) -> bytes:
        """Return the complete state of the games as bytes, for :meth:`restore_state`.

        It includes hidden information, line-ups, the memory and random numbers of compiled bots,
        rewards paid, and the sequence of next games with their starting positions. ``indices``
        selects games by number or mask; a state of all games also has the pool's weights. ``kind``
        and ``extra`` are for environments built on a batch.

        Raises: InputError that names the index.
        """
        return clone_state(self, indices, kind, extra)

    def restore_state(
        self,
        state: object,
        indices: object = None,
        *,
        kind: int = BATCH,
        accept: Callable[[bytes, int], None] = lambda _extra, _games: None,
    ) -> bytes:
        """Restore a state of :meth:`clone_state` from a batch with the same options.

        ``indices`` are the slots for the games of the state, in order; the state of one game fits
        any number of slots. Returns the ``extra`` bytes. ``accept`` is called with them and the
        number of games in the state, when all else is checked and before anything is written.

        Raises: InputError, one line, for bytes that are not a state, are damaged, or have other
        options, and whatever ``accept`` raises; the batch is then unchanged.
        """
        return restore_state(self, state, indices, kind, accept)

    def _views_without_addresses(self) -> Any:
        """Return the policies' memory without addresses, which only fit this process."""
        views = self.views.copy()
        views["weights"] = 0
        return views

    def set_weight_addresses(self) -> None:
        """Store the addresses of the weights in this process in each policy's VIEW."""
        if all(one.weights is None for one in self.config.policies):
            return
        players = self.config.players
        line_ups = self.episodes["line_up"][:, :players]
        addresses = self.kernel_config["weights"][0][np.maximum(line_ups, 0)]
        self.views["weights"][:, :players] = np.where(line_ups != EXTERNAL, addresses, 0)

    def state_arrays(self) -> dict[str, npt.NDArray[np.uint8]]:
        """Return the games and the bots' memory as arrays of bytes, without starts and pool."""
        return {
            "games": as_bytes(self.games),
            "tables": as_bytes(self.episodes),
            "views": as_bytes(self._views_without_addresses()),
        }

    def load_state_arrays(self, state: Mapping[str, npt.NDArray[np.uint8]]) -> None:
        """Restore the games of :meth:`state_arrays` from a batch with the same options.

        Raises: InputError for a wrong mapping or size; the batch is then unchanged.
        """
        parts = {"games": self.games, "tables": self.episodes, "views": self.views}
        checked = check_arrays(state, {name: part.nbytes for name, part in parts.items()})
        for name, part in parts.items():
            from_bytes(checked[name], part)
        last = max(int(self.kernel_config["board_count"][0]) - 1, 0)
        np.clip(self.episodes["board"], 0, last, out=self.episodes["board"])
        self.set_weight_addresses()
        self.actors[:] = self.games["actor"]
        self.ended[:] = RUNNING
        self.seeded = True

    @property
    def nbytes(self) -> int:
        """The size in bytes of all arrays that grow with ``n``."""
        return int(sum(array.nbytes for array in self.arrays) - self.kernel_config.nbytes)


def spread_seed(seed: int, n: int) -> Int64s:
    """Derive ``n`` seeds from one; the first is the seed itself."""
    seeds = np.zeros(n, np.int64)
    _episodes.spread_seeds(seed, seeds)
    return seeds


def as_bytes(records: Any) -> npt.NDArray[np.uint8]:
    """Return records as a new array of bytes."""
    return np.frombuffer(records.tobytes(), np.uint8).copy()


def from_bytes(data: npt.NDArray[Any], records: Any) -> None:
    """Fill records from such an array. Raises: ValueError if its size does not match."""
    if data.nbytes != records.nbytes:
        raise ValueError(f"{records.nbytes} bytes of games are expected, not {data.nbytes}")
    records[:] = np.frombuffer(data.tobytes(), records.dtype).reshape(records.shape)


def check_arrays(state: object, sizes: Mapping[str, int]) -> dict[str, npt.NDArray[np.uint8]]:
    """Return the arrays of a state as bytes, checked by name and size. Raises: InputError."""
    arrays: dict[str, npt.NDArray[np.uint8]] = {}
    given = InputError.at("state").mapping(state)
    for name, size in sizes.items():
        if name not in given:
            fail(
                "state",
                f"has no {name}: another version of monopoly-env or an environment with other "
                "options made it; call state_arrays() again",
            )
        array = as_array(given.get(name))
        if array is None or array.nbytes != size or array.dtype.hasobject:
            got = show(given.get(name)) if array is None else f"{array.nbytes}"
            fail("state", f"{name} must have {size} bytes, not {got}; call state_arrays() again")
        arrays[name] = np.frombuffer(array.tobytes(), np.uint8)
    return arrays


def _check_option(key: str) -> None:
    """Refuse a misspelled reset option; unrelated ones may belong to wrappers."""
    meant = difflib.get_close_matches(key, OPTIONS, 1, cutoff=0.85)
    if meant and key not in OPTIONS:
        fail("options", f"there is no option {show(key)}; did you mean {meant[0]}?")
