"""The protocol of the leaderboard, loaded from a file: bots, tables and seeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from monopoly_env.editions import load_edition
from monopoly_env.errors import InputError, show
from monopoly_training.common.schema import (
    ConfigError,
    Range,
    build,
    find_config,
    load_settings,
    parsed,
)
from monopoly_training.tournament.config import TournamentConfig, load_tournament_config

KIND = "leaderboard"
APART = 1_000_000  # distance between the first seeds of two tables
NOT_GIVEN: dict[str, Any] = {"edition": "classic", "mode": "standard", "rules": {}}


@dataclass(frozen=True)
class LeaderTable:
    """A table of the protocol: the game and the bots in the other seats."""

    opponents: tuple[str, ...]
    edition: str
    mode: str
    rules: dict[str, Any]

    @property
    def players(self) -> int:
        """Number of seats."""
        return 1 + len(self.opponents)


@dataclass(frozen=True)
class _Settings:
    """The schema of the file."""

    bots: tuple[str, ...]
    tables: dict[str, Any]
    seeds: Annotated[int, Range(1, APART)]
    seed: Annotated[int, Range(0, 2**60)]
    anchor: str


@dataclass(frozen=True)
class Protocol:
    """The games that every bot plays. Created by :func:`load_protocol`."""

    bots: tuple[str, ...]
    tables: Mapping[str, LeaderTable]
    seeds: int
    seed: int
    anchor: str

    def tournament(self, name: str, bot: str) -> TournamentConfig:
        """Return the tournament of a bot at a table: every seed once in every seat."""
        table = self.tables[name]
        first = self.seed + list(self.tables).index(name) * APART
        return load_tournament_config(
            None,
            {
                "agents": [bot, *table.opponents],
                "format": "table",
                "games": self.seeds * table.players,
                "seed": first,
                "edition": table.edition,
                "mode": table.mode,
                "rules": dict(table.rules),
                "records": 0,
            },
        )


def load_protocol(
    name: str | Path = "default", options: Mapping[str, object] | None = None
) -> Protocol:
    """Load a protocol by name or path. ``options`` override settings of the file.

    Raises: ConfigError, one line that names the file, the key and the remedy; InputError for one of
    the options.
    """
    path = find_config(KIND, name)
    settings, here = load_settings(_Settings, [path], options=options), ConfigError.at(path)
    tables = {}
    for table, raw in settings.tables.items():
        there = here / "tables" / table
        given = {**NOT_GIVEN, **parsed(LeaderTable, raw, there)}
        tables[table] = build(LeaderTable, given, there)
        if not 1 <= len(tables[table].opponents) <= 7:
            (there / "opponents").fail("must be 1 to 7 bots, one a seat")
        load_edition(tables[table].edition, tables[table].mode, tables[table].rules)
    if not settings.bots or not tables:
        here.fail("needs at least one of `bots` and one of `tables`")
    twice = next((bot for bot in settings.bots if settings.bots.count(bot) > 1), None)
    if twice is not None:
        (here / "bots").fail(f"names {show(twice)} twice; leave one of them out")
    opponents = {bot for table in tables.values() for bot in table.opponents}
    if settings.anchor not in opponents:
        location = InputError.at("anchor") if "anchor" in (options or {}) else here / "anchor"
        location.fail(f"must be one of the opponents, {', '.join(sorted(opponents))}")
    return Protocol(settings.bots, tables, settings.seeds, settings.seed, settings.anchor)
