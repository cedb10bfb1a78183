"""Generate docs/statistics.md: error rates of tests and coverage of intervals, by simulation.

Run ``python -m monopoly_training.reference.statistics_page``. It simulates seeds whose games have
known correlations, so that the true values are known. The output is deterministic.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import numpy as np

from monopoly_env.engine.state import Float64s, Int64s
from monopoly_training.common.markdown import table
from monopoly_training.stats.bootstrap import intervals_of_ratio
from monopoly_training.stats.paired import p_value
from monopoly_training.stats.ratings import ELO, RankedGames, rate
from monopoly_training.stats.sprt import Sprt
from monopoly_training.stats.win_rates import wilson

GAMES = 4  # per seed
TRIALS = 1000  # simulated trials of each kind
DRAWS = 200  # bootstrap draws for ratings
Model = Callable[[float, tuple[int, ...], np.random.Generator], Int64s]
Ratios = Callable[[Sprt, Int64s], Float64s]


# Models of seeds: (win rate, shape, generator) -> wins in the games of each seed, int[shape]


def independent(rate: float, shape: tuple[int, ...], generator: np.random.Generator) -> Int64s:
    """Independent games."""
    return generator.binomial(GAMES, rate, shape)


def alike(rate: float, shape: tuple[int, ...], generator: np.random.Generator) -> Int64s:
    """All games of a seed have the same result: the dice decide."""
    return GAMES * (generator.random(shape) < rate).astype(np.int64)


def partly_alike(rate: float, shape: tuple[int, ...], generator: np.random.Generator) -> Int64s:
    """Half of the seeds are alike, half independent."""
    some = generator.random(shape) < 0.5
    return np.where(some, alike(rate, shape, generator), independent(rate, shape, generator))


def opposed(rate: float, shape: tuple[int, ...], generator: np.random.Generator) -> Int64s:
    """The games of a seed split the wins: the seats decide."""
    return np.floor(GAMES * rate + generator.random(shape)).astype(np.int64)


MODELS: tuple[Model, ...] = (independent, alike, partly_alike, opposed)


# The sequential test


def by_seeds(test: Sprt, wins: Int64s) -> Float64s:
    """Return the test's log likelihood ratios after each seed, float64[trials, seeds]."""
    counts = np.cumsum(wins[..., None] == np.arange(GAMES + 1), axis=1).astype(float)
    return test.ratios(np.arange(GAMES + 1) / GAMES, counts)


def by_games(test: Sprt, wins: Int64s) -> Float64s:
    """Return the ratios of a test that assumes independent games."""
    won, games = np.cumsum(wins, axis=1), GAMES * np.arange(1, wins.shape[1] + 1)
    lost = np.log((1 - test.p1) / (1 - test.p0))
    ratios: Float64s = won * np.log(test.p1 / test.p0) + (games - won) * lost
    return ratios


