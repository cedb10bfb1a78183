"""A fuzz run saved in a folder, so that it can be resumed over several nights.

``progress.json`` records how many cases were sound, always a prefix without gaps, and their totals.
It is written atomically every few cases; a kill loses the cases after that. Cases depend only on
the seed, so a resumed run has the same totals as an uninterrupted one if the rules have not
changed, which a digest of their sources verifies.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.compiler.source_keys import SourceKeys, find_packages
from monopoly_env.errors import FileError, InputError
from monopoly_env.files import check_output_folder, read_json, with_digest
from monopoly_training.common.files import (
    as_json,
    cleanup_on_error,
    package_version,
    read_with_digest,
    write_atomic,
)
from monopoly_training.fuzz.cases import PER_CASE, Seen

FILE = "progress.json"
RUNS_FILE = "fuzz.json"  # the runs listed on the docs page
EVERY = 25  # cases between two saves
PLAYS = "monopoly_training.fuzz.cases"  # the module that plays a case
# The sources that determine a case's decisions and checks
RULES = ("monopoly_env.engine", "monopoly_env.editions", "monopoly_training.fuzz")
REMEDY = "name another folder"
NUMBERS = ("seed", "first", "cases", "games", "decisions", "starts")


def rules_digest() -> str:
    """Return a digest of the sources of the rules, the editions and the fuzzer."""
    packages = find_packages()
    keys = SourceKeys((), packages)
    files = {name: path for name, path in keys.reached(PLAYS).items() if name.startswith(RULES)}
    files |= {path.name: path for path in (packages["monopoly_env"] / "editions").glob("*.yaml")}
    return keys.key_of_files(files)


def today() -> str:
    """Return today's date, such as 2026-01-31."""
    return datetime.now(UTC).date().isoformat()


