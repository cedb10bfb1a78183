"""Fingerprints of what the project does, to be held against those of another revision.

``python -m tests.golden.fingerprints`` prints one a line: its name and a hash of all that was
played, seen and written. ``--against REV`` takes them of a git revision too, with the same
scripts, and says which differ, and where first. ``--only games,vector`` takes some groups.

They use what stays when modules move: the public names, the ids of Gymnasium, the command line,
files. So code that is rearranged can be shown to do exactly what it did.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TAKEN = Path(__file__).resolve().parent / "taken"  # the scripts that take them
PACKAGE_ROOTS = (".", "agents", "training")  # of a revision: where its packages lie
FIXED = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "MPLBACKEND": "Agg", "COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1",
}  # fmt: skip
GONE = "-"  # in place of a hash: no such fingerprint
LONGEST = 400  # characters of a line that differs


@dataclass(frozen=True)
class Fingerprint:
    """What was taken under a name."""

    name: str
    sha256: str
    lines: int
    seconds: float
    raised: str = ""  # the error that ended it early


Fingerprints = dict[str, Fingerprint]


class NotTaken(RuntimeError):  # noqa: N818  (what happened, not that it is an error)
    """Fingerprints that could not be taken; one line."""


# Comparing


@dataclass(frozen=True)
class Row:
    """A fingerprint of two versions."""

    name: str
    old: str
    new: str
    raised: str = ""

    @property
    def verdict(self) -> str:
        """One word for a table."""
        if self.raised:
            return "raised"
        return "equal" if self.old == self.new else "differs"


def compare(old: Fingerprints, new: Fingerprints) -> list[Row]:
    """What both versions have, or one of them, in the order of the old one."""
    return [_row(name, old.get(name), new.get(name)) for name in {**old, **new}]


def _row(name: str, old: Fingerprint | None, new: Fingerprint | None) -> Row:
    """An error is no fingerprint, even if both versions raise it."""
    hashes = [one.sha256 if one else GONE for one in (old, new)]
    raised = next((one.raised for one in (new, old) if one and one.raised), "")
    return Row(name, *hashes, raised)


def table(rows: Sequence[Row]) -> Iterator[str]:
    """The comparison as aligned lines, then what to make of it."""
    width = max((len(row.name) for row in rows), default=0)
    for row in rows:
        yield f"{row.name:{width}}  {row.old[:16]:16}  {row.new[:16]:16}  {row.verdict}"
    bad = [row.name for row in rows if row.verdict != "equal"]
    yield f"{len(rows) - len(bad)} of {len(rows)} equal"
    if bad:
        yield f"not equal: {' '.join(bad)}"


def first_difference(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """The first line in which two versions differ, of both; nothing if there is none."""
    for number, (before, after) in enumerate(zip_longest(old, new), 1):
        if before != after:
            start = _same_letters(before or "", after or "")
            yield f"  line {number}, from letter {start + 1} on"
            yield f"    old: {_part(before, start)}"
            yield f"    new: {_part(after, start)}"
            return


def _same_letters(one: str, other: str) -> int:
    """How many letters two lines have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _part(line: str | None, start: int) -> str:
    """A line from a little before ``start`` on."""
    if line is None:
        return "(no such line)"
    begin = max(0, start - 100)
    return ("…" if begin else "") + line[begin : begin + LONGEST]


def differences(rows: Sequence[Row], old: Path, new: Path) -> Iterator[str]:
    """For each row that is not equal, what was raised or where the lines part."""
    for row in rows:
        if row.verdict != "equal":
            yield f"{row.name}: {row.raised or row.verdict}"
            yield from first_difference(read_lines(old, row.name), read_lines(new, row.name))


def read_lines(folder: Path, name: str) -> list[str]:
    """The lines that a fingerprint was taken of."""
    path = lines_file(folder, name)
    return path.read_text(encoding="utf-8").split("\n") if path.exists() else []


def lines_file(folder: Path, name: str) -> Path:
    """Where the lines of a fingerprint are kept."""
    return folder / f"{name}.txt"


# Taking, in a process of its own


