"""Two versions against each other: this tree and an earlier run, or this tree and a revision.

A revision is checked out into a temporary worktree with a folder for compiled code of its own. Both
sides are measured in turn, in fresh processes, each with its own bench, because a bench reaches
into what it measures; figures of the same name are compared. So what other programs do to the
machine meets both sides, and a ratio is worth as much as both benches mean the same by a name.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from monopoly_env.errors import InputError
from monopoly_training.bench.bench_run import read
from monopoly_training.bench.timing import Result

ROUNDS = 5
QUICK = ("engine_mask", "one_call", "games_bots", "batch_step", "aec_raw", "aec_env")
ONCE = ("compile_cold_s",)  # measures that take minutes, however many seconds they are given
BRIEF = 0.05  # seconds a measure, to have everything compiled
ROOT = Path(__file__).resolve().parents[3]  # of the checkout, if this is one

# What runs on each side, of any revision: `bench.MEASURES` names the measures, `bench.run(names,
# seconds)` gives figures with a name, a value and a unit.
SIDE = """
import json, sys
from monopoly_training import bench
names = [name for name in sys.argv[1].split(",") if name in bench.MEASURES]
figures = bench.run(names, float(sys.argv[2]))
print(json.dumps([[one.name, one.value, one.unit] for one in figures]))
"""

Figures = dict[str, list[Result]]  # by name: one a round


@dataclass(frozen=True)
class Ratio:
    """A figure of this tree over one of the other; the least and the greatest that rounds gave."""

    name: str
    unit: str
    ours: float
    theirs: float
    ratio: float
    low: float
    high: float


# With an earlier run


def with_file(results: Sequence[Result], path: Path) -> list[Ratio]:
    """What was measured now over what a file holds, where both have it."""
    theirs = {result.name: result for result in read(path).results}
    return [_over(one, theirs[one.name]) for one in results if one.name in theirs]


def _over(ours: Result, theirs: Result) -> Ratio:
    mine, other = ours.rounds or (ours.value,), theirs.rounds or (theirs.value,)
    return Ratio(
        ours.name,
        ours.unit,
        ours.value,
        theirs.value,
        ours.value / theirs.value,
        min(mine) / max(other),
        max(mine) / min(other),
    )


# With a revision


def with_revision(
    revision: str, names: Sequence[str], seconds: float, log: Callable[[str], None]
) -> list[Ratio]:
    """This tree over a revision of it, measured in turn; ``log`` takes what is going on.

    ``names`` are measures; those that the revision does not have are left out.
    Raises: InputError, one line.
    """
    repeated = [name for name in names if name not in ONCE]
    once = [name for name in names if name in ONCE]
    with worktree(revision) as tree:
        sides = {"this tree": dict(os.environ), revision: environment_of(tree)}
        figures: dict[str, Figures] = {side: {} for side in sides}
        if repeated:
            for side, environment in sides.items():
                log(f"compiling {side}")
                measure(side, environment, repeated, BRIEF)
        for number in range(ROUNDS if repeated else 0):
            for side, environment in sides.items():
                log(f"measuring {side}, round {number + 1} of {ROUNDS}")
                note(figures[side], measure(side, environment, repeated, seconds / ROUNDS))
        for name in once:
            for side, environment in sides.items():
                log(f"measuring {side}, {name}")
                note(figures[side], measure(side, environment, [name], seconds))
    ours, theirs = figures.values()
    return paired(ours, theirs, revision)


def note(figures: Figures, results: Sequence[Result]) -> None:
    """Add the figures of a round."""
    for one in results:
        figures.setdefault(one.name, []).append(one)


def paired(ours: Figures, theirs: Figures, revision: str) -> list[Ratio]:
    """The figures that both sides have, round by round. Raises: InputError if there is none."""
    names = [name for name in ours if name in theirs and ours[name][0].unit == theirs[name][0].unit]
    if not names:
        _fail(revision, f"has none of the figures {', '.join(ours)}; choose others with `only`")
    return [_ratio(ours[name], theirs[name]) for name in names]


def _ratio(ours: Sequence[Result], theirs: Sequence[Result]) -> Ratio:
    """One figure over the other, in the same rounds of both."""
    each = [mine.value / other.value for mine, other in zip(ours, theirs, strict=True)]
    return Ratio(
        ours[0].name,
        ours[0].unit,
        statistics.median(one.value for one in ours),
        statistics.median(one.value for one in theirs),
        statistics.median(each),
        min(each),
        max(each),
    )


def measure(
    side: str, environment: dict[str, str], names: Sequence[str], seconds: float
) -> list[Result]:
    """The figures of one tree, taken by its own bench in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", SIDE, ",".join(names), str(seconds)],
        env=environment,
        cwd=tempfile.gettempdir(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
        _fail(side, f"cannot be measured: {last}; choose other measures with `only`")
    return [Result(name, value, unit, "") for name, value, unit in json.loads(done.stdout)]


# A tree of another revision


@contextmanager
def worktree(revision: str) -> Iterator[Path]:
    """A temporary checkout of a revision, from which Python can import this project."""
    commit = commit_of(revision)
    with tempfile.TemporaryDirectory(prefix="monopoly-env-") as folder:
        tree = Path(folder) / "tree"
        git("worktree", "add", "--detach", "--quiet", str(tree), commit)
        try:
            install(tree)
            yield tree
        finally:
            git("worktree", "remove", "--force", str(tree))


def install(tree: Path) -> None:
    """Put in place what an installation does beside the packages: configs and entry points."""
    configs = tree / "training" / "monopoly_training" / "configs"
    if not configs.exists():  # ships under that name, lies in another folder
        configs.symlink_to(tree / "configs", target_is_directory=True)
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = (
        metadata_of(tree) / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    )
    folder.mkdir(parents=True)
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (folder / "METADATA").write_text(about, encoding="utf-8")
    lines = []
    for group, entries in project.get("entry-points", {}).items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (folder / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def metadata_of(tree: Path) -> Path:
    """Where the metadata of a tree's distribution lies."""
    return tree.parent / "metadata"


def environment_of(tree: Path) -> dict[str, str]:
    """The environment in which Python imports this project from another tree."""
    roots = [tree, tree / "agents", tree / "training", metadata_of(tree)]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, roots)),
        "MONOPOLY_ENV_CACHE": str(tree.parent / "compiled"),
    }


def commit_of(revision: str) -> str:
    """The commit that a revision names. Raises: InputError, one line."""
    if not (ROOT / ".git").exists():
        _fail(
            revision,
            "there is no such file, and revisions need a git checkout; give a file "
            "that `monopoly-env bench --json FILE` wrote",
        )
    try:
        return git("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    except subprocess.CalledProcessError:
        _fail(
            revision, "is neither a file nor a revision of this checkout; see `git log --oneline`"
        )
    except FileNotFoundError:
        _fail(revision, "there is no such file, and for revisions git must be installed")


def git(*arguments: str) -> str:
    """What git prints."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _fail(what: str, problem: str) -> NoReturn:
    (InputError.at("revision") / what).fail(problem)
