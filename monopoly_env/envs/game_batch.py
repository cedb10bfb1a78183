"""Many games that share their options: the arrays that compiled code steps, and what they mean."""

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
from monopoly_env.envs.checks import check_flag, check_options, check_whole
from monopoly_env.envs.config import OUTSIDE, EnvConfig
from monopoly_env.envs.step_codes import EXTERNAL, RESET, RUNNING, STUCK, TRUNCATED
from monopoly_env.errors import InputError, Location, show
from monopoly_env.game import Game
from monopoly_env.integers import as_array
from monopoly_env.seeds import check_seed

SEED_BITS = 53  # of seeds drawn by ourselves, so that any file format can hold them
OPTIONS = ("position", "positions", "edition")
RECORDS = ("games", "episodes", "step_records", "views")
COLUMNS = ("action", "command", "ended", "actors", "eventful", "seats", "learner_rewards")
NO_NUMBERS = np.empty(0, np.float32)  # where packed rows are written
KEYS = (-(1 << 63), (1 << 63) - 1)  # int64


class GameBatch(ExactCopies):
    """``n`` games that share their options, as the arrays that compiled code steps.

    With ``autoreset`` a game that ends is followed by a new one in the same step.

    Everything is written in place, so an array that was taken once stays up to date. Set
    ``action`` and call :meth:`play`, or leave that to
    :class:`monopoly_env.envs.vector.VectorEnv` and read what came of it here.

    Attributes:
        config: the checked options; its ``bots`` are the names of the compiled policies by number.
        edition: the rules and names of the games being played; where each game draws one, the
            first of them: :meth:`edition_of` tells a game's own.
        games: GAME records, one a game.
        episodes: EPISODE records: who sits there, what was paid, how the last game ended.
        step_records: STEP_RECORD records: what goes to each game and comes back in a step.
        views: VIEW records of shape (n, 8): what the policies of each seat remember.
        arrays: all of these, as the kernel takes them.
        calls: their addresses, as the kernel is called.
        action: int64[n], the ids of the actions that the next step takes.
        command: int8[n], whether it takes them at all: PLAY, RESET (begin a new game: once) or
            SKIP (leave the game alone, until the command is another).
        ended: int8[n], how the last step left each game: RUNNING, TERMINATED, TRUNCATED or STUCK.
        actors: int8[n], the seat that decides next.
        eventful: int8[n], 1 where somebody was paid or went bankrupt, a game began or ended.
        seats: int8[n], the learner's seat; NOBODY where every seat decides for itself.
        learner_rewards: float64[n], what the last step paid each learner.
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
        """Give names to what is in the records, which is written in place."""
        self.arrays = (self.games, self.episodes, self.kernel_config, self.step_records, self.views)
        self.calls = _call.Calls(self.arrays)
        self.blocks = state_blocks(self)
        self.fingerprint = b""  # what a state must fit, made when it is first asked for
        self.action: Int64s = self.step_records["action"]
        self.command: Int8s = self.step_records["command"]
        self.ended: Int8s = self.step_records["ended"]
        self.actors: Int8s = self.step_records["actor"]
        self.eventful: Int8s = self.step_records["eventful"]
        self.seats: Int8s = self.episodes["seat"]
        self.learner_rewards: Float64s = self.step_records["learner_reward"]

    # Where games begin

    def seed(self, seed: int | Int64s | None, rows: Any = slice(None)) -> None:
        """Where the next games come from, or those at ``rows``, from one seed or int64[n].

        None: go on; from anywhere, if there is no seed yet.
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
        """Where the next games begin: at ``options["position"]``, else from the start.

        ``seeded``, bool or bool[n], says which of them have a seed. ``rows``: these games begin
        anew, in this order. If others go on, all are played by the same rules, and without a
        position games begin where they did before. ``check`` raises an error for an edition that
        does not fit whoever plays; nothing has changed then.
        """
        given = check_options(options)
        for key in given:
            _check_option(key)
        chosen = np.arange(self.n) if rows is None else rows
        whole = len(chosen) == self.n
        starts = find_starts(given, self.config, len(chosen))
        if starts:
            if not whole and self.draws_editions:
                _fail("position", "games that go on draw their editions; reset all of them")
            check_rules(starts, starts[0].edition, "the first")
            if not whole:
                check_rules(starts, self.edition, "the games that go on")
        edition = starts[0].edition if starts else self.config.edition
        check(edition if whole else self.edition)
        if whole:
            self.starts.clear()
            self._play_by(edition, drawn=not starts)
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
        """Whether each game draws its edition, by its seed."""
        return bool(self.kernel_config["board_count"][0])

    def edition_of(self, index: int) -> Edition:
        """The edition of the game that is played at ``index``."""
        if not self.draws_editions:
            return self.edition
        return self.config.editions[int(self.episodes["board"][index])]

    def _play_by(self, edition: Edition, drawn: bool) -> None:
        """Play by an edition's rules, or, if they are ``drawn``, each game by its own."""
        if len(self.config.editions) > 1:
            if drawn:
                self.config.set_boards()
            else:
                self.config.one_board()
            self.fingerprint = b""
        if edition is not self.edition:
            self.edition = edition
            self.kernel_config["rules"][0] = edition.rules[0]
            self.fingerprint = b""

    def begin_at(self, index: int, seed: int) -> None:
        """In the next step, begin the game of this seed at ``index``."""
        self.seeded = True
        self.command[check_whole("index", index, 0, self.n - 1)] = RESET
        self.episodes["seed"][index] = check_seed(seed)
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
        """Take ``action`` in all games in one call; False, and no step, if one is refused.

        See :func:`monopoly_env.envs._kernel.play_batch`.
        """
        address = self.calls.address(shown, queue)
        return _call.play_at(address, thread, observations, masks, packed)

    def begin(self, observations: Float32s, masks: Any, packed: Any = None) -> None:
        """Begin a new game everywhere."""
        self.command[:] = RESET
        self.play(observations, masks, packed=packed)
        self.check_stuck()

    def first_illegal(self) -> int:
        """The first game that refuses its ``action``; -1 if none does."""
        return _kernel.first_illegal(
            self.games, self.episodes, self.kernel_config, self.step_records
        )

    def check_stuck(self) -> None:
        """Raise an error if no game could be found in which an external seat has to decide."""
        if (self.ended == STUCK).any():
            names = ", ".join(self.config.options.decides or ())
            _fail("decides", f"no game came to a decision in {names}; name more phases")

    def refuse(self, index: int, action: object) -> NoReturn:
        """Raise IllegalAction for an action that a game cannot take."""
        self.game(index).play(action)  # type: ignore[arg-type]  # it checks
        _fail("action", f"{show(action)} is not legal here")

    # Who plays

    @property
    def bots(self) -> list[str]:
        """The names of the compiled bots, by the numbers that ``line_up`` has."""
        return self.config.bots

    @property
    def fallback_bot(self) -> str | None:
        """The bot that plays the learners' other phases; None if they decide everything."""
        if not self.config.options.needs_fallback:
            return None
        return self.bots[int(self.kernel_config["fallback"][0])]

    @property
    def pool_size(self) -> int:
        """How many entries opponents are drawn from; 0 without a pool."""
        return int(self.kernel_config["pool"][0])

    def set_pool_weights(self, weights: Sequence[float] | Float64s) -> None:
        """Draw the opponents of games that begin from now on with these weights.

        One a pool entry, in the order of ``pool``; an external opponent, if there is one, is last.
        """
        try:
            given = np.asarray(weights, np.float64)
        except (TypeError, ValueError):
            given = np.empty(0)
        if given.shape != (self.pool_size,):
            _fail(
                "weights",
                f"must be {self.pool_size} numbers, one a pool entry, not {show(weights)}",
            )
        if not (np.isfinite(given).all() and (given >= 0).all() and given.any()):
            _fail("weights", "must be finite numbers from 0 up, not all of them 0")
        chances = given.cumsum() / given.sum()
        self.kernel_config["chances"][0, : len(given)] = chances

    def add_external_opponent(self) -> None:
        """Add a last entry to the pool: a seat whose decisions whoever steps the games takes.

        Its weight is 0 until :meth:`set_pool_weights` changes that.
        """
        kernel_config, number = self.kernel_config[0], self.pool_size
        if number == 0 or kernel_config["whole"]:
            _fail("pool", "must be single bots, for an external opponent beside them")
        if number == PLAYERS or kernel_config["policies"][-1]:
            _fail("pool", f"more than {PLAYERS} different bots; name fewer")
        for column in (kernel_config["policies"], kernel_config["weights"]):
            column[number + 1 :] = column[number:-1].copy()
            column[number] = 0
        kernel_config["fallback"] += kernel_config["fallback"] >= number
        self.bots.insert(number, OUTSIDE)
        self.fingerprint = b""
        kernel_config["chances"][number - 1 :] = 1.0
        kernel_config["pool"] = number + 1

    def ask(self, address: int, views: Any, actions: Int64s) -> None:
        """Write into ``actions`` what the compiled policy at ``address`` would do in each game.

        ``views`` (n, 8) is what it remembers: :attr:`views`, or views of its own.
        """
        _queries.ask_everywhere(
            self.games, self.episodes, self.kernel_config, views, address, actions
        )

    # Looking

    @property
    def game_seeds(self) -> Int64s:
        """The seed of each game being played: ``Game(seed=…)`` deals and throws the same."""
        seeds: Int64s = self.episodes["game_seed"]
        return seeds

    def potentials(self) -> Float64s:
        """Each learner's potential at its last decision, for shaping: float64[n], a new array."""
        potentials: Float64s = self.episodes["potential"][np.arange(self.n), self.seats]
        return potentials

    def observe(self, index: int, seat: int, packed: bool = False) -> tuple[Any, Int8s]:
        """What a seat observes and may do, in new arrays; the mask is empty unless it decides.

        float32[OBSERVATION_SIZE], or ``packed`` uint8[PACKED_SIZE]; int8[N_ACTIONS].
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
        """Return what each learner observes now; where every seat decides for itself, each actor.

        float32[n, OBSERVATION_SIZE], or ``packed`` uint8[n, PACKED_SIZE]; a new array.
        """
        seats = np.where(self.seats == NOBODY, np.maximum(self.actors, 0), self.seats)
        rows = [self.observe(k, seat, packed)[0] for k, seat in enumerate(seats.tolist())]
        return np.stack(rows)

    def observe_actors(self, rows: Int64s, observations: Float32s, masks: Int8s) -> None:
        """Write what the deciding seats of these games observe and may do, one row each."""
        _queries.observe_actors(
            self.games, self.episodes, self.kernel_config, rows, observations, masks
        )

    def observe_learners(
        self, rows: Int64s, observations: Any, masks: Any, packed: Any = None
    ) -> None:
        """Write what whoever is asked in these games observes and may do into their rows.

        ``observations`` float32[n, OBSERVATION_SIZE], contiguous, or as one row; or ``packed``
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
        """Return a random legal action for each game, int64[n]; the same state and key, the same.

        -1 where nothing is legal, because no game is on.
        """
        actions = np.empty(self.n, np.int64)
        _queries.pick_actions(self.episodes, check_whole("key", key, *KEYS), actions)
        return actions

    def game(self, index: int) -> Game:
        """Return a copy of one of the games."""
        index = check_whole("index", index, 0, self.n - 1)
        if not self.seeded:
            _fail("game", "no game is running; call reset()")
        return Game.from_record(self.games[index : index + 1], self.edition_of(index))

    def result(self, index: int, seat: int) -> dict[str, Any]:
        """How the last game at ``index`` went for a seat, in numbers; a shared win counts in part."""
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
        """How the games at ``rows`` that ended last went: one value a game, or one a game and seat.

        ``rank``, ``win`` (a shared one counts in part), ``gain`` (all rewards), ``turns``,
        ``decisions`` of all players, ``steps`` of the environment, ``truncated``, ``seat``, ``seed``.
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
        """The places of all seats in the games at ``rows`` that ended last: int8[rows, players]."""
        ranks: Int8s = self.episodes["last_rank"][rows, : self.config.players]
        return ranks

    def last_line_ups(self, rows: Int64s) -> Int8s:
        """Who sat there, by the numbers of ``bots``; EXTERNAL: a seat played from outside."""
        line_ups: Int8s = self.episodes["last_line_up"][rows, : self.config.players]
        return line_ups

    def _seat(self, seat: object) -> int:
        """Return a seat of the games. Raises: InputError."""
        return check_whole("seat", seat, 0, self.config.players - 1)

    # Keeping

    def carried(self) -> Iterator[tuple[str, object]]:
        """Yield what was given as objects, not by name."""
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
            _fail("state", "was taken by another version of monopoly-env; create it again")
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
        self.hand_out_weights()

    def clone_state(
        self, indices: object = None, *, kind: int = BATCH, extra: bytes = b""
    ) -> bytes:
        """All that the games are, of which :meth:`restore_state` makes them again, as bytes.

        That is the games with what nobody can see, who sits where, what the compiled bots remember
        and their random numbers, what was paid, which games come next and where they begin.
        ``indices`` names some of the games, by numbers or by a mask; a state of all of them has the
        weights of the pool, too. ``kind`` and ``extra`` are for what is built on a batch.

        Raises: InputError that names the index.
        """
        return clone_state(self, indices, kind, extra)

    def restore_state(self, state: object, indices: object = None, *, kind: int = BATCH) -> bytes:
        """Go on where :meth:`clone_state` was taken, of a batch made with the same options.

        ``indices`` are the games that become those of the state, in their order; a state of one
        game fits any number of them. Returns the ``extra`` bytes.

        Raises: InputError, one line, for bytes that are no state, damaged or of other options.
        Nothing has changed then.
        """
        return restore_state(self, state, indices, kind)

    def _views_without_addresses(self) -> Any:
        """Return what the policies remember; addresses mean nothing to another process."""
        views = self.views.copy()
        views["weights"] = 0
        return views

    def hand_out_weights(self) -> None:
        """Tell each policy in each game where its weights lie in this process."""
        if all(one.weights is None for one in self.config.policies):
            return
        players = self.config.players
        line_ups = self.episodes["line_up"][:, :players]
        addresses = self.kernel_config["weights"][0][np.maximum(line_ups, 0)]
        self.views["weights"][:, :players] = np.where(line_ups != EXTERNAL, addresses, 0)

    def state_arrays(self) -> dict[str, npt.NDArray[np.uint8]]:
        """All that the games are and remember, as bytes; not where new ones begin, nor the pool."""
        return {
            "games": as_bytes(self.games),
            "tables": as_bytes(self.episodes),
            "views": as_bytes(self._views_without_addresses()),
        }

    def load_state_arrays(self, state: Mapping[str, npt.NDArray[np.uint8]]) -> None:
        """Go on where :meth:`state_arrays` was taken, of a batch made with the same options.

        Raises: InputError for what is no such mapping, or of another size. Nothing has changed then.
        """
        parts = {"games": self.games, "tables": self.episodes, "views": self.views}
        checked = check_arrays(state, {name: part.nbytes for name, part in parts.items()})
        for name, part in parts.items():
            from_bytes(checked[name], part)
        last = max(int(self.kernel_config["board_count"][0]) - 1, 0)
        np.clip(self.episodes["board"], 0, last, out=self.episodes["board"])
        self.hand_out_weights()
        self.actors[:] = self.games["actor"]
        self.ended[:] = RUNNING
        self.seeded = True

    @property
    def nbytes(self) -> int:
        """The bytes of all arrays here that grow with ``n``."""
        return int(sum(array.nbytes for array in self.arrays) - self.kernel_config.nbytes)


def spread_seed(seed: int, n: int) -> Int64s:
    """A seed for each of ``n`` games from one; the first game's is the seed itself."""
    seeds = np.zeros(n, np.int64)
    _episodes.spread_seeds(seed, seeds)
    return seeds