def trial_errors(
    test: Sprt, model: Model, rate: float, ratios: Ratios, trials: int, seeds: int
) -> tuple[float, float, float]:
    """Return the rates of wrong and missing decisions, and the mean number of seeds.

    ``rate`` is p0 or p1 of the test; ``seeds`` the maximum length of a trial.
    """
    low, high = test.bounds
    wrong = undecided = 0
    taken = 0.0
    generator = np.random.default_rng(11)
    for _ in range(-(-trials // 100)):  # in chunks, to limit memory
        found = ratios(test, model(rate, (100, seeds), generator))
        outside = (found <= low) | (found >= high)
        decided = outside.any(axis=1)
        at = np.where(decided, outside.argmax(axis=1), seeds - 1)
        last = found[np.arange(100), at]
        wrong += int(np.sum(decided & (last >= high if rate == test.p0 else last <= low)))
        undecided += int(np.sum(~decided))
        taken += float(np.sum(at + 1))
    count = 100 * -(-trials // 100)
    return wrong / count, undecided / count, taken / count


# Intervals and p-values


def share_inside(
    model: Model, rate: float, seeds: int, experiments: int
) -> tuple[float, float, float]:
    """Return the coverage of intervals by seed, of Wilson's, and of paired differences.

    The pair are two equally strong bots, which share the luck of half of their seeds.
    """
    generator = np.random.default_rng(8)
    wins = model(rate, (seeds, experiments), generator).astype(float)
    ends = intervals_of_ratio(wins, np.full_like(wins, GAMES))
    seeded = np.mean([e is not None and e[0] <= rate <= e[1] for e in ends])
    naive = np.mean(
        [w[0] <= rate <= w[1] for w in (wilson(won, GAMES * seeds) for won in wins.sum(axis=0))]
    )
    difference = paired_difference(wins, model, rate, generator)
    ends = intervals_of_ratio(difference, np.ones_like(difference))
    paired = np.mean([e is not None and e[0] <= 0 <= e[1] for e in ends])
    return float(seeded), float(naive), float(paired)


def paired_difference(
    wins: Float64s, model: Model, rate: float, generator: np.random.Generator
) -> Float64s:
    """Return differences in score by seed of two equally strong bots that share luck."""
    apart = model(rate, wins.shape, generator)
    other = np.where(generator.random(wins.shape) < 0.5, wins, apart)
    difference: Float64s = (wins - other) / GAMES
    return difference


def false_alarms(
    model: Model, rate: float, seeds: int, experiments: int, flips: int = 2000
) -> float:
    """Return how often the p-value of two equally strong bots is below 5%."""
    generator = np.random.default_rng(9)
    wins = model(rate, (seeds, experiments), generator).astype(float)
    differences = paired_difference(wins, model, rate, generator)
    found = [p_value(column, flips, number) for number, column in enumerate(differences.T)]
    return float(np.mean(np.array(found) < 0.05))


def ratings_inside(seeds: int, experiments: int) -> float:
    """Return the coverage of rating intervals, over bots and simulated tournaments.

    The four bots' strengths vary by seed, which correlates the games of a seed. The true ratings
    are estimated from a very large number of games.
    """
    generator = np.random.default_rng(7)
    strengths = np.array([0.4, 0.2, 0.0, -1.0])

    def play(count: int) -> RankedGames:
        luck = np.repeat(generator.normal(0, 1, (count, 4)), GAMES, axis=0)
        drawn = generator.gumbel(size=(GAMES * count, 4)) + strengths + luck
        ranks = (-drawn).argsort(axis=1).argsort(axis=1) + 1
        seating = np.tile(np.arange(4), (GAMES * count, 1))
        return RankedGames(4, seating, ranks.astype(np.int8), np.repeat(np.arange(count), GAMES))

    truth = [rating.elo or 0.0 for rating in rate(play(50_000), 3, draws=1)]
    inside = [
        found.ci95 is not None and found.ci95[0] <= elo <= found.ci95[1]
        for _ in range(experiments)
        for found, elo in list(zip(rate(play(seeds), 3, DRAWS), truth, strict=True))[:3]
    ]
    return float(np.mean(inside))


# The page


def page() -> Iterator[str]:
    """Yield the parts of the page."""
    yield (
        "# Accuracy of the statistics\n\n"
        "<!-- Written by `python -m monopoly_training.reference.statistics_page > docs/statistics.md`. -->\n\n"
        "This page measures by simulation how often tests err and intervals miss the true value. Each seed has "
        "four games with a known correlation: *independent*; *alike*, all games of a seed have the same result; "
        "*partly alike*, half of the seeds are alike and half independent; *opposed*, the games of a seed split "
        "the wins evenly. The command takes a few minutes and always gives the same numbers.\n\n"
        "## The sequential test\n\n"
        "The nominal error rate is 5%, with 1,000 trials per row (standard error 0.7 points). *By games* is "
        "a test that assumes independent games. *Seeds* is the mean length of a trial.\n\n"
    )
    rows = []
    for p0, p1, seeds in ((0.25, 0.30, 2500), (0.25, 0.45, 250)):
        test = Sprt(p0, p1)
        for model in MODELS:
            rows += [trial_row(test, model, truth, seeds) for truth in (p0, p1)]
    head = ("p0, p1", "games", "true", "wrong", "undecided", "seeds", "wrong, by games")
    yield table(head, rows)
    yield (
        "\n## Intervals and p-values\n\n"
        "Coverage of 95% intervals over 1,000 experiments per row: the bootstrap by "
        "seed, the Wilson interval, and the bootstrap of the difference between two equal bots that share the "
        "luck of half of their seeds. The last column is how often the p-value of these two bots is below 5%.\n\n"
    )
    rows = []
    for model in MODELS:
        for seeds in (25, 100):
            inside = share_inside(model, 0.25, seeds, TRIALS)
            alarms = false_alarms(model, 0.25, seeds, TRIALS)
            rows.append((name(model), f"{seeds}", *(f"{share:.1%}" for share in (*inside, alarms))))
    yield table(("games", "seeds", "by seed", "Wilson", "difference", "p < 5%"), rows)
    yield (
        "\nCoverage of 95% intervals of ratings, for four bots and partly alike games: "
        f"{ratings_inside(50, 60):.1%} with 50 seeds, {ratings_inside(200, 60):.1%} "
        "with 200 (60 tournaments each).\n\n"
        f"A difference of {ELO:.1f} rating points is a factor of e in Plackett-Luce strength.\n"
    )


def trial_row(test: Sprt, model: Model, truth: float, seeds: int) -> tuple[str, ...]:
    """Return a row on the sequential test."""
    wrong, undecided, taken = trial_errors(test, model, truth, by_seeds, TRIALS, seeds)
    naive, *_ = trial_errors(test, model, truth, by_games, TRIALS, seeds)
    return (
        f"{test.p0:g}, {test.p1:g}",
        name(model),
        "p0" if truth == test.p0 else "p1",
        f"{wrong:.1%}",
        f"{undecided:.1%}",
        f"{taken:,.0f}",
        f"{naive:.1%}",
    )


def name(model: Model) -> str:
    """Return a model's name."""
    return model.__name__.replace("_", " ")


if __name__ == "__main__":
    for part in page():
        sys.stdout.write(part)
        sys.stdout.flush()
