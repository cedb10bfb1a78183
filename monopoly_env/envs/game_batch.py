"""Batches of games as Python holds them: the kernel's arrays, their seeds, and where their games begin."""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from monopoly_env.compiler.records import new_records
from monopoly_env.encoding.observation import OBSERVATION_SIZE
from monopoly_env.encoding.row_cache import NOTHING_SHOWN
from monopoly_env.engine.dispatch import N_ACTIONS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.state import Int64s, new_games
from monopoly_env.envs import _kernel
from monopoly_env.envs._records import (
    ANY,
    EPISODE,
    NEW_GAME,
    RESET,
    SAME_GAME,
    SAME_TABLE,
    STEP_RECORD,
    STUCK,
    Float32s,
)
from monopoly_env.envs._work_queue import ALONE
from monopoly_env.envs.options import EnvConfig
from monopoly_env.errors import InputError, Location, show
from monopoly_env.game import Game
from monopoly_env.position import build, read_position
from monopoly_env.seeds import check_seed

SEED_BITS = 53  # of seeds drawn by ourselves, so that any file format can hold them
OPTIONS = ("position", "edition")
EDITION_KEYS = ("edition", "mode", "rules")


class GameBatch:
    """``n`` tables that share a plan."""

    def __init__(self, setting: EnvConfig, n: int) -> None:
        self.setting = setting
        self.edition = setting.edition  # of the games being played
        self.n = n
        self.plan = setting.plan
        self.games = new_games(n)
        self.tables = new_records(n, EPISODE)
        self.slips = new_records(n, STEP_RECORD)
        self.views = new_views(n)
        self.action = self.slips["action"]
        self.ended = self.slips["ended"]
        self.seeded = False

    def seed(self, seed: int | Int64s | None) -> None:
        """Where the next games come from. None: go on; from anywhere, if there is no seed yet."""
        if seed is None:
            if self.seeded:
                return
            seed = secrets.randbits(SEED_BITS)
        if isinstance(seed, np.ndarray):
            self.tables["seed"] = seed
        else:
            seeds = np.zeros(self.n, np.int64)
            _kernel.spread_seeds(check_seed(seed), seeds)
            self.tables["seed"] = seeds
        self.tables["episode"] = 0
        self.seeded = True

    def start(self, options: Mapping[str, object] | None, seeded: bool) -> None:
        """Where the next games begin: at ``options["position"]``, else from the start."""
        found = Location("options", (), InputError).mapping(options)
        for key in found:
            _check_option(key)
        position = found.get("position")
        if position is None:
            if "edition" in found:
                _fail("options", "edition goes with a position; give the environment one instead")
            self.plan["start"] = NEW_GAME
            self._play_by(self.setting.edition)
        elif isinstance(position, Game):
            self._start_at(position.state, position.edition)
            self.plan["start"] = SAME_TABLE if seeded else SAME_GAME
            self.plan["shuffles"] = 1
        else:
            self._read(position, found.get("edition"), seeded)

    def _read(self, source: Any, edition: Any, seeded: bool) -> None:
        """Begin at a position that is data or a file."""
        position = read_position(source)
        own = edition is not None or any(key in position.given for key in EDITION_KEYS)
        loaded = self.setting.edition
        if own:
            loaded = position.edition(edition, None, self.setting.options.overrides() or None)
        self._start_at(build(position, loaded)[0], loaded)
        hidden = bool(position.given.get("hidden"))
        self.plan["start"] = SAME_GAME if hidden and not seeded else SAME_TABLE
        self.plan["shuffles"] = not hidden

    def _start_at(self, game: Any, edition: Any) -> None:
        """Check that the environment can play from a position, and keep it."""
        players = int(game["players"])
        if players != self.setting.players:
            _fail("position", f"has {players} players; make the environment with as many")
        if game["phase"] == Phase.OVER:
            _fail("position", "the game is over; give one that goes on")
        seat = int(self.plan["seat"][0])
        if seat != ANY and game["out"][seat] != 0:
            _fail("position", f"seat {seat} is out of the game; give the learner another one")
        self.plan["position"][0] = game
        self._play_by(edition)

    def _play_by(self, edition: Any) -> None:
        """Play by an edition's rules."""
        if edition is not self.edition:
            self.edition = edition
            self.plan["rules"][0] = edition.rules[0]

    def play(
        self,
        sights: Float32s,
        masks: Any,
        shown: Any = NOTHING_SHOWN,
        desk: Int64s = ALONE,
        thread: int = 0,
    ) -> int:
        """Take the actions in the slips, all tables in one call; see :func:`play_tables`."""
        code: int = _kernel.play_tables(
            self.games, self.tables, self.plan, self.slips, self.views, sights, shown, masks,
            desk, thread,
        )  # fmt: skip
        return code

    def begin(self, sights: Float32s, masks: Any) -> int:
        """Begin a new game at every table."""
        self.action[:] = RESET
        code = self.play(sights, masks)
        self.check_stuck()
        return code

    def check_stuck(self) -> None:
        """Raise an error if no game could be found in which an outside seat has to decide."""
        if (self.ended == STUCK).any():
            names = ", ".join(self.setting.options.decides or ())
            _fail("decides", f"no game came to a decision in {names}; name more phases")

    def look(self, index: int, seat: int) -> tuple[Any, Any]:
        """What a seat sees and may do, in new arrays."""
        sight = np.empty(OBSERVATION_SIZE, np.float32)
        mask = np.empty(N_ACTIONS, np.int8)
        _kernel.look(self.games, self.tables, self.plan, index, seat, sight, mask)
        return sight, mask

    def game(self, index: int) -> Game:
        """A copy of a table's game."""
        return Game.from_record(self.games[index : index + 1], self.edition)

    def result(self, index: int, seat: int) -> dict[str, Any]:
        """How a table's last game went for a seat, in numbers; a shared win counts in part."""
        table = self.tables[index]
        rank = table["last_rank"]
        return {
            "rank": int(rank[seat]),
            "win": float((rank[seat] == 1) / max((rank == 1).sum(), 1)),
            "turns": int(table["last_turns"]),
            "decisions": int(table["last_decisions"]),
        }

    def refuse(self, index: int, action: object) -> NoReturn:
        """Raise IllegalAction for an action that a table cannot take."""
        self.game(index).play(action)  # type: ignore[arg-type]  # it checks
        _fail("action", f"{show(action)} is not legal here")


def _check_option(key: str) -> None:
    """Refuse a slip of the pen; wrappers pass options of their own, which are none of ours."""
    meant = difflib.get_close_matches(key, OPTIONS, 1, cutoff=0.85)
    if meant and key not in OPTIONS:
        _fail("options", f"there is no option {show(key)}; did you mean {meant[0]}?")


def _fail(where: str, problem: str) -> NoReturn:
    Location(where, (), InputError).fail(problem)
