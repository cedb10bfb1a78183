"""Play the leaderboard: a tournament per bot and table, each with its own ledger.

A bot that is added only plays its own games; those of other bots are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError, InputError, show, suggest
from monopoly_training.common.files import package_version
from monopoly_training.common.progress import Progress
from monopoly_training.leaderboard.config import Protocol
from monopoly_training.matches.bot_errors import file_name
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.stats.bootstrap import Interval
from monopoly_training.stats.ratings import Rating, rate
from monopoly_training.tournament.ledger import FILE
from monopoly_training.tournament.merged_ledgers import Game, as_ranked, read_games
from monopoly_training.tournament.summary import Standing, TournamentResult
from monopoly_training.tournament.tournament import play_tournament


@dataclass(frozen=True)
class AtTable:
    """The results of a bot at a table."""

    games: int
    win_rate: float
    by_seed: Interval | None  # 95%, bootstrap over seeds
    truncated: int
    faults: int

    @classmethod
    def of(cls, standing: Standing) -> AtTable:
        """Extract the results from a tournament's standing."""
        return cls(
            standing.score.games,
            standing.score.win_rate,
            standing.win_rate_by_seed,
            standing.score.truncated,
            sum(standing.faults.values()),
        )


@dataclass(frozen=True)
class Leader:
    """A row of the leaderboard."""

    bot: str
    rating: Rating  # from a single fit over the games of all tables
    games: int  # its own games
    tables: Mapping[str, AtTable]


@dataclass(frozen=True)
class Leaderboard:
    """All rows, best first."""

    protocol: Protocol
    leaders: tuple[Leader, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the leaderboard as plain data."""
        protocol = self.protocol
        return {
            "version": package_version("monopoly-env"),
            "seeds": protocol.seeds,
            "seed": protocol.seed,
            "anchor": protocol.anchor,
            "tables": {
                name: {
                    "edition": table.edition,
                    "mode": table.mode,
                    "players": table.players,
                    "opponents": list(table.opponents),
                    "rules": dict(table.rules),
                }
                for name, table in protocol.tables.items()
            },
            "bots": [
                {
                    "bot": one.bot,
                    "elo": _rounded(one.rating.elo),
                    "elo_ci95": _ends(one.rating.ci95, 1),
                    "games": one.games,
                    "tables": {
                        name: {
                            "games": at.games,
                            "win_rate": round(at.win_rate, 4),
                            "win_rate_by_seed": _ends(at.by_seed, 4),
                            "truncated": at.truncated,
                            "faults": at.faults,
                        }
                        for name, at in one.tables.items()
                    },
                }
                for one in self.leaders
            ],
        }


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, 1)


def _ends(interval: Interval | None, digits: int) -> list[float] | None:
    return None if interval is None else [round(end, digits) for end in interval]


def play_leaderboard(
    protocol: Protocol,
    folder: Path,
    work: WorkOptions,
    progress: Progress,
    only: Sequence[str] | None = None,
) -> Leaderboard:
    """Play all bots at all tables, continuing from the folder, and return the leaderboard.

    With ``only``, only these bots play; the results of others are taken from the folder.

    Raises: AgentError for a bot that cannot be loaded; FileError, InputError, one line.
    """
    for bot in only or ():
        if bot not in protocol.bots:
            InputError.at("only").fail(
                f"there is no bot {show(bot)} in the protocol; {suggest(bot, protocol.bots)}"
            )
    played = [bot for bot in protocol.bots if only is None or bot in only]
    entrants(played, work.trust)  # reports bots that cannot be loaded before any game
    at_tables: dict[str, dict[str, AtTable]] = {bot: {} for bot in protocol.bots}
    games: list[Game] = []
    for bot in protocol.bots:
        for name in protocol.tables:
            there = ledger_folder(folder, name, bot)
            if bot not in played and not (there / FILE).exists():
                continue
            progress.stage(f"{bot} at {name}")
            result = _play(protocol, name, bot, there, work, progress)
            at_tables[bot][name] = AtTable.of(own_standing(result))
            games += read_games(there / FILE)[1]
    complete = {bot: at for bot, at in at_tables.items() if len(at) == len(protocol.tables)}
    return Leaderboard(protocol, tuple(_leaders(protocol, complete, games)))


def ledger_folder(folder: Path, table: str, bot: str) -> Path:
    """Return the folder for the games of a bot at a table."""
    return folder / file_name(table) / file_name(bot)


def _play(
    protocol: Protocol, name: str, bot: str, there: Path, work: WorkOptions, progress: Progress
) -> TournamentResult:
    """Play or resume the tournament of a bot at a table."""
    begun = (there / FILE).exists()
    if begun and not work.resume:
        FileError.at(there / FILE).fail(
            "was played before; `resume` continues it, or name another folder"
        )
    return play_tournament(
        protocol.tournament(name, bot), there, replace(work, resume=begun), progress
    )


def own_standing(result: TournamentResult) -> Standing:
    """Return the standing of the tournament's own bot, the first of its line-up."""
    return next(row for row in result.standings if row.place == 1)


def _leaders(
    protocol: Protocol, at_tables: Mapping[str, Mapping[str, AtTable]], games: Sequence[Game]
) -> list[Leader]:
    """Return the rows, best first, rated by a single fit to the winners of all games.

    Lower places do not count, so that a bot is not penalized for risking second place to win.
    """
    if not games:
        return []
    bots, ranked = as_ranked(games)
    ratings = dict(
        zip(bots, rate(ranked, bots.index(protocol.anchor), wins_only=True), strict=True)
    )
    leaders = [
        Leader(bot, ratings[bot], sum(one.games for one in at.values()), at)
        for bot, at in at_tables.items()
    ]
    return sorted(leaders, key=lambda one: -(one.rating.elo or 0.0))
