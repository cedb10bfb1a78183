"""Write a tournament's report: results as JSON, CSV and Parquet, plots, and an HTML page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import yaml

from monopoly_env.errors import FileError
from monopoly_env.extras import hint, is_installed
from monopoly_env.files import file_digest, open_file, with_digest
from monopoly_env.records import read_records
from monopoly_training.behavior.figures import FIGURES
from monopoly_training.behavior.summary import Behavior, behavior_rows, label
from monopoly_training.common.files import (
    as_json,
    check_written,
    provenance,
    read_with_digest,
    write_atomic,
)
from monopoly_training.common.progress import percent
from monopoly_training.evaluation.score_table import as_csv, as_row, interval, interval_to_show
from monopoly_training.matches.bot_errors import faults_in_words, first_errors
from monopoly_training.matches.outcome import FAULTS
from monopoly_training.stats.bootstrap import Interval
from monopoly_training.tournament import html
from monopoly_training.tournament.game_table import write_games
from monopoly_training.tournament.ledger import RECORDS
from monopoly_training.tournament.order_text import PLACES, cycles_text, places_rows, share_text
from monopoly_training.tournament.plots import Picture, draw
from monopoly_training.tournament.replays import Replay, write_replays
from monopoly_training.tournament.summary import (
    PERCENTILES,
    Standing,
    TournamentResult,
    names_of,
    percentiles,
)
from monopoly_training.tournament.trajectories import WealthHistory, wealth_history

RESULTS = "results.json"
WRITTEN = (
    RESULTS,
    "table.csv",
    "report.html",
    "games.csv",
    "games.parquet",
    *(f"{name}.png" for name in ("win_rates", "ratings", "head_to_head", "length", "money")),
)
MOST_HISTORIES = 200  # recorded games that are replayed for the plot of money

LEAST_P = 1e-4  # smaller p-values are not resolved by the number of random sign flips

DECISIONS = {
    "p1": "it is more than p0: p1 is decided",
    "p0": "it does not reach p1: p0 is decided",
}


def write_report(result: TournamentResult, folder: Path) -> list[Path]:
    """Write all files of the report and return their paths.

    results.json is written last and holds a digest of each other file.
    """
    results, table, page = (folder / name for name in (RESULTS, "table.csv", "report.html"))
    versions = provenance()
    write_atomic(table, as_csv([csv_row(row) for row in result.standings]))
    pictures = draw(result, read_histories(folder), folder) if is_installed("matplotlib") else []
    replays = write_replays(folder)
    write_atomic(page, report_page(result, pictures, versions, first_errors(folder), replays))
    shown = dict.fromkeys(one.file for one in replays)
    others = [table, page, *write_games(result.games, folder), *(one.path for one in pictures)]
    others += [folder / name for name in shown]
    files = {path.relative_to(folder).as_posix(): digest_of_file(path) for path in others}
    full = {**result.as_json(), "config": asdict(result.config), "files": files, **versions}
    write_atomic(results, as_json(with_digest(full)))
    return [results, *others]


def left_out() -> str | None:
    """Return one line on what is missing because a package is not installed, or None."""
    parts = {"matplotlib": "pictures", "pyarrow": "games.parquet"}
    missing = [package for package in parts if not is_installed(package)]
    if not missing:
        return None
    lacking = " and ".join(parts[package] for package in missing)
    packages = " and ".join(missing)
    are = "are" if len(missing) > 1 else "is"
    return f"without {lacking}: {packages} {are} not installed; {hint(missing[0])}"


def check_report(folder: Path) -> None:
    """Warn about each file of an earlier report that is damaged or missing; all are rewritten."""
    remedy = "it is rewritten from the ledger"
    found: dict[str, Any] = {}

    def read(path: Path) -> None:
        found.update(read_with_digest(path))

    def compare(path: Path) -> None:
        if digest_of_file(path) != found["files"][path.relative_to(folder).as_posix()]:
            FileError.at(path).fail(f"is damaged: its content does not fit its digest in {RESULTS}")

    begun = any((folder / name).exists() for name in WRITTEN)
    if begun and check_written(folder / RESULTS, read, remedy):
        for name in found.get("files", ()):
            check_written(folder / name, compare, remedy)


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with open_file(path, FileError.at(path)) as file:
        return file_digest(file)


def csv_row(row: Standing) -> dict[str, object]:
    """Return one row of table.csv."""
    return {
        **as_row(row.agent, row.score),
        "place_in_line_up": row.place,
        **low_and_high("win_rate_by_seed", row.win_rate_by_seed),
        **low_and_high("mean_rank", row.mean_rank_by_seed),
        "rating": row.rating.elo,
        **low_and_high("rating", row.rating.ci95),
        **row.faults,
        **csv_luck(row),
        "microseconds_a_decision": row.microseconds,
        "timed": row.timed,
    }


def csv_luck(row: Standing) -> dict[str, object]:
    """Return the columns of the luck-adjusted win rate, if it was computed."""
    rate = row.luck_adjusted
    if rate is None:
        return {}
    return {
        "win_rate_without_luck": rate.win_rate,
        "win_rate_without_luck_se": rate.standard_error,
        "win_rate_se_by_seed": rate.plain_standard_error,
    }


def low_and_high(name: str, ends: Interval | None) -> dict[str, float | None]:
    """Return an interval as two columns, empty if it is None."""
    low, high = ends or (None, None)
    return {f"{name}_low": low, f"{name}_high": high}


def read_histories(folder: Path) -> list[WealthHistory]:
    """Return the wealth histories of a tournament's recorded games."""
    path = folder / RECORDS
    if not path.exists() or not path.stat().st_size:
        return []
    return [wealth_history(record) for record in islice(read_records(path), MOST_HISTORIES)]


