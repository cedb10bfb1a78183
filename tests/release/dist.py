"""Builds what a release uploads and tries it as a user would: ``make dist-test``.

``python -m tests.release.dist python3.11 python3.12 …`` builds an sdist, and a wheel from it; checks
that the wheel holds every file of the packages; and installs it, with the core dependencies alone,
into a clean environment for each Python that is found. There, in a folder away from the checkout,
the README's Python examples run, and commands that read what ships beside the code. Pythons that
are missing are named in one line. The exit status is 1 if anything fails, or if no Python is there.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from tests.golden.pythons import find, print_line

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
SHIPS = {  # folders of the checkout, by where they lie in a wheel
    "monopoly_env": "monopoly_env",
    "agents/monopoly_agents": "monopoly_agents",
    "training/monopoly_training": "monopoly_training",
    "configs": "monopoly_training/configs",
}
NEVER = (".pyc", ".nbi", ".nbc")
COMMANDS = (
    ("--version",),
    ("agents",),
    ("editions", "pokemon1999"),
    ("evaluate", "champion", "--against", "veteran", "--games", "2"),
    ("tournament", "--agents", "random,fixed_a", "--games", "2", "--records", "all", "--out", "t"),
    ("replay", "t", "--game", "1", "--html", "game.html"),
    ("replay", "t", "--game", "1", "--svg", "3"),
    ("value", "show"),
)


def expected_files() -> set[str]:
    """What a wheel must hold beside its metadata: every file that git has in the packages."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *SHIPS],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    files = set()
    for name in filter(None, listed.stdout.split("\0")):
        folder = next(folder for folder in SHIPS if name.startswith(f"{folder}/"))
        if (ROOT / name).exists() and not name.endswith(NEVER):
            files.add(SHIPS[folder] + name.removeprefix(folder))
    return files


def difference(wheel: Path, expected: set[str]) -> list[str]:
    """A line for each file that a wheel lacks, or holds beyond what is expected."""
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        licensed = any(name.endswith("dist-info/licenses/LICENSE") for name in archive.namelist())
    lines = [f"missing from the wheel: {name}" for name in sorted(expected - names)]
    lines += [f"in the wheel, and not in the packages: {name}" for name in sorted(names - expected)]
    return lines if licensed else [*lines, "missing from the wheel: LICENSE"]


def build() -> Path:
    """Build an sdist and, from it, a wheel. Raises: SystemExit if setuptools complains."""
    for old in (*DIST.glob("*.whl"), *DIST.glob("*.tar.gz")):
        old.unlink()
    run = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", DIST, ROOT],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = run.stdout + run.stderr
    if run.returncode or "absent from the `packages`" in said:
        raise SystemExit(f"{said}\nthe build failed, or ships data that no package names")
    (wheel,) = DIST.glob("*.whl")
    return wheel


def readme_examples() -> list[str]:
    """The README's Python examples that need the core packages alone."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    core = [example for example in examples if not re.search(r"import (torch|.*_contrib)", example)]
    if len(core) < 4:
        raise SystemExit(f"README.md has {len(core)} examples for the core packages; 4 were there")
    return core


def prepare(folder: Path) -> None:
    """Put what the README's examples read and run beside them."""
    for number, example in enumerate(readme_examples()):
        (folder / f"example_{number}.py").write_text(example, encoding="utf-8")


def clean_environment(python: Path, what: Path, folder: Path) -> Path:
    """A new environment with an sdist or a wheel in it; its folder of programs."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [programs / "python", "-m", "pip", "--disable-pip-version-check", "install", "-q"]
    subprocess.run([*pip, what], check=True)
    return programs


def try_out(python: Path, what: Path) -> bool:
    """Install it and run the examples and commands away from the checkout; whether all passed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "work"
        folder.mkdir()
        programs = clean_environment(python, what, Path(name) / "venv")
        prepare(folder)
        scripts = sorted(path.name for path in folder.glob("example_*.py"))
        lines = [[programs / "python", script] for script in scripts]
        lines += [[programs / "monopoly-env", *command] for command in COMMANDS]
        variables = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        for line in lines:
            run = subprocess.run(
                line, cwd=folder, env=variables, capture_output=True, text=True, check=False
            )
            if run.returncode:
                words = " ".join(str(word) for word in line[1:])
                print_line(f"{python}: {words}: status {run.returncode}\n{run.stdout}{run.stderr}")
                return False
    return True


def main(names: Sequence[str]) -> int:
    """Build, compare, install and run; say how each Python did."""
    wheel = build()
    problems = difference(wheel, expected_files())
    for line in problems:
        print_line(line)
    found = {name: find(name) for name in names}
    passed, failed = [], list(problems)
    for name, python in found.items():
        if python is not None:
            print_line(f"{name}: {wheel.name} in a clean environment")
            (passed if try_out(python, wheel) else failed).append(name)
    first = next((python for python in found.values() if python is not None), None)
    if first is not None:
        (sdist,) = DIST.glob("*.tar.gz")
        print_line(f"{sdist.name} in a clean environment")
        (passed if try_out(first, sdist) else failed).append("sdist")
    missing = [name for name, python in found.items() if python is None]
    words = (("passed", passed), ("failed", failed), ("missing", missing))
    print_line("; ".join(f"{word}: {', '.join(some) or 'none'}" for word, some in words))
    return int(bool(failed) or not passed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
