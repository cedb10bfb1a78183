"""The page of speeds, docs/bench.md, written from the file of one run."""

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

`monopoly-env bench` measures all of this on your machine; `--only` takes single measures, `--json
FILE` keeps them, `--growth` adds the tables of growth, `--anchors` measures other projects that are
installed, `--compare FILE` or `--compare REVISION` sets two versions against each other: each side
is measured with its own bench, in turn, and figures of the same name are compared.

"""
HOW = """
## How it is measured

A figure is the median of its rounds; beside it stand the least and the greatest of them. Rates are
by the processor time of one process on one core, which other programs disturb less than the clock;
threads and processes are compared by the clock. What is compared within a run is measured in turn,
so that whatever else the machine does meets both sides. Four players, full rules, deals composed in
steps, unless a line says otherwise. Choosing the actions from outside is not counted in `batch_step`:
it is the learner's. Random play draws a kind of action first, then one of that kind.

Reference figures were taken once on another machine of this kind (one process, two cores of an AMD
EPYC guest, Python 3.11); they are rounded. Those in the last column were measured in this same run.

`monopoly-env bench --page docs --peers PYTHON` measures all of it and writes this page; PYTHON has
`pettingzoo`, `pygame`, `open_spiel` and `catanatron` installed. The run itself is kept in `bench.json`.

## What this says, and what it does not

The games beside ours are other games. Steps a second compare what a learner gets for its time, not
how well a program is written: a step of Monopoly with its deals is more than one of tic-tac-toe, and
less than one of chess. Simpler games are faster: stepped from outside, connect four in pgx and tetris
in PufferLib take several times as many steps a second as ours. What the figures support is that a
masked board game of many players with full rules need not be slower than simple ones often are.

With a learner attached, the learner takes most of the time: `sb3_share` and `ppo_batched_share` say
how much of the speed is left that the same loop has over an environment that does nothing.

Compiling is paid once a machine, when something is first used; `monopoly-env compile` does all of
it ahead, also into a folder for other machines: [caches.md](caches.md).
"""


def bench_page(run: BenchRun) -> str:
    """The page."""
    parts = [HEAD.replace("# Speed\n\n", f"# Speed\n\n{NOTE}", 1), conditions(run), figures(run)]
    parts += [details(run.results), beside(run)]
    if run.curves:
        parts.append("\n## How it grows\n" + "".join(map(growth_table, run.curves)))
    return "".join([*parts, HOW])


def write_page(run: BenchRun, folder: Path) -> None:
    """Write the run and its page into a folder."""
    run.write(folder / DATA)
    write_atomic(folder / PAGE, bench_page(run))


def page_of(folder: Path) -> dict[str, str]:
    """The page by its name, if its run lies in the folder."""
    data = folder / DATA
    return {PAGE: bench_page(read(data))} if data.exists() else {}


def conditions(run: BenchRun) -> str:
    """What the run was made on."""
    about, versions = run.machine, run.machine["versions"]
    packages = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    order = ", before all other programs (`chrt -f 10`)" if about["real_time"] else ""
    checks = " Bounds checks were on, which slows everything." if about["bounds_checks"] else ""
    return (
        f"{about['processor']}, {about['cores']} cores, {about['system']}, "
        f"Python {about['python']}; {packages}. About {run.seconds:g} s a measure{order}.{checks}\n\n"
    )


def figures(run: BenchRun) -> str:
    """Every figure, with its spread."""
    rows = [
        (f"`{one.name}`", number(one.value), spread(one), one.unit, one.what) for one in run.results
    ]
    return table(("name", "value", "rounds", "unit", "what"), rows)


def number(value: float) -> str:
    """A figure with as many digits as mean something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def spread(one: Result) -> str:
    """The least and the greatest round, if there are several."""
    few = len(one.rounds) < 2
    return "" if few else f"{number(min(one.rounds))} to {number(max(one.rounds))}"


def details(results: Sequence[Result]) -> str:
    """What was noted beside the figures."""
    rows = [
        (f"`{one.name}`", name.replace("_", " "), detail_text(value))
        for one in results
        for name, value in one.detail.items()
    ]
    return "\n### Beside the figures\n\n" + table(("name", "what", "value"), rows) if rows else ""


def detail_text(value: Any) -> str:
    """A detail in words."""
    if isinstance(value, dict):
        between = "; " if any(isinstance(part, dict) for part in value.values()) else ", "
        return between.join(f"{name} {detail_text(part)}" for name, part in value.items())
    if isinstance(value, float) and 0 < value < 1:
        return f"{value:.2g}"
    return number(value) if isinstance(value, int | float) else str(value)


def beside(run: BenchRun) -> str:
    """The anchors of every figure that has some."""
    measured = {row["peer"]: row.get("steps_per_s") for row in run.peers}
    rows = [
        _anchor_row(one, anchor, measured)
        for one in run.results
        for anchor in REFERENCE.get(one.name, ())
    ]
    skipped = sorted({row["skipped"] for row in run.peers if "skipped" in row})
    head = ("name", "ours", "unit", "what stands beside it", "reference machine", "this run")
    text = "\n## Beside other projects\n\n" + table(head, rows) if rows else ""
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
    """One curve: the rates, and each over the first."""
    first = next(iter(curve.points.values()))
    rows = [(n, number(rate), f"{rate / first:.2f}") for n, rate in curve.points.items()]
    head = (curve.by, curve.unit, f"÷ that of {next(iter(curve.points))}")
    return f"\n`{curve.name}` by {curve.by}: {curve.what}.\n\n{table(head, rows)}"
