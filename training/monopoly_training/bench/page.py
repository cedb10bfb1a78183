"""Write the page docs/bench.md from the file of one benchmark run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from monopoly_training.bench.anchors import REFERENCE, Anchor
from monopoly_training.bench.bench_run import BenchRun, read
from monopoly_training.bench.growth import Curve
from monopoly_training.bench.timing import Result
from monopoly_training.common.files import write_atomic
from monopoly_training.common.markdown import NOTE, table

DATA, PAGE = "bench.json", "bench.md"
HEAD = """# Speed

`monopoly-env bench` runs these benchmarks on your machine. `--only` selects some, `--json FILE` saves the
results, `--growth` adds the scaling tables, and `--anchors` measures other installed projects. `--compare FILE` or
`--compare REVISION` compares two versions: each runs its own benchmarks, in turn, and results with the
same name are compared.

"""
LIMITS = """
`limit`: the observations with masks that the same core could copy in a second (`copy_bytes`, divided by the
bytes of a row).
"""
HOW = """
## Method

Each value is the median of several rounds, shown with the minimum and maximum. Rates use the CPU time of one
process on one core, which is less sensitive to other programs than wall time; threads and processes are
compared by wall time. Values that are compared within a run are measured in alternation, so that other load
affects both sides. Games have four players and full rules with deals in steps, unless noted. `batch_step`
excludes the time to choose actions, which belongs to the learner. Random play samples a kind of action, then an
action of that kind.

The reference values were measured once on a similar machine (one process, two cores of an AMD
EPYC VM, Python 3.11) and are rounded. The last column was measured in this run.

`monopoly-env bench --page docs --peers PYTHON` runs everything and writes this page; PYTHON needs
`pettingzoo`, `pygame`, `open_spiel` and `catanatron`. The results are stored in `bench.json`.

## Limitations

The other projects implement different games. Steps per second say how much data a learner gets, not
how efficient a program is: a step of Monopoly with deals is more work than a step of tic-tac-toe, and
less than one of chess. Simpler games can be faster: batched connect four in pgx and tetris
in PufferLib run several times as many steps per second. The figures show that a masked multiplayer board game with
full rules can be as fast as simple games often are.

In training, the learner takes most of the time: `sb3_share` and `ppo_batched_share` compare the
speed with that of the same loop on an environment that does nothing.

Code is compiled once per machine, on first use. `monopoly-env compile` compiles everything ahead of time, if you like
into a folder for other machines: [caches.md](caches.md).
"""


def bench_page(run: BenchRun) -> str:
    """Return the page."""
    parts = [HEAD.replace("# Speed\n\n", f"# Speed\n\n{NOTE}", 1), conditions(run), figures(run)]
    parts += [details(run.results), beside(run)]
    if run.curves:
        parts.append("\n## Scaling\n" + "".join(map(growth_table, run.curves)))
    return "".join([*parts, HOW])


def write_page(run: BenchRun, folder: Path) -> None:
    """Write the run and its page to a folder."""
    run.write(folder / DATA)
    write_atomic(folder / PAGE, bench_page(run))


def page_of(folder: Path) -> dict[str, str]:
    """Return the page by its name, if the folder holds a run."""
    data = folder / DATA
    return {PAGE: bench_page(read(data))} if data.exists() else {}


def conditions(run: BenchRun) -> str:
    """Describe the conditions of the run."""
    about, versions = run.machine, run.machine["versions"]
    packages = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    order = ", with real-time priority (`chrt -f 10`)" if about["real_time"] else ""
    checks = " Bounds checks were on, which slows everything." if about["bounds_checks"] else ""
    return (
        f"{about['processor']}, {about['cores']} cores, {about['system']}, "
        f"Python {about['python']}; {packages}. About {run.seconds:g} s per benchmark{order}.{checks}\n\n"
    )


def figures(run: BenchRun) -> str:
    """Return the table of all results with their spread."""
    columns = ("name", "value", "rounds", "limit", "unit", "what")
    rows = [
        (f"`{one.name}`", number(one.value), spread(one), limit(one), one.unit, one.what)
        for one in run.results
    ]
    if any(limit(one) for one in run.results):
        return table(columns, rows) + LIMITS
    place = columns.index("limit")
    return table(
        columns[:place] + columns[place + 1 :], [row[:place] + row[place + 1 :] for row in rows]
    )


def limit(one: Result) -> str:
    """Format what the machine could do at most, where the benchmark says so."""
    return number(one.detail["limit"]) if "limit" in one.detail else ""


def number(value: float) -> str:
    """Format a value with its significant digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def spread(one: Result) -> str:
    """Format the range over rounds, if there are several."""
    few = len(one.rounds) < 2
    return "" if few else f"{number(min(one.rounds))} to {number(max(one.rounds))}"


def details(results: Sequence[Result]) -> str:
    """Return the table of the results' details."""
    rows = [
        (f"`{one.name}`", name.replace("_", " "), detail_text(value))
        for one in results
        for name, value in one.detail.items()
    ]
    return "\n### Details\n\n" + table(("name", "what", "value"), rows) if rows else ""


def detail_text(value: Any) -> str:
    """Format a detail as text."""
    if isinstance(value, dict):
        between = "; " if any(isinstance(part, dict) for part in value.values()) else ", "
        return between.join(f"{name} {detail_text(part)}" for name, part in value.items())
    if isinstance(value, float) and 0 < value < 1:
        return f"{value:.2g}"
    return number(value) if isinstance(value, int | float) else str(value)


def beside(run: BenchRun) -> str:
    """Return the table of reference figures."""
    measured = {row["peer"]: row.get("steps_per_s") for row in run.peers}
    rows = [
        _anchor_row(one, anchor, measured)
        for one in run.results
        for anchor in REFERENCE.get(one.name, ())
    ]
    skipped = sorted({row["skipped"] for row in run.peers if "skipped" in row})
    head = ("name", "monopoly-env", "unit", "other project", "reference machine", "this run")
    text = "\n## Other projects\n\n" + table(head, rows) if rows else ""
    return text + ("\nNot measured: " + "; ".join(skipped) + ".\n" if skipped else "")


def _anchor_row(one: Result, anchor: Anchor, measured: dict[str, Any]) -> Iterable[str]:
    here = measured.get(anchor.here)
    return (
        f"`{one.name}`",
        number(one.value),
        one.unit,
        anchor.peer,
        number(anchor.rate),
        number(here) if here else "",
    )


def growth_table(curve: Curve) -> str:
    """Return the table of one scaling curve: rates, and ratios to the first."""
    first = next(iter(curve.points.values()))
    rows = [(n, number(rate), f"{rate / first:.2f}") for n, rate in curve.points.items()]
    head = (curve.by, curve.unit, f"÷ that of {next(iter(curve.points))}")
    return f"\n`{curve.name}` by {curve.by}: {curve.what}.\n\n{table(head, rows)}"
