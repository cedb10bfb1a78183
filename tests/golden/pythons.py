"""Run the golden tests on several versions of Python: ``make test-pythons``.

``python tests/golden/pythons.py python3.11 python3.12 …`` makes an environment for each that is
found (``.venv-3.12`` and so on, with the core dependencies alone, in the versions of
``requirements.lock``), runs the golden tests there, and says in one line which are missing. The
exit status is 1 if a test fails, or if no Python is there. Only the standard library is needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "requirements.lock"
TESTS = (
    "tests/golden/test_hashes.py", "tests/golden/test_golden.py", "tests/engine/test_perft.py",
    "tests/engine/test_dice.py",
)  # fmt: skip
PACKAGES = ("pytest", "hypothesis")
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"


def candidates(name: str) -> Iterator[Path]:
    """Where a Python of this name may be: on the path, then among those of pyenv."""
    on_path = shutil.which(name)
    if on_path:
        yield Path(on_path)
    version = name.removeprefix("python")
    yield from sorted(PYENV.glob(f"{version}.*/bin/python3"), reverse=True)


def runs(python: Path, name: str) -> bool:
    """Whether it is one: a shim of pyenv may stand for a version that is not installed."""
    code = "import sys, venv; print('python%d.%d' % sys.version_info[:2])"
    try:
        run = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return run.returncode == 0 and run.stdout.strip() == name


def find(name: str) -> Path | None:
    """A Python by its name, such as ``python3.12``; None: it is not there."""
    return next((python for python in candidates(name) if runs(python, name)), None)


def environment(name: str, python: Path) -> Path:
    """The Python of its environment, which is made if the lock is newer."""
    folder = ROOT / f".venv-{name.removeprefix('python')}"
    ours, stamp = folder / "bin" / "python", folder / ".setup"
    if not stamp.exists() or stamp.stat().st_mtime < LOCK.stat().st_mtime:
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        pip = [ours, "-m", "pip", "--disable-pip-version-check", "install", "-q", "-c", LOCK]
        subprocess.run([*pip, *PACKAGES, "-e", "."], cwd=ROOT, check=True)
        stamp.touch()
    return ours


def test(python: Path) -> bool:
    """Run the golden tests; whether they pass."""
    print_line(f"{python}: {' '.join(TESTS)}")
    command = [python, "-m", "pytest", "-q", *TESTS]
    variables = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode == 0


def print_line(text: str) -> None:
    """A line, at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(names: Sequence[str]) -> int:
    """Run them one after the other, and say how each went."""
    found = {name: find(name) for name in names}
    passed, failed = [], []
    for name, python in found.items():
        if python is not None:
            (passed if test(environment(name, python)) else failed).append(name)
    missing = [name for name, python in found.items() if python is None]
    words = (("passed", passed), ("failed", failed), ("missing", missing))
    print_line("; ".join(f"{word}: {', '.join(some) or 'none'}" for word, some in words))
    return int(bool(failed) or not passed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