# The HTML page


def report_page(
    result: TournamentResult,
    pictures: Sequence[Picture],
    versions: object,
    errors: Sequence[str] = (),
    replays: Sequence[Replay] = (),
) -> str:
    """Return the report as one HTML page; ``errors`` are the bots' first errors."""
    return html.page("Tournament", report_parts(result, pictures, versions, errors, replays))


def report_parts(
    result: TournamentResult,
    pictures: Sequence[Picture],
    versions: object,
    errors: Sequence[str],
    replays: Sequence[Replay],
) -> Iterator[str]:
    """Yield the parts of the page."""
    yield html.heading("Tournament", 1)
    yield html.paragraph(in_short(result))
    if (missing := left_out()) is not None:
        yield html.paragraph(missing)
    if result.any_faults:
        yield html.paragraph(faults_text(result))
    yield html.heading("Standings")
    yield standings_table(result)
    shown = {one.path.stem: html.picture(one.path, one.title, one.text) for one in pictures}
    if result.config.luck_adjusted is not None:
        yield html.heading("Without luck")
        yield luck_table(result)
    yield shown.get("win_rates", "")
    yield shown.get("ratings", "")
    if result.comparison is not None:
        yield html.heading("Comparison")
        yield html.paragraph(comparison_text(result))
    if result.trial is not None:
        yield html.heading("Sequential test")
        yield html.paragraph(trial_text(result))
    if replays:
        yield html.heading("Games to watch")
        yield html.links([(one.link, one.title, one.text) for one in replays])
    yield html.heading("Head to head")
    yield against_table(result)
    yield shown.get("head_to_head", "")
    yield html.heading("Nash averaging", 3)
    yield order_table(result)
    for line in cycles_text(result.order):
        yield html.paragraph(line)
    if result.behavior is not None:
        yield html.heading("Behavior")
        yield behavior_table(result.behavior)
        yield html.definitions((label(figure), figure.meaning) for figure in FIGURES)
    yield html.heading("Seats")
    yield seats_table(result)
    yield html.heading("The games")
    yield length_table(result)
    yield shown.get("length", "")
    yield shown.get("money", "")
    yield html.heading("Answers and time")
    yield answers_table(result)
    if errors:
        yield html.paragraph("The first error of each bot; tracebacks are in the folder errors:")
        yield html.code("\n".join(errors))
    yield html.heading("How it was played")
    yield html.code(yaml.safe_dump(json.loads(json.dumps(asdict(result.config))), sort_keys=False))
    yield html.code(yaml.safe_dump(versions, sort_keys=False))


def in_short(result: TournamentResult) -> str:
    """Summarize the tournament in a sentence or two."""
    games, config = result.games, result.config
    first = names_of(result.standings)[0]
    last = config.seed + result.seeds - 1
    return (
        f"{len(games):,} games of {games.seats} players, {config.edition}, {config.mode}; format "
        f"{config.format}, seeds {config.seed} to {last}, each from every seat. {first} won most "
        f"often, {percent(result.standings[0].score.win_rate)} of its games; chance is "
        f"{percent(result.chance)}."
    )