def take(
    tree: Path, environment: dict[str, str], lines: Path, only: Sequence[str],
    told: Callable[[Fingerprint], None],
) -> Fingerprints:  # fmt: skip
    """The fingerprints of a tree, taken by the scripts of this one. Raises: NotTaken."""
    command = [sys.executable, str(TAKEN), str(tree), str(lines), *only]
    found: Fingerprints = {}
    with (
        tempfile.TemporaryDirectory(prefix="monopoly-env-") as work,
        subprocess.Popen(
            command, cwd=work, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            one = Fingerprint(**json.loads(line))
            found[one.name] = one
            told(one)
    if process.returncode:
        raise NotTaken(f"{tree}: the process ended with {process.returncode}, see above")
    return found


def here() -> dict[str, str]:
    """The environment of this checkout: its packages as they are installed."""
    return os.environ | FIXED


# Another revision


def there(tree: Path) -> dict[str, str]:
    """The environment in which Python imports the packages of another tree."""
    roots = [tree / root for root in PACKAGE_ROOTS]
    return os.environ | FIXED | {"PYTHONPATH": os.pathsep.join(map(str, roots))}


def checkout(revision: str) -> Path:
    """The files of a revision, in a temporary folder that stays the same.

    Compiled code is found again by the path and the time of its source; so a second comparison
    with a revision does not compile it again. Raises: NotTaken.
    """
    named = ("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    commit = _git(*named).decode().strip()
    user = getattr(os, "getuid", lambda: "user")()
    home = Path(tempfile.gettempdir()) / f"monopoly-env-fingerprints-{user}"
    home.mkdir(mode=0o700, exist_ok=True)
    folder = home / commit[:16]
    if not _is_whole(folder, commit):
        shutil.rmtree(folder, ignore_errors=True)
        with _new_folder(home) as part:
            _unpack(commit, part)
            _install(part)
            _name(part, folder)
    return folder


def _is_whole(folder: Path, commit: str) -> bool:
    """Whether nothing has tidied away a part of a checkout."""
    if not folder.is_dir():
        return False
    names = _git("ls-tree", "-r", "-z", "--name-only", commit).decode().split("\0")
    return all((folder / name).exists() for name in names)


@contextmanager
def _new_folder(home: Path) -> Iterator[Path]:
    """A folder to fill, that goes away unless it takes its name."""
    part = Path(tempfile.mkdtemp(dir=home))
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _name(part: Path, folder: Path) -> None:
    """Give a folder its name, unless another run was faster."""
    try:
        part.rename(folder)
    except OSError:
        if not folder.is_dir():
            raise


def _unpack(commit: str, folder: Path) -> None:
    """Every file has the time of the commit."""
    with tarfile.open(fileobj=BytesIO(_git("archive", commit))) as archive:
        archive.extractall(folder, filter="data")


def _install(tree: Path) -> None:
    """What an installation adds to the files: configs as a package, and where bots are found.

    Otherwise both would be those of the version that is installed.
    """
    configs = tree / "training" / "monopoly_training" / "configs"
    if (tree / "configs").is_dir() and not configs.exists():
        shutil.copytree(tree / "configs", configs)
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = tree / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    metadata = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(metadata, encoding="utf-8")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project.get("entry-points", {}).items()
    ]
    (about / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")


def _git(*arguments: str) -> bytes:
    try:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout
    except FileNotFoundError:
        raise NotTaken("git is not installed, and revisions need it") from None
    except subprocess.CalledProcessError as problem:
        said = problem.stderr.decode().strip() or "there is no such revision"
        raise NotTaken(f"git {' '.join(arguments)}: {said}") from None


# The command


def write(text: str) -> None:
    """A line for whoever waits."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def show(one: Fingerprint) -> None:
    """A fingerprint in a line."""
    facts = f"{one.sha256[:16]}  {one.lines:6} lines  {one.seconds:5.1f} s  {one.raised}"
    write(f"{one.name:30}  {facts}".rstrip())


def main(arguments: Sequence[str] | None = None) -> int:
    """Take fingerprints, and compare them; the exit status is 1 if any differs or raises."""
    parser = argparse.ArgumentParser(
        description=__doc__, prog="python -m tests.golden.fingerprints"
    )
    parser.add_argument("--against", metavar="REV", help="a git revision to compare with")
    parser.add_argument("--only", default="", help="groups or names, with commas between them")
    parser.add_argument("--lines", type=Path, help="a folder to keep what was taken in, as text")
    given = parser.parse_args(arguments)
    only = [name for name in given.only.split(",") if name]
    with tempfile.TemporaryDirectory(prefix="monopoly-env-") as folder:
        lines = (given.lines or Path(folder)).resolve()
        try:
            if given.against is None:
                found = take(ROOT, here(), lines, only, show)
                return int(any(one.raised for one in found.values()))
            return against(given.against, lines, only)
        except NotTaken as problem:
            sys.stderr.write(f"error: {problem}\n")
            return 2


def against(revision: str, lines: Path, only: Sequence[str]) -> int:
    """Compare this checkout with a revision."""
    tree, began = checkout(revision), time.monotonic()
    write(f"{revision}, in {tree}")
    old = take(tree, there(tree), lines / "old", only, show)
    write("this checkout")
    new = take(ROOT, here(), lines / "new", only, show)
    rows = compare(old, new)
    for line in [*table(rows), *differences(rows, lines / "old", lines / "new")]:
        write(line)
    write(f"{time.monotonic() - began:.0f} s")
    return int(any(row.verdict != "equal" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
