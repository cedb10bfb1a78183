"""Compare this tree with an earlier run's file, or with another git revision.

A revision is checked out into a temporary worktree with its own cache of compiled code. Both sides
are measured alternately in fresh processes, so that other load affects both. Each runs its own
benchmarks, because benchmarks depend on internals; results with the same name are compared, so a
ratio assumes that the name means the same on both sides.
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
ONCE = (
    "compile_cold_s",
    "first_step_cold_s",
)  # benchmarks that take minutes, whatever their time limit
BRIEF = 0.05  # seconds per benchmark for the warm-up that compiles everything
ROOT = Path(__file__).resolve().parents[3]  # the root of the checkout, if this is one

# The script run on each side, whatever its revision: `bench.MEASURES` names the benchmarks, and
# `bench.run(names, seconds)` yields results with a name, a value and a unit.
SIDE = """
import json, sys
from monopoly_training import bench
names = [name for name in sys.argv[1].split(",") if name in bench.MEASURES]
figures = bench.run(names, float(sys.argv[2]))
print(json.dumps([[one.name, one.value, one.unit] for one in figures]))
"""

Figures = dict[str, list[Result]]  # by name: one result per round


@dataclass(frozen=True)
class Ratio:
    """A result of this tree divided by one of the other, with the range over rounds."""

    name: str
    unit: str
    ours: float
    theirs: float
    ratio: float
    low: float
    high: float


# Comparison with an earlier run


def with_file(results: Sequence[Result], path: Path) -> list[Ratio]:
    """Return ratios of the current results to those in a file, where both have them."""
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


# Comparison with a revision


def with_revision(
    revision: str, names: Sequence[str], seconds: float, log: Callable[[str], None]
) -> list[Ratio]:
    """Return ratios of this tree to a revision, measured alternately; ``log`` receives progress.

    ``names`` are benchmarks; those that the revision lacks are skipped. Raises: InputError, one
    line.
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
    """Add the results of a round."""
    for one in results:
        figures.setdefault(one.name, []).append(one)


def paired(ours: Figures, theirs: Figures, revision: str) -> list[Ratio]:
    """Pair the results that both sides have, by round. Raises: InputError if there are none."""
    names = [name for name in ours if name in theirs and ours[name][0].unit == theirs[name][0].unit]
    if not names:
        _fail(revision, f"has none of the figures {', '.join(ours)}; choose others with `only`")
    return [_ratio(ours[name], theirs[name]) for name in names]


def _ratio(ours: Sequence[Result], theirs: Sequence[Result]) -> Ratio:
    """Return the ratio of one result, over paired rounds."""
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
    """Run a tree's own benchmarks in a fresh process."""
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


# Trees of other revisions


@contextmanager
def worktree(revision: str) -> Iterator[Path]:
    """Check out a revision temporarily, in a form that Python can import this project from."""
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
    """Set up what an installation adds to the packages: configs and entry points."""
    configs = tree / "training" / "monopoly_training" / "configs"
    if not configs.exists():  # installed under that path, but stored elsewhere in the repository
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
    """Return the path of the metadata of a tree's distribution."""
    return tree.parent / "metadata"


def environment_of(tree: Path) -> dict[str, str]:
    """Return the environment variables with which Python imports this project from another tree."""
    roots = [tree, tree / "agents", tree / "training", metadata_of(tree)]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, roots)),
        "MONOPOLY_ENV_CACHE": str(tree.parent / "compiled"),
    }


def commit_of(revision: str) -> str:
    """Resolve a revision to a commit. Raises: InputError, one line."""
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
    """Return what git prints."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _fail(what: str, problem: str) -> NoReturn:
    (InputError.at("revision") / what).fail(problem)
