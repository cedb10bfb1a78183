"""Monte Carlo rollouts of positions and actions with compiled bots."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.agent import find_agent
from monopoly_env.compiler.records import copy_records
from monopoly_env.editions import Edition
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import Policy, new_views, weights_address
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.engine.state import GAME, Float32s, Float64s, Int8s, Int32s, Int64s, new_games
from monopoly_env.engine.why import Why
from monopoly_env.errors import InputError, show
from monopoly_env.game import Game
from monopoly_env.integers import as_int
from monopoly_env.planning.kernel import (
    FINISHED,
    NO_ACTION,
    TRUNCATED,
    Workspace,
    new_bits,
    roll_out_rows,
)
from monopoly_env.seeds import check_seed
from monopoly_env.value.network import new_work
from monopoly_env.value.weights import Value, shipped_value

MOST = 2**31 - 1  # limit for the rollouts of one call, samples and turns
MOST_THREADS = 1024
CHUNKS = 8  # chunks of work per thread, because games differ tenfold in length


@dataclass(frozen=True)
class Rollouts:
    """The outcomes of rollouts from ``n`` positions, ``samples`` from each.

    Attributes:
        win_shares: float32[n, samples, players], each seat's share of the win: 1 for the winner, a
            fraction in a tie, and the estimated win probability if the rollout stopped at the
            horizon. Each row sums to 1.
        finished: bool[n, samples], whether the rules ended the game.
        truncated: bool[n, samples], whether a limit ended it; the standings then decide.
        turns: int32[n, samples], the number of player turns in the rollout.
    """

    win_shares: Float32s
    finished: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    turns: Int32s

    @property
    def mean(self) -> Float64s:
        """Each seat's mean share of the win, float64[n, players]."""
        means: Float64s = self.win_shares.mean(axis=1, dtype=np.float64)
        return means

    @property
    def standard_error(self) -> Float64s:
        """The standard error of each mean, float64[n, players]; infinite for a single sample."""
        samples = self.win_shares.shape[1]
        if samples < 2:
            return np.full(self.mean.shape, np.inf)
        deviations: Float64s = self.win_shares.std(axis=1, ddof=1, dtype=np.float64)
        errors: Float64s = deviations / np.sqrt(samples)
        return errors


def rollouts(
    games: Game | Sequence[Game] | npt.NDArray[Any],
    policy: str | Sequence[str] = "veteran",
    *,
    actions: int | str | Sequence[int | str] | Int64s | None = None,
    samples: int = 100,
    horizon: int | None = None,
    value: Value | None = None,
    seed: int = 0,
    first_sample: int = 0,
    threads: int = 1,
    edition: Edition | None = None,
) -> Rollouts:
    """Play rollouts from positions with compiled bots, and return each seat's share of the win.

    Every rollout redraws hidden information: future dice and the order of unseen cards. Sample k
    has the same random numbers in every position, so compare actions by the differences of their
    samples. The given games do not change. The GIL is released.

    >>> from monopoly_env import Game, rollouts
    >>> strong = {"deeds": ["park_place", "boardwalk"], "cash": 900}
    >>> game = Game.from_position({"players": 2, "turn": "A", "A": strong}, seed=7)
    >>> done = rollouts(game, actions="roll", samples=50, horizon=40)
    >>> done.win_shares.shape, bool(done.mean[0, 0] > 0.5)
    ((1, 50, 2), True)

    Args:
        games: a game, several, or GAME records (``VectorEnv.batch.games``; then ``edition``
            has their rules). All must have the same rules and number of players.
        policy: a compiled bot for all seats, or one for each.
        actions: the first action, by id or text, one for each game; None: the bots decide from the
            start.
        samples: rollouts from each position.
        horizon: player turns after which a rollout stops and ``value`` estimates its outcome.
            None: rollouts go to the end of the game.
        value: the value model; None for the included one.
        seed: 0 to 2**63 - 1. The same arguments give the same outcomes, on any number of threads.
        first_sample: the number of the first sample. A call with ``first_sample=100`` continues
            a call with ``samples=100``.
        threads: number of threads.
        edition: for records only.

    Raises:
        InputError: names the parameter, such as a bot that is not compiled, or an illegal action
            with the reason.
    """
    positions, loaded = _positions(games, edition)
    players = int(positions["players"][0])
    samples = _whole("samples", samples, 1, MOST // len(positions))
    first_sample = _whole("first_sample", first_sample, 0, 2**62)
    turns = 0 if horizon is None else _whole("horizon", horizon, 1, MOST)
    threads = _whole("threads", threads, 1, MOST_THREADS)
    first = _actions(actions, positions, loaded)
    line_up = _LineUp.of(policy, players)
    value, seed = _value(value), check_seed(seed)
    rows = len(positions) * samples
    out = _Outcomes.of(rows)

    def work(span: tuple[int, int]) -> None:
        roll_out_rows(
            line_up.workspace(loaded, value), positions, first, samples, first_sample, turns,
            seed, *span, out.shares, out.ended, out.turns,
        )  # fmt: skip

    spans = _spans(rows, threads)
    if len(spans) == 1:
        work(spans[0])
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, spans))
    shape = (len(positions), samples)
    return Rollouts(
        win_shares=np.ascontiguousarray(out.shares.reshape(*shape, -1)[:, :, :players]),
        finished=(out.ended == FINISHED).reshape(shape),
        truncated=(out.ended == TRUNCATED).reshape(shape),
        turns=out.turns.reshape(shape),
    )