def faults_text(result: TournamentResult) -> str:
    """Describe which bots had decisions settled by the fallback rule."""
    said = [
        f"{name}: {faults_in_words([row.faults[kind] for kind in FAULTS])}"
        for name, row in zip(names_of(result.standings), result.standings, strict=True)
        if any(row.faults.values())
    ]
    return f"Decisions that a rule had to settle: {'; '.join(said)}."


def standings_table(result: TournamentResult) -> str:
    """Return the table of standings."""
    rows = []
    for name, row in zip(names_of(result.standings), result.standings, strict=True):
        score = row.score
        finished = score.win_rate_finished
        rows.append(
            (
                name,
                f"{score.games:,}",
                percent(score.win_rate),
                interval(interval_to_show(score, row.win_rate_by_seed)),
                "–" if finished is None else percent(finished),
                f"{score.mean_rank:.2f}",
                numbers(row.mean_rank_by_seed, 2),
                "–" if row.rating.elo is None else f"{row.rating.elo:.0f}",
                numbers(row.rating.ci95, 0),
                percent(score.truncated / max(score.games, 1)),
            )
        )
    return html.table(
        "Intervals are 95%, by a bootstrap over seeds with all their games; Wilson's for a bot whose "
        "games all went one way. Finished: the share won of games that no limit ended. "
        f"Rating: one Plackett-Luce fit over all games, in Elo points; {result.anchor} is 0.",
        (
            "bot",
            "games",
            "won",
            "interval",
            "finished",
            "mean rank",
            "interval",
            "rating",
            "interval",
            "truncated",
        ),
        rows,
    )


def shares(ends: Interval | None) -> str:
    """Format an interval of shares; a dash if there were too few seeds for one."""
    return "–" if ends is None else interval(ends)


def numbers(ends: Interval | None, digits: int) -> str:
    """Format an interval of numbers; a dash if there were too few seeds for one."""
    return "–" if ends is None else f"{ends[0]:.{digits}f} to {ends[1]:.{digits}f}"


def luck_table(result: TournamentResult) -> str:
    """Return the table of win rates adjusted for luck, beside the plain ones."""
    rows, judge = [], ""
    for name, row in zip(names_of(result.standings), result.standings, strict=True):
        rate = row.luck_adjusted
        if rate is not None:
            judge, ratio = f"{rate.judge} {rate.digest}", rate.variance_ratio
            rows.append(
                (
                    name,
                    percent(rate.plain_win_rate),
                    error(rate.plain_standard_error),
                    percent(rate.win_rate),
                    error(rate.standard_error),
                    "–" if ratio is None else f"{ratio:.2f}",
                    percent(rate.luck),
                )
            )
    return html.table(
        f"What throws and cards did to each bot's chance to win is taken out, judged by the {judge}. "
        "The mean stays what it is, whatever judges; the error becomes smaller, as by so many times "
        "more games. Standard errors are of means over seeds.",
        ("bot", "won", "error", "without luck", "error", "times the games", "luck"),
        rows,
    )


def error(value: float | None) -> str:
    """Format a standard error; a dash if there is only one seed."""
    return "–" if value is None else percent(value)


def trial_text(result: TournamentResult) -> str:
    """Describe the result of the sequential test."""
    trial = result.trial
    assert trial is not None  # callers check this
    test, (low, high) = trial.test, trial.test.bounds
    decided = DECISIONS[trial.decided] if trial.decided else "the games ran out undecided"
    return (
        f"{result.question} After {trial.games:,} games ({trial.seeds:,} seeds), {decided}. Log "
        f"likelihood ratio {trial.ratio:.2f}, decided at {low:.2f} and {high:.2f} "
        f"(alpha {test.alpha:g}, beta {test.beta:g})."
    )


def comparison_text(result: TournamentResult) -> str:
    """Describe how the two bots of a paired tournament compare."""
    found, (one, other) = result.comparison, names_in_order(result)[:2]
    assert found is not None  # callers check this
    return (
        f"{one} wins {percent(found.win_rates[0])} of its games, {other} "
        f"{percent(found.win_rates[1])}: a difference of {points(found.difference)} points"
        f"{in_points(found.ci95)}, {p_text(found.p_value)}. Mean ranks differ by "
        f"{found.rank_difference:+.3f}{in_numbers(found.rank_ci95)}. Over {found.seeds:,} seeds, "
        f"each from every seat: {one} won more in {found.better:,} of them, less in {found.worse:,}."
    )


