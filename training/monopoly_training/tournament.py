"""A tournament: a line-up, a schedule, the games, the statistics, the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from monopoly_env.envs.options import TableOptions
from monopoly_training.files import as_json, provenance, write_atomic
from monopoly_training.lineup import Entrant, entrants
from monopoly_training.play import Progress, Results, play_matches
from monopoly_training.plots import plot_win_rates
from monopoly_training.schedule import Match, rotated
from monopoly_training.settings import Range, find_config, load_settings, place_of
from monopoly_training.standings import as_csv, as_row
from monopoly_training.statistics import Score, score, shared_places, shares_of_wins

KIND = "tournaments"


@dataclass(frozen=True)
class TournamentConfig:
    """What is played; meanings and defaults are in configs/tournaments/default.yaml."""

    agents: tuple[str, ...]
    format: Literal["table"]
    games: Annotated[int, Range(1, 10**9)]
    seed: Annotated[int, Range(0, 2**62)]
    edition: str
    mode: str
    rules: dict[str, Any]
    skip_forced: bool

    def options(self) -> TableOptions:
        """The same for the environments."""
        return TableOptions(
            edition=self.edition,
            mode=self.mode,
            num_players=len(self.agents),
            rules=self.rules,
            skip_forced=self.skip_forced,
        )


@dataclass(frozen=True)
class Standing:
    """How one entrant did."""

    place: int  # its number in the line-up, from 1: a bot may take part twice
    agent: str
    score: Score


@dataclass(frozen=True)
class Tournament:
    """A tournament that has been played."""

    config: TournamentConfig
    standings: tuple[Standing, ...]  # the best first
    seeds: int
    mean_turns: float
    illegal: dict[str, int]

    def as_json(self) -> dict[str, Any]:
        """The keys that ``tournament --json`` prints and results.json holds."""
        return {
            "format": self.config.format,
            "games": self.seeds * len(self.config.agents),
            "seeds": {"first": self.config.seed, "count": self.seeds},
            "mean_turns": self.mean_turns,
            "illegal": self.illegal,
            "standings": [
                {"agent": row.agent, "place": row.place, **asdict(row.score)}
                for row in self.standings
            ],
        }


def load_tournament_config(
    name: str | Path | None, options: Mapping[str, object] | None = None
) -> TournamentConfig:
    """A config by name or path over the defaults, with a command's options over it."""
    default = find_config(KIND, "default")
    sources = [default] if name is None else [default, find_config(KIND, name)]
    config = load_settings(TournamentConfig, sources, options=options)
    place = place_of("--agents" if "agents" in (options or {}) else sources[-1])
    if not 2 <= len(config.agents) <= 8:
        place.fail(f"agents must be 2 to 8 bots, one a seat, not {len(config.agents)}")
    return config


def play_tournament(
    config: TournamentConfig, trust: bool = False, progress: Progress = lambda _: None
) -> Tournament:
    """Play every seed in every rotation of the seats. The same config gives the same games."""
    line_up = entrants(config.agents, trust)
    matches = schedule(config)
    options = config.options()
    options.load()
    results = play_matches(line_up, matches, options, progress)
    return summary(config, line_up, matches, results)


def schedule(config: TournamentConfig) -> list[Match]:
    """The games: as many seeds as are needed for the number of games, each in every rotation."""
    seats = len(config.agents)
    seeds = -(-config.games // seats)
    return rotated(seats, seeds * seats, config.seed)


def summary(
    config: TournamentConfig,
    line_up: Sequence[Entrant],
    matches: Sequence[Match],
    results: Results,
) -> Tournament:
    """Who did how well, the best first."""
    ranks = results.by_entrant(matches)
    wins, places = shares_of_wins(ranks), shared_places(ranks)
    truncated = results.truncated.astype(bool)
    rows = [
        Standing(number + 1, entrant.name, score(wins[:, number], places[:, number], truncated))
        for number, entrant in enumerate(line_up)
    ]
    rows.sort(key=lambda row: (-row.score.wins, row.score.mean_rank, row.place))
    illegal = {e.name: 0 for e in line_up}
    for entrant, count in zip(line_up, results.illegal.tolist(), strict=True):
        illegal[entrant.name] += count
    return Tournament(
        config=config,
        standings=tuple(rows),
        seeds=len({match.seed for match in matches}),
        mean_turns=float(results.turns.mean()),
        illegal=illegal,
    )


def write_report(found: Tournament, folder: Path) -> list[Path]:
    """Write results.json, table.csv and win_rates.png; the paths written."""
    paths = [folder / name for name in ("results.json", "table.csv", "win_rates.png")]
    full = {**found.as_json(), "config": asdict(found.config), **provenance()}
    write_atomic(paths[0], as_json(full))
    write_atomic(paths[1], as_csv([as_row(row.agent, row.score) for row in found.standings]))
    plot_win_rates(
        [(row.agent, row.score) for row in found.standings],
        1 / len(found.config.agents),
        paths[2],
    )
    return paths