@dataclass(frozen=True)
class _Outcomes:
    """The outcomes of all rollouts, one row per rollout."""

    shares: Float32s
    ended: Int8s
    turns: Int32s

    @classmethod
    def of(cls, rows: int) -> _Outcomes:
        return cls(
            np.zeros((rows, 8), np.float32), np.zeros(rows, np.int8), np.zeros(rows, np.int32)
        )


@dataclass(frozen=True)
class _LineUp:
    """The compiled policies of all seats, and the weights that must stay alive."""

    policies: list[Policy]
    weights: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, policy: object, players: int) -> _LineUp:
        names = _names(policy, players)
        specs = [find_agent(name)[0] for name in names]
        compiled = [spec.policy for spec in specs]
        for name, one in zip(names, compiled, strict=True):
            if one is None:
                InputError.at("policy").fail(
                    f"{name} is not compiled, and rollouts are; use veteran or another bot that "
                    "`monopoly-env agents` calls compiled"
                )
        return cls([one for one in compiled if one is not None], [spec.weights for spec in specs])

    def workspace(self, edition: Edition, value: Value) -> Workspace:
        """Return the memory for one thread."""
        views = new_views(1)[0]
        for seat, weights in enumerate(self.weights):
            views["weights"][seat] = weights_address(weights)
        return Workspace(
            game=new_games(1),
            rules=edition.rules,
            journals=new_journals(1, on=False),
            views=views,
            loops=new_loop(self.policies, skip_forced=True),
            networks=value.networks,
            works=new_work(),
            bits=new_bits(),
            chances=np.zeros(8),
        )


def _names(policy: object, players: int) -> list[str]:
    """Return the name of a bot for each seat. Raises: InputError."""
    if isinstance(policy, str):
        return [policy] * players
    there = InputError.at("policy")
    if not isinstance(policy, list | tuple) or not all(isinstance(one, str) for one in policy):
        there.fail(f"must be the name of a bot, or a list of one for each seat, not {show(policy)}")
    if len(policy) not in (1, players):
        there.fail(f"must name one bot, or {players}, one a seat, not {len(policy)}")
    return list(policy) if len(policy) == players else list(policy) * players


def _positions(games: object, edition: object) -> tuple[Any, Edition]:
    """Return a copy of the records, and their common edition. Raises: InputError."""
    there = InputError.at("games")
    if isinstance(games, Game):
        games = [games]
    if getattr(games, "dtype", None) == GAME:
        if not isinstance(edition, Edition):
            InputError.at("edition").fail(
                f"must be the Edition of the records, not {show(edition)}"
            )
        records: Any = np.atleast_1d(np.asarray(games))
        if records.ndim != 1 or not len(records):
            there.fail(f"must be GAME records of shape (n,), n from 1, not {records.shape}")
        records, loaded = copy_records(np.ascontiguousarray(records)), edition
    else:
        records, loaded = _records_of(games)
        if edition is not None:
            InputError.at("edition").fail("is for records; a Game has an edition of its own")
    counts = set(records["players"].tolist())
    if len(counts) > 1:
        there.fail(f"must have the same number of seats, not {sorted(counts)}")
    if not counts <= set(range(2, 9)):
        there.fail("holds a record that no game was begun in")
    return records, loaded


def _records_of(games: object) -> tuple[Any, Edition]:
    """Return the records of Game objects. Raises: InputError."""
    there = InputError.at("games")
    if not isinstance(games, list | tuple) or not all(isinstance(one, Game) for one in games):
        there.fail(f"must be a Game, a list of them, or GAME records, not {show(games)}")
    if not games:
        there.fail("is empty; give at least one game")
    rules = games[0].edition.rules
    for index, one in enumerate(games):
        if one.edition.rules is not rules and one.edition.rules.tobytes() != rules.tobytes():
            there.fail(f"game {index} is played by other rules than game 0; call once for each")
    records = new_games(len(games))
    for index, one in enumerate(games):
        records[index] = one.state
    return records, games[0].edition


def _actions(actions: object, positions: Any, edition: Edition) -> Int64s:
    """Return the first action of each position, or NO_ACTION. Raises: InputError if illegal."""
    n = len(positions)
    if actions is None:
        return np.full(n, NO_ACTION, np.int64)
    alone = isinstance(actions, str) or as_int(actions) is not None
    items = [actions] if alone else actions
    if not isinstance(items, list | tuple | np.ndarray) or np.ndim(items) != 1:
        InputError.at("actions").fail(f"must be ids or texts, one a game, not {show(actions)}")
    if len(items) != n:
        InputError.at("actions").fail(f"must be one for each of {n} games, not {len(items)}")
    first = np.empty(n, np.int64)
    for index, item in enumerate(items):
        game = Game.from_record(positions[index : index + 1], edition)
        reason = game.why(item)
        if reason is not Why.OK:
            InputError.at(f"actions[{index}]").fail(f"{show(item)}: {reason}")
        first[index] = game.id(item)
    return first


def _value(value: object) -> Value:
    if value is None:
        return shipped_value()
    if not isinstance(value, Value):
        InputError.at("value").fail(f"must be a Value, as load_value returns, not {show(value)}")
    return value


def _whole(parameter: str, value: object, low: int, high: int) -> int:
    return InputError.at(parameter).index(value, low, high)


def _spans(rows: int, threads: int) -> list[tuple[int, int]]:
    """Return ranges of rollouts for the threads to take."""
    pieces = 1 if threads == 1 else min(threads * CHUNKS, rows)
    return list(pairwise([rows * piece // pieces for piece in range(pieces + 1)]))