def as_bytes(records: Any) -> npt.NDArray[np.uint8]:
    """Records as a new array of bytes."""
    return np.frombuffer(records.tobytes(), np.uint8).copy()


def from_bytes(data: npt.NDArray[Any], records: Any) -> None:
    """Fill records from such an array. Raises: ValueError if it is of another size."""
    if data.nbytes != records.nbytes:
        raise ValueError(f"{records.nbytes} bytes of games are expected, not {data.nbytes}")
    records[:] = np.frombuffer(data.tobytes(), records.dtype).reshape(records.shape)


def check_arrays(state: object, sizes: Mapping[str, int]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a state by name, of so many bytes each. Raises: InputError."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    given = InputError.at("state").mapping(state)
    for name, size in sizes.items():
        array = as_array(given.get(name))
        if array is None or array.nbytes != size or array.dtype.hasobject:
            got = show(given.get(name)) if array is None else f"{array.nbytes}"
            _fail("state", f"{name} must have {size} bytes, not {got}; call state_arrays() again")
        arrays[name] = array
    return arrays


def _check_option(key: str) -> None:
    """Refuse a misspelled option; wrappers pass others of their own, which are left alone."""
    meant = difflib.get_close_matches(key, OPTIONS, 1, cutoff=0.85)
    if meant and key not in OPTIONS:
        _fail("options", f"there is no option {show(key)}; did you mean {meant[0]}?")


def _fail(where: str, problem: str) -> NoReturn:
    Location(where, (), InputError).fail(problem)
