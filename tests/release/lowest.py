"""Runs tests with the lowest versions that pyproject.toml allows: ``make test-lowest``.

``python -m tests.release.lowest`` resolves the core packages and the extras of :data:`EXTRAS` to the
lowest versions of what pyproject.toml names, installs them into ``.venv-lowest``, and runs the tests
of :data:`TESTS` there. What pyproject.toml does not name is resolved to its newest version. Needs
uv beside the Python that runs it (``make`` sees to that). The exit status is that of the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.golden.pythons import ROOT, find, print_line

EXTRAS = ("train", "eval", "render", "video", "web")
PYTHON = "python3.11"  # the lowest, too
FOLDER = ROOT / ".venv-lowest"
TOOLS = ("pytest>=8.1", "pytest-xdist>=3.6", "hypothesis>=6.100", "httpx>=0.27,<1")
TESTS = (
    "tests/golden/test_hashes.py",
    "tests/golden/test_golden.py",
    "tests/envs",
    "tests/training/commands",
    "tests/training/models",
    "tests/training/sb3",
    "tests/training/runs",
    "tests/training/dataset",
    "tests/training/tournament",
    "tests/training/watching",
    "tests/training/web/test_replay_command.py",
)


def main(tests: tuple[str, ...]) -> int:
    """Install and test; the exit status of the tests."""
    python = find(PYTHON)
    if python is None:
        print_line(f"{PYTHON} is not here; the lowest versions are tested on it")
        return 1
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "venv", "-q", "--clear", "--python", python, FOLDER], check=True)
    ours = FOLDER / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [uv, "pip", "install", "-q", "--python", ours]
    index = os.environ.get("TORCH_INDEX")
    if index:
        install += ["--extra-index-url", index, "--index-strategy", "unsafe-best-match"]
    project = f".[{','.join(EXTRAS)}]"
    subprocess.run([*install, "--resolution", "lowest-direct", project], cwd=ROOT, check=True)
    subprocess.run([*install, *TOOLS], check=True)
    frozen = [uv, "pip", "freeze", "--python", ours]
    print_line(subprocess.run(frozen, capture_output=True, text=True, check=True).stdout)
    # The tests import the installed packages: the checkout adds only `tests`.
    command = [ours, "-m", "pytest", "-q", "-n", "0", "-m", "not slow and not learning", *tests]
    variables = os.environ | {"NUMBA_BOUNDSCHECK": "1"}
    return subprocess.run(command, cwd=ROOT, env=variables, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or TESTS))
