"""Two versions against each other: this tree and an earlier run, or this tree and a revision.

A revision is checked out into a temporary worktree with a folder for compiled code of its own, and
both sides are measured in turn, in fresh processes, with the bench of this tree: what other programs do
to the machine meets both, and one ruler is laid to both.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from monopoly_training.bench.measured import BenchError, read
from monopoly_training.bench.timing import Result

ROUNDS = 5
QUICK = ("engine_mask", "one_call", "games_bots", "batch_step", "aec_raw", "aec_env")
OURS = (  # laid over the other tree
    "bench",
    "ppo/minimal.py",
    "models/features.py",
    "compilation/ahead_of_time.py",
)
PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]  # of the checkout, if this is one
SIDE = """
import json, sys
from monopoly_training import bench
found = bench.run(sys.argv[1].split(","), float(sys.argv[2]))
print(json.dumps([[one.name, one.value, one.unit] for one in found]))
"""


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
    revision: str, names: Sequence[str], seconds: float, told: Callable[[str], None]
) -> list[Ratio]:
    """This tree over a revision of it, measured in turn. ``told`` hears what is going on."""
    with worktree(revision) as tree:
        sides = {"this tree": dict(os.environ), revision: environment_of(tree)}
        for side, environment in sides.items():
            told(f"compiling {side}")
            measure(side, environment, names, 0.05)
        rounds: dict[str, list[list[Result]]] = {side: [] for side in sides}
        for number in range(ROUNDS):
            for side, environment in sides.items():
                told(f"measuring {side}, round {number + 1} of {ROUNDS}")
                rounds[side].append(measure(side, environment, names, seconds / ROUNDS))
    ours, theirs = rounds.values()
    return [
        _paired(mine, other)
        for mine, other in zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True)
    ]


def _paired(ours: Sequence[Result], theirs: Sequence[Result]) -> Ratio:
    """The same figure in the same rounds of both."""
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
    """The figures of one tree, taken in a fresh process."""
    done = subprocess.run(
        [sys.executable, "-c", SIDE, ",".join(names), str(seconds)],
        env=environment, cwd=tempfile.gettempdir(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
        _fail(side, f"cannot be measured: {last}; choose measures it has with --only")
    return [Result(name, value, unit, "") for name, value, unit in json.loads(done.stdout)]


def environment_of(tree: Path) -> dict[str, str]:
    """The environment in which Python imports this project from another tree."""
    roots = [tree, tree / "agents", tree / "training"]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, roots)),
        "MONOPOLY_ENV_CACHE": str(tree.parent / "compiled"),
    }


@contextmanager
def worktree(revision: str) -> Iterator[Path]:
    """A temporary checkout of a revision, with the bench of this tree in it."""
    commit = commit_of(revision)
    with tempfile.TemporaryDirectory(prefix="monopoly-env-") as folder:
        tree = Path(folder) / "tree"
        git("worktree", "add", "--detach", "--quiet", str(tree), commit)
        try:
            lay_over(tree / PACKAGE.relative_to(ROOT))
            yield tree
        finally:
            git("worktree", "remove", "--force", str(tree))


def lay_over(package: Path) -> None:
    """Put what measures into another tree's package."""
    for name in OURS:
        source, target = PACKAGE / name, package / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy(source, target)


def commit_of(revision: str) -> str:
    """The commit that a revision names. Raises: BenchError, one line."""
    if not (ROOT / ".git").exists():
        _fail(revision, "there is no such file, and revisions need a git checkout; give a file "
              "that `monopoly-env bench --json FILE` wrote")  # fmt: skip
    try:
        return git("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    except subprocess.CalledProcessError:
        _fail(
            revision, "is neither a file nor a revision of this checkout; see `git log --oneline`"
        )
    except FileNotFoundError:
        _fail(revision, "there is no such file, and for revisions git must be installed")


def git(*arguments: str) -> str:
    """What git says."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _fail(what: str, problem: str) -> NoReturn:
    (BenchError.at("--compare") / what).fail(problem)