def p_text(value: float) -> str:
    """Format a p-value down to the smallest that is resolved."""
    return f"p = {value:.2g}" if value >= LEAST_P else f"p < {LEAST_P:g}"


def points(share: float) -> str:
    """Format a difference of shares in signed percentage points."""
    return f"{100 * share:+.1f}"


def in_points(ends: Interval | None) -> str:
    """Format the interval of a difference in brackets; empty for None."""
    return "" if ends is None else f" (95%: {points(ends[0])} to {points(ends[1])})"


def in_numbers(ends: Interval | None) -> str:
    """Format the interval of a number in brackets; empty for None."""
    return "" if ends is None else f" (95%: {ends[0]:+.3f} to {ends[1]:+.3f})"


def names_in_order(result: TournamentResult) -> list[str]:
    """Return the entrants' labels in the order of the line-up."""
    return list(result.games.agents)


def against_table(result: TournamentResult) -> str:
    """Return the table of who finished ahead of whom."""
    names = names_of(result.standings)
    rows = [
        (
            name,
            *("" if row == column else share_text(cell) for column, cell in enumerate(cells)),
        )
        for row, (name, cells) in enumerate(zip(names, result.against, strict=True))
    ]
    return html.table(
        "How often the bot of a row finished ahead of the bot of a column, in % of the games of both, "
        "± half of the 95% interval, a bootstrap over seeds; a shared place counts one half.",
        ("bot", *names),
        rows,
    )


def behavior_table(behavior: Mapping[str, Behavior]) -> str:
    """Return the table of behavior statistics, one row per figure."""
    return html.table(
        "How bots dealt, bid and kept cash. Points are hundredths of a chance to win, by the value "
        "that comes with the package.",
        ("figure", *behavior),
        behavior_rows(list(behavior.values())),
    )


def order_table(result: TournamentResult) -> str:
    """Return the table of Nash weights and skills."""
    rows = [(row[0], *row[4:]) for row in places_rows(result.order)]
    return html.table(
        "Weights of the mixture of bots that no bot beats, and by how many percentage "
        "points more than half of their games each bot finishes ahead of it. Bots of the mixture have "
        "0: none is better in general. Copies of a bot change nothing. 95% intervals: bootstrap over "
        "seeds.",
        ("bot", *PLACES[4:]),
        rows,
    )


def seats_table(result: TournamentResult) -> str:
    """Return the table of win rates by seat."""
    rows = [
        (seat.seat, f"{seat.games:,}", percent(seat.win_rate), shares(seat.by_seed))
        for seat in result.seats
    ]
    return html.table(
        "How often each seat wins, for any bot. 95% intervals: bootstrap over seeds.",
        ("seat", "games", "won", "interval"),
        rows,
    )


def length_table(result: TournamentResult) -> str:
    """Return the table of game lengths."""
    games = result.games
    rows = [
        (name, *(f"{value:,.0f}" for value in percentiles(values).values()))
        for name, values in (("player turns", games.turns), ("decisions", games.decisions))
    ]
    share = percent(float(games.truncated.mean()))
    return html.table(
        f"A limit of turns or decisions ended {share} of the games; standings decided those.",
        (
            "a game has",
            "mean",
            *("median" if k == 50 else f"{k}th percentile" for k in PERCENTILES),
        ),
        rows,
    )


def answers_table(result: TournamentResult) -> str:
    """Return the table of faults and decision times."""
    rows = [
        (
            name,
            *(f"{row.faults[fault]:,}" for fault in FAULTS),
            f"{row.microseconds:,.1f}",
            "the bot" if row.timed == "own" else "the game",
        )
        for name, row in zip(names_of(result.standings), result.standings, strict=True)
    ]
    return html.table(
        "Illegal, late and missing answers are replaced by a fallback rule. Compiled bots cannot be "
        "timed separately: the table shows the time of the whole game per decision.",
        ("bot", *(fault.replace("_", " ") for fault in FAULTS), "µs per decision", "time of"),
        rows,
    )