@dataclass
class KeptRun:
    """The progress of a run. Created by :func:`begin` or :func:`resume`."""

    folder: Path
    seed: int
    first: int  # number of its first case
    rules: str  # result of rules_digest()
    target: int | None  # total decisions; None: unlimited
    seen: Seen = field(default_factory=Seen)
    seconds: float = 0.0
    starts: int = 1  # times it was started or resumed
    began: str = field(default_factory=today)
    ended: str = field(default_factory=today)
    version: str = field(default_factory=lambda: str(package_version("monopoly-env")))

    @property
    def next_case(self) -> int:
        """The number of the next case."""
        return self.first + self.seen.cases

    @property
    def remaining(self) -> int | None:
        """Decisions left; None without a target."""
        return None if self.target is None else max(0, self.target - self.seen.decisions)

    def save(self, seen: Seen, seconds: float) -> None:
        """Save the totals so far and the time taken."""
        self.seen, self.seconds, self.ended = seen, seconds, today()
        write_atomic(self.folder / FILE, json.dumps(with_digest(self.as_dict())) + "\n")

    def summary(self) -> str:
        """Return the progress in one line."""
        goal = "" if self.target is None else f" of {self.target:,}"
        last = self.next_case - 1
        cases = f"cases {self.first:,} to {last:,}" if last >= self.first else "no cases yet"
        return (
            f"kept in {self.folder}: {self.seen.decisions:,}{goal} decisions, {cases} of seed "
            f"{self.seed}, rules {self.rules}, in {self.starts} "
            f"{'start' if self.starts == 1 else 'starts'}"
        )

    def entry(self) -> dict[str, Any]:
        """Return the run's entry on the docs page."""
        return {
            "seed": self.seed,
            "first": self.first,
            "cases": self.seen.cases,
            "games": self.seen.games,
            "decisions": self.seen.decisions,
            "rules": self.rules,
            "version": self.version,
            "starts": self.starts,
            "began": self.began,
            "ended": self.ended,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the content of progress.json."""
        counts = {name: row.tolist() for name, row in self.seen.counts.items()}
        own = {"target": self.target, "seconds": round(self.seconds, 1), "counts": counts}
        return {**self.entry(), **own}


def whole_cases(decisions: int) -> int:
    """Round up to whole cases."""
    return -(-decisions // PER_CASE) * PER_CASE


def begin(folder: Path, seed: int, first: int, decisions: int | None) -> KeptRun:
    """Start a run. Raises: FileError, one line, if the folder holds one or cannot be written."""
    if (folder / FILE).exists():
        FileError.at(folder / FILE).fail(
            f"belongs to another run; continue it with `--resume {folder}`, or {REMEDY}"
        )
    with cleanup_on_error(folder):
        check_output_folder(folder, FileError.at(folder), (FILE,))
    target = None if decisions is None else whole_cases(decisions)
    run = KeptRun(folder, seed, first, rules_digest(), target)
    run.save(Seen(), 0.0)
    return run


def resume(folder: Path, decisions: int | None = None) -> KeptRun:
    """Resume the run in a folder, with a new target if ``decisions`` is given.

    Raises: FileError, one line, for a missing or damaged run, or one with other rules.
    """
    path = folder / FILE
    location = FileError.at(path)
    if not path.exists():
        FileError.at(folder).fail(f"holds no {FILE}; start a run there with `--out {folder}`")
    check_output_folder(folder, FileError.at(folder), (FILE,))
    run = run_of(read_with_digest(path, REMEDY), folder)
    now = rules_digest()
    if run.rules != now:
        location.fail(
            f"has {run.seen.decisions:,} decisions of other rules: the digest of their sources was "
            f"{run.rules} and is {now}. They do not count for the current rules; {REMEDY}, or continue "
            f"with the original sources of version {run.version}"
        )
    if decisions is not None:
        if whole_cases(decisions) < run.seen.decisions:
            InputError.at("--decisions").fail(
                f"are those of the whole run, which has {run.seen.decisions:,} already"
            )
        run.target = whole_cases(decisions)
    run.starts += run.remaining != 0
    return run


def run_of(content: dict[str, Any], folder: Path) -> KeptRun:
    """Parse a run from its file. Raises: FileError if it is invalid."""
    try:
        counts = {name: np.array(row, np.int64) for name, row in content["counts"].items()}
        seed, first, cases, games, decisions, starts = (int(content[key]) for key in NUMBERS)
        return KeptRun(
            folder, seed, first, content["rules"], content["target"],
            Seen(cases, games, decisions, counts), float(content["seconds"]), starts,
            content["began"], content["ended"], content["version"],
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError):
        FileError.at(folder / FILE).fail(f"is none of `monopoly-env fuzz`; {REMEDY}")


def add_run(run: KeptRun, folder: Path) -> Path:
    """Add a run to those on ``docs/trust.md``, replacing its earlier entry."""
    path, new = folder / RUNS_FILE, run.entry()
    runs = read_runs(path)
    known = [which(entry) for entry in runs]
    if which(new) in known:
        runs[known.index(which(new))] = new
    else:
        runs.append(new)
    write_atomic(path, as_json({"runs": runs}))
    return path


def which(entry: dict[str, Any]) -> tuple[Any, ...]:
    """Return what identifies a run."""
    return tuple(entry[key] for key in ("seed", "first", "rules"))


def read_runs(path: Path) -> list[dict[str, Any]]:
    """Read the runs on the docs page; none if there is no file. Raises: FileError, one line."""
    if not path.exists():
        return []
    location = FileError.at(path)
    content = read_json(path, location)
    runs = content.get("runs") if isinstance(content, dict) else None
    if not isinstance(runs, list) or not all(isinstance(entry, dict) for entry in runs):
        location.fail("must hold a list `runs` of what `monopoly-env fuzz --page` writes")
    for number, entry in enumerate(runs, 1):
        missing = KeptRun(Path(), 0, 0, "", None).entry().keys() - entry.keys()
        if missing:
            (location / f"run {number}").fail(f"lacks {', '.join(sorted(missing))}")
    return runs
