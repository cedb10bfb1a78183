"""Plays the protocol: a tournament for each bot at each table, with a ledger of its own.

A bot that is added plays its own games; those of the others are kept.
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
from monopoly_training.tournament.joint import Game, as_ranked, read_games
from monopoly_training.tournament.ledger import FILE
from monopoly_training.tournament.summary import Standing, TournamentResult
from monopoly_training.tournament.tournament import play_tournament


@dataclass(frozen=True)
class AtTable:
    """How a bot did at a table."""

    games: int
    win_rate: float
    by_seed: Interval | None  # 95 %, bootstrap over seeds
    truncated: int
    faults: int

    @classmethod
    def of(cls, standing: Standing) -> AtTable:
        """From its place in the tournament."""
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
    rating: Rating  # by one fit to the games of all tables
    games: int  # of its own
    tables: Mapping[str, AtTable]


@dataclass(frozen=True)
class Leaderboard:
    """All rows, the best first."""

    protocol: Protocol
    leaders: tuple[Leader, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
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
    """Let each bot play at each table, or go on with what the folder holds; the table of all.

    ``only``: play the games of these bots; of the others, what the folder holds counts.

    Raises: AgentError for a bot that cannot be had; FileError, InputError, one line.
    """
    for bot in only or ():
        if bot not in protocol.bots:
            InputError.at("only").fail(
                f"there is no bot {show(bot)} in the protocol; {suggest(bot, protocol.bots)}"
            )
    played = [bot for bot in protocol.bots if only is None or bot in only]
    entrants(played, work.trust)  # so that a bot that cannot be had is told before any game
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
    """Where the games of a bot at a table are kept."""
    return folder / file_name(table) / file_name(bot)


def _play(
    protocol: Protocol, name: str, bot: str, there: Path, work: WorkOptions, progress: Progress
) -> TournamentResult:
    """The tournament of a bot at a table; what was played before is kept."""
    begun = (there / FILE).exists()
    if begun and not work.resume:
        FileError.at(there / FILE).fail(
            "was played before; `resume` continues it, or name another folder"
        )
    return play_tournament(
        protocol.tournament(name, bot), there, replace(work, resume=begun), progress
    )


def own_standing(result: TournamentResult) -> Standing:
    """How the bot did whose tournament it is: the first of its line-up."""
    return next(row for row in result.standings if row.place == 1)


def _leaders(
    protocol: Protocol, at_tables: Mapping[str, Mapping[str, AtTable]], games: Sequence[Game]
) -> list[Leader]:
    """The rows, the best first: by one fit to who won the games of all tables.

    Second places do not count: who risks all for a win may come in last when that fails.
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
