"""Simulation that checks luck adjustment: means must not change, and variance should fall.

``python -m monopoly_training.luck.simulation --games 20000`` plays twelve line-ups and prints a
table with the plain and the adjusted win rate of the first bot, their distance in standard errors
of the difference, and the variance ratio.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np
import typer

from monopoly_env.envs.options import TableOptions
from monopoly_training.luck.estimator import JUDGES, LuckEstimator
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.runner import Players, play_seating
from monopoly_training.matches.schedule import SEATS

FIRST_SEED = 40_000_000
SEEDS_EACH = 1_000_000  # each line-up has its own seeds
FIXED, STRATEGISTS = ("fixed_a", "fixed_b", "fixed_c"), ("strategist",) * 3


@dataclass(frozen=True)
class LineUp:
    """A line-up, whose first bot is judged, and the rules of its games."""

    agents: tuple[str, ...]
    deals: str
    edition: str = "classic"
    mode: str = "standard"

    def options(self) -> TableOptions:
        """Return the options as environments take them."""
        return TableOptions(
            edition=self.edition,
            mode=self.mode,
            num_players=len(self.agents),
            deals=self.deals,  # type: ignore[arg-type]  # one of the three
            windows="all" if self.deals == "steps" else "own",
            any_players=True,
            skip_forced=True,
        )

    def __str__(self) -> str:
        more = (
            ""
            if (self.edition, self.mode) == ("classic", "standard")
            else (f", {self.edition} {self.mode}")
        )
        return f"{self.agents[0]} against {', '.join(self.agents[1:])}, {self.deals}{more}"


LINE_UPS = (
    LineUp(("strategist", *FIXED), "menu"),
    LineUp(("veteran", *STRATEGISTS), "menu"),
    LineUp(("veteran", *STRATEGISTS), "steps"),
    LineUp(("veteran", *FIXED), "steps"),
    LineUp(("fixed_a", "fixed_b", "fixed_c", "background"), "off"),
    LineUp(("strategist", "veteran"), "menu"),
    LineUp(("strategist", "veteran"), "steps"),
    LineUp(("fixed_a", "background"), "off"),
    LineUp(("fixed_c", "strategist", "random", "background"), "menu", "kanto2014"),
    LineUp(("strategist", *FIXED), "menu", "pokemon1999", "short"),
    LineUp(("background", "random", "strategist", "fixed_b", "fixed_c", "veteran"), "menu"),
    LineUp(("veteran", "fixed_a", "strategist"), "menu", "yugioh2016"),
)


@dataclass(frozen=True)
class Comparison:
    """Plain and adjusted means of one line-up, with one judge."""

    line_up: str
    judge: str
    games: int
    plain: float
    plain_error: float
    adjusted: float
    adjusted_error: float
    luck_in_errors: float  # mean luck divided by its standard error
    variance_ratio: float


def compare(line_up: LineUp, judges: Sequence[str], games: int, seed: int) -> Iterator[Comparison]:
    """Play a line-up and measure luck with each judge."""
    options, bots = line_up.options(), entrants(line_up.agents)
    editions, takers = options.editions(), [LuckEstimator(judge) for judge in judges]
    wins, luck = np.zeros(games), np.zeros((len(judges), games))
    with closing(Players(bots)) as players:
        for row, match in enumerate(SEATS["random"](len(bots), games, seed)):
            seeds, seat = np.array([match.seed]), match.seating.index(0)
            for _, outcome in play_seating(players, match.seating, seeds, options, lambda _: True):
                assert outcome.actions is not None
                wins[row] = (outcome.ranks[seat] == 1) / outcome.ranks.count(1)
                edition = editions.for_seed(match.seed)
                for k, taker in enumerate(takers):
                    measured = taker.of_seed(edition, len(bots), match.seed, outcome.actions)
                    luck[k, row] = measured.total[seat]
    for judge, of_games in zip(judges, luck, strict=True):
        yield comparison(str(line_up), judge, wins, of_games)
    if len(judges) > 1:  # the luck by a mean of judges is the mean of their luck
        yield comparison(str(line_up), " and ".join(judges), wins, luck.mean(axis=0))


def comparison(line_up: str, judge: str, wins: Any, luck: Any) -> Comparison:
    """Compute the figures of a line-up from its games."""
    games, adjusted = len(wins), wins - luck
    return Comparison(
        line_up,
        judge,
        games,
        float(wins.mean()),
        float(wins.std(ddof=1)) / sqrt(games),
        float(adjusted.mean()),
        float(adjusted.std(ddof=1)) / sqrt(games),
        float(luck.mean() / (luck.std(ddof=1) / sqrt(games))),
        float(wins.var() / adjusted.var()),
    )


def row_of(found: Comparison) -> str:
    """Return a row of the table."""
    return (
        f"| {found.line_up} | {found.judge} | {found.games:,} "
        f"| {100 * found.plain:.1f} ± {100 * found.plain_error:.2f} "
        f"| {100 * found.adjusted:.1f} ± {100 * found.adjusted_error:.2f} "
        f"| {found.luck_in_errors:+.2f} | {found.variance_ratio:.2f} |"
    )


HEAD = (
    "| first bot and the others, deals | judge | games | plain, % | without luck, % "
    "| apart, se | variance ratio |\n|" + " --- |" * 7
)


def main() -> None:
    """Play the line-ups and print the table row by row."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=20_000, help="of each line-up")
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--judges", nargs="+", choices=JUDGES, default=["formula", "value"])
    parser.add_argument("--only", type=int, nargs="+", help="numbers of line-ups, from 1")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    chosen = given.only or range(1, len(LINE_UPS) + 1)
    if not given.json:
        typer.echo(HEAD)
    for number in chosen:
        seed = given.seed + SEEDS_EACH * (number - 1)
        for found in compare(LINE_UPS[number - 1], given.judges, given.games, seed):
            typer.echo(json.dumps(asdict(found)) if given.json else row_of(found))


if __name__ == "__main__":
    main()
