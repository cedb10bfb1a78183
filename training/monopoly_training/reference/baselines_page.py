"""Generate docs/baselines.md from the results of the scripted bots' tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError
from monopoly_env.files import read_json, without_digest
from monopoly_training.common.markdown import NOTE, table

FOLDER, PAGE = "baselines", "baselines.md"
TOURNAMENTS = {
    "baselines": "Four players",
    "duels": "Two players",
}
HEAD = f"""# Baselines

{NOTE}Tournaments of the scripted bots under the full rules: classic, deals in steps, decisions between
turns. Each line-up plays each seed in every rotation of its seats. [bots.md](bots.md) describes the bots,
and [tournaments.md](tournaments.md#results) defines the numbers.

"""
FOOT = """
## Reproducing these results

```sh
monopoly-env tournament baselines --out runs/baselines --jobs 2
monopoly-env tournament duels --out runs/duels --jobs 2
```

The same config gives the same games. This page is generated from the results in `docs/baselines/`: copy
`results.json` of a run there under its config's name, then run `monopoly-env docs`.
"""
Results = dict[str, Any]


def baselines_page(by_name: dict[str, Results]) -> str:
    """Return the page, given each tournament's ``results.json`` by config name."""
    parts = [HEAD]
    for name, title in TOURNAMENTS.items():
        if name in by_name:
            parts += [f"## {title}\n\n", *section(name, by_name[name])]
    return "".join([*parts, FOOT])


def page_of(folder: Path) -> dict[str, str]:
    """Return the page by name, if the folder of pages has results."""
    paths = {name: folder / FOLDER / f"{name}.json" for name in TOURNAMENTS}
    by_name = {name: results_in(path) for name, path in paths.items() if path.exists()}
    return {PAGE: baselines_page(by_name)} if by_name else {}


def results_in(path: Path) -> Results:
    """Read a tournament's results. Raises: FileError, one line, if they are damaged."""
    location = FileError.at(path)
    results = read_json(path, location, "copy the results.json of a tournament there")
    if not isinstance(results, dict):
        location.fail("holds no results of a tournament")
    return without_digest(results, location)


def section(name: str, results: Results) -> Iterator[str]:
    """Yield the section on one tournament."""
    chance = 1 / results["seats_a_table"]
    yield (
        f"`monopoly-env tournament {name}`: {results['games']:,} games, seeds "
        f"{results['seeds']['first']} to {results['seeds']['first'] + results['seeds']['count'] - 1}, "
        f"{results['turns']['mean']:.0f} turns per game, {results['truncated'] / results['games']:.1%} "
        f"truncated. The even share is {chance:.0%}.\n\n"
    )
    yield standings(results)
    yield "\nHow often the row's bot finishes ahead of the column's bot, in % of their games:\n\n"
    yield head_to_head(results)
    yield "\nWins by seat: " + ", ".join(
        f"{row['seat']} {row['win_rate']:.1%}" for row in results["seats"]
    )
    yield (
        f". Python {results['python']}, monopoly-env {results['packages']['monopoly-env']}, Numba "
        f"{results['packages']['numba']}.\n\n"
    )


def standings(results: Results) -> str:
    """Return the table of standings."""
    head = ("bot", "games", "wins", "95%", "by seeds", "mean rank", "rating", "truncated")
    rows = []
    for row in results["standings"]:
        rating = row["rating"]
        rows.append(
            (
                row["agent"],
                f"{row['games']:,}",
                f"{row['win_rate']:.1%}",
                interval(row["ci95"]),
                interval(row["win_rate_by_seed"]),
                f"{row['mean_rank']:.2f}",
                rating_text(rating),
                f"{row['truncated'] / row['games']:.1%}",
            )
        )
    return table(head, rows)


def rating_text(rating: Any) -> str:
    """Format a rating with its interval."""
    if rating["ci95"] is None:
        return "" if rating["elo"] is None else f"{rating['elo']:.0f}"
    low, high = rating["ci95"]
    return f"{rating['elo']:.0f} ({low:.0f} to {high:.0f})"


def interval(bounds: list[float]) -> str:
    """Format an interval in percent."""
    return f"{100 * bounds[0]:.1f} to {100 * bounds[1]:.1f}"


def head_to_head(results: Results) -> str:
    """Return the head-to-head table."""
    names = [row["agent"] for row in results["standings"]]
    ahead = {(row["agent"], row["against"]): row["ahead"] for row in results["head_to_head"]}
    rows = [
        (name, *(f"{100 * ahead[name, other]:.0f}" if name != other else "" for other in names))
        for name in names
    ]
    return table(("", *names), rows)
