"""Starting positions that callers give, converted to records for the kernel."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from monopoly_env.compiler.records import Records, new_records
from monopoly_env.editions import Edition
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import Int64s
from monopoly_env.envs._records import ANY, SAME_GAME, SAME_TABLE, START
from monopoly_env.envs._saved_state import byte_rows
from monopoly_env.envs.checks import fail
from monopoly_env.envs.config import EnvConfig
from monopoly_env.errors import InputError, Location
from monopoly_env.game import Game
from monopoly_env.position import build, read_position
from monopoly_env.position.document import EDITION_KEYS

ONE, MANY = "position", "positions"
OFFSET = START.fields["position"][1]  # type: ignore[index]


class Start(NamedTuple):
    """A position in which games can begin."""

    game: bytes  # a GAME record
    edition: Edition
    exact: bool  # includes hidden information
    shuffles: bool  # whether redrawing it shuffles the undrawn cards

    @property
    def seed(self) -> int:
        """A fixed seed for this position, used if games continue exactly from it."""
        digest = hashlib.blake2b(self.game, digest_size=8).digest()
        return int.from_bytes(digest, "little") >> 1


def find_starts(given: Mapping[str, Any], config: EnvConfig, count: int) -> list[Start]:
    """Return the positions in the options of a reset, one per game that begins, or an empty list.

    Raises: InputError, one line that names the option and, in a list, the index.
    """
    one, many = given.get(ONE), given.get(MANY)
    if one is None and many is None:
        if "edition" in given:
            fail("options", "edition goes with a position; give the environment one instead")
        return []
    if many is None:
        return [_read(one, given.get("edition"), config, Location(ONE, (), InputError))] * count
    if one is not None:
        fail(MANY, "goes without position; give one of them")
    if isinstance(many, str | Mapping) or not isinstance(many, Sequence):
        fail(MANY, "must be a list of positions, one a game that begins")
    if len(many) != count:
        fail(MANY, f"{count} games begin and need one position each, not {len(many)}")
    return [_read_of_many(many, k, given.get("edition"), config) for k in range(count)]


def _read_of_many(many: Sequence[Any], k: int, edition: Any, config: EnvConfig) -> Start:
    """Return one position of a list; an error names its index."""
    location = Location(MANY, (str(k),), InputError)
    if isinstance(many[k], Game):
        return _read(many[k], edition, config, location)
    try:
        return _read(many[k], edition, config, Location("", (), InputError))
    except InputError as problem:
        raise type(problem)(f"{MANY}: {k}: {problem}") from None


def _read(source: Any, edition: Any, config: EnvConfig, location: Location) -> Start:
    """Return a position (a Game, data, or a file) as a record."""
    if isinstance(source, Game):
        start = Start(source.state.tobytes(), source.edition, exact=True, shuffles=True)
        _check(source.state, config, location)
        return start
    position = read_position(source)
    own = edition is not None or any(key in position.given for key in EDITION_KEYS)
    loaded = config.edition
    if not own and len(config.editions) > 1:
        location.fail(
            f"names no edition, and games here draw one of {len(config.editions):,}; give the option "
            "edition with it"
        )
    if own:
        loaded = position.edition(edition, None, config.options.overrides() or None)
    games = build(position, loaded)
    _check(games[0], config, location)
    hidden = bool(position.given.get("hidden"))
    return Start(games[0].tobytes(), loaded, exact=hidden, shuffles=not hidden)


def _check(game: Any, config: EnvConfig, location: Location) -> None:
    """Refuse a position that the environment cannot play from."""
    players = int(game["players"])
    if players != config.players:
        location.fail(f"has {players} players; make the environment with as many")
    if game["phase"] == Phase.OVER:
        location.fail("the game is over; give one that goes on")
    seat = int(config.kernel_config["seat"][0])
    if seat != ANY and game["out"][seat] != 0:
        location.fail(f"seat {seat} is out of the game; give the learner another one")


def check_rules(starts: Sequence[Start], edition: Edition, others: str) -> None:
    """Refuse positions with other rules than these, because games of a batch share their rules."""
    for k, start in enumerate(starts):
        if start.edition is not edition:
            if start.edition.rules.tobytes() != edition.rules.tobytes():
                fail(MANY, f"{k}: is played by other rules than {others}; games share their rules")


class Starts:
    """The starting positions of the games in each of ``n`` slots, allocated when first needed.

    Attributes:
        records: START[n]; None while all games are new games.
    """

    def __init__(self, kernel_config: Records, n: int) -> None:
        self._kernel_config, self._n = kernel_config, n
        self.records: Records | None = None

    def clear(self) -> None:
        """Begin new games in all slots."""
        self.records = None
        self._kernel_config["starts"] = 0

    def put(self, rows: Int64s, starts: Sequence[Start], seeds: Int64s, begun: Int64s) -> None:
        """Begin the games in these slots, and all later ones there, at these positions.

        ``seeds`` int64[rows] seed the bots' random numbers where games continue exactly (seed >=
        0). A negative seed means that hidden information is drawn from the seed of each game.
        ``begun`` int64[rows] is the number of games that began there before.
        """
        records = self._made()
        data = np.frombuffer(b"".join(start.game for start in starts), np.uint8)
        data = data.reshape(len(starts), -1)
        byte_rows(records, self._n)[rows, OFFSET : OFFSET + data.shape[1]] = data
        records["seed"][rows] = seeds
        records["begun"][rows] = begun
        records["how"][rows] = np.where(seeds >= 0, SAME_GAME, SAME_TABLE)
        records["shuffles"][rows] = [start.shuffles for start in starts]

    def _made(self) -> Records:
        """Return the records, allocated on first use."""
        if self.records is None:
            self.records = new_records(self._n, START)
        self._kernel_config["starts"] = self.records.ctypes.data
        return self.records

    def to_bytes(self, rows: Any) -> bytes:
        """Return the records of these slots; empty if all games there are new games."""
        if self.records is None or not self.records["how"][rows].any():
            return b""
        return bytes(byte_rows(self.records, self._n)[rows].tobytes())

    def from_bytes(self, data: Any, rows: Any) -> None:
        """Fill the records of these slots from such bytes; one record may fit all slots."""
        if len(data):
            target = byte_rows(self._made(), self._n)
            target[rows] = np.frombuffer(data, np.uint8).reshape(-1, target.shape[1])
        elif self.records is not None:
            self.records["how"][rows] = 0
