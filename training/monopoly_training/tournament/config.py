"""Tournament settings and the quantities derived from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import InputError, Location, show
from monopoly_training.common.schema import ConfigError, Range, find_config, load_settings
from monopoly_training.matches.pairing import MOST_TABLES, count_tables
from monopoly_training.stats.sprt import Sprt

KIND = "tournaments"
SEATS = 4  # default number of seats
MOST_GAMES = 10**7  # all games are held in memory
CLEAR = 0.05  # default of p1: this much above p0


@dataclass(frozen=True)
class SprtConfig:
    """Settings for stopping early; meanings are in configs/tournaments/default.yaml."""

    enabled: bool
    p0: Annotated[float | None, Range(-0.999, 0.999)]
    p1: Annotated[float | None, Range(-0.999, 0.999)]
    alpha: Annotated[float, Range(1e-6, 0.499)]
    beta: Annotated[float, Range(1e-6, 0.499)]


@dataclass(frozen=True)
class TournamentConfig:
    """Tournament settings; meanings and defaults are in configs/tournaments/default.yaml."""

    agents: tuple[str, ...]
    format: Literal["table", "round_robin", "gauntlet", "paired", "swiss"]
    seats: Annotated[int | None, Range(2, 8)]
    games: Annotated[int, Range(1, MOST_GAMES)]
    rounds: Annotated[int, Range(1, 1000)]
    seed: Annotated[int, Range(0, 2**62)]
    edition: str
    mode: str
    rules: dict[str, Any]
    skip_forced: bool
    records: Annotated[int | None, Range(0, 10**9)]
    behavior: bool
    anchor: str | None
    luck_adjusted: Literal["formula", "value", "both"] | None
    sprt: SprtConfig

    @property
    def players(self) -> int:
        """Seats per table."""
        if self.format == "table":
            return len(self.agents)
        if self.format == "paired":
            return len(self.agents) - 1
        return self.seats or min(SEATS, len(self.agents))

    @property
    def tables(self) -> int:
        """Number of tables at which each seed is played."""
        return count_tables(self.format, len(self.agents), self.players)

    @property
    def all_rounds(self) -> int:
        """Number of rounds whose pairing depends on earlier results."""
        return self.rounds if self.format == "swiss" else 1

    @property
    def seeds(self) -> int:
        """Seeds per round: enough for the requested games, in every rotation."""
        return -(-self.games // (self.players * self.tables * self.all_rounds))

    @property
    def all_games(self) -> int:
        """Total games, with complete rotations; a sequential test may stop earlier."""
        return self.seeds * self.players * self.tables * self.all_rounds

    @property
    def anchor_place(self) -> int:
        """Line-up number of the bot whose rating is 0."""
        return 0 if self.anchor is None else self.agents.index(self.anchor)

    @property
    def test(self) -> Sprt | None:
        """The sequential test of the first bot's win rate, or None.

        In a paired tournament it tests a difference d of win rates, as the score (1 + d) / 2.
        """
        if not self.sprt.enabled:
            return None
        p0, p1 = self.hypotheses
        if self.format == "paired":
            p0, p1 = (1 + p0) / 2, (1 + p1) / 2
        return Sprt(p0, p1, self.sprt.alpha, self.sprt.beta)

    @property
    def hypotheses(self) -> tuple[float, float]:
        """The two win rates (or differences of win rates) that the test distinguishes."""
        chance = 0.0 if self.format == "paired" else 1 / self.players
        p0 = chance if self.sprt.p0 is None else self.sprt.p0
        return p0, p0 + CLEAR if self.sprt.p1 is None else self.sprt.p1

    def options(self) -> TableOptions:
        """Return the options as environments take them."""
        return TableOptions(
            edition=self.edition,
            mode=self.mode,
            num_players=self.players,
            rules=self.rules,
            skip_forced=self.skip_forced,
        )


def load_tournament_config(
    name: str | Path | None, options: Mapping[str, object] | None = None
) -> TournamentConfig:
    """Load a config by name or path over the defaults, and apply ``options`` on top.

    Raises: ConfigError, one line; InputError for one of the options.
    """
    default = find_config(KIND, "default")
    sources = [default] if name is None else [default, find_config(KIND, name)]
    config = load_settings(TournamentConfig, sources, options=options)
    check(config, lambda key: key_location(key, sources[-1], options or {}))
    return config


def key_location(key: str, source: str | Path, options: Mapping[str, object]) -> Location:
    """Return where a setting was given: as an option, or in a config."""
    return InputError.at(key) if key in options else ConfigError.at(source) / key


def check(config: TournamentConfig, locate: Callable[[str], Location]) -> None:
    """Raise a one-line error for invalid settings; ``locate`` returns a setting's location."""
    bots, players = len(config.agents), config.players
    if config.format == "table":
        if not 2 <= bots <= 8:
            locate("agents").fail(f"must be 2 to 8 bots, one a seat, not {bots}")
        if config.seats not in (None, bots):
            locate("seats").fail(
                f"is {config.seats}, but format table seats all {bots} bots at one"
            )
    elif config.format == "paired":
        if not 3 <= bots <= 9:
            locate("agents").fail(
                f"must be the two bots to compare, then their 1 to 7 opponents, not {bots} bots"
            )
        if config.seats not in (None, players):
            locate("seats").fail(
                f"is {config.seats}, but format paired seats {players}: one of the first two bots "
                "with all others"
            )
    elif bots < max(2, players):
        locate("agents").fail(f"must be at least {max(2, players)} bots, one a seat, not {bots}")
    if config.tables > MOST_TABLES:
        locate("agents").fail(
            f"{bots} bots make {config.tables:,} tables; use format swiss, or fewer bots"
        )
    if config.anchor is not None and config.anchor not in config.agents:
        locate("anchor").fail(
            f"must be one of the bots, {', '.join(config.agents)}, not {show(config.anchor)}"
        )
    check_test(config, locate("sprt"))


def check_test(config: TournamentConfig, location: Location) -> None:
    """Raise a one-line error for an invalid sequential test."""
    test = config.test
    if test is None:
        return
    if config.format not in ("table", "gauntlet", "paired"):
        location.fail(
            f"tests the first bot of a table or gauntlet, or of a pair, not of {config.format}"
        )
    (p0, p1), least = config.hypotheses, -1 if config.format == "paired" else 0
    if not least < p0 < p1 < 1:
        location.fail(f"needs {least} < p0 < p1 < 1, not {p0:g} and {p1:g}")
