"""Compile into a folder for use elsewhere: in an image, or on the machines of a cluster."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from monopoly_env.compiler.portable import generic_level
from monopoly_env.errors import InputError, show

PROCESSORS = ("native", "generic")


def check_target(folder: Path, processor: str) -> None:
    """Raise an error for an unusable folder or an unknown processor."""
    if processor not in PROCESSORS:
        InputError.at("--cpu").fail(
            f"must be one of {', '.join(PROCESSORS)}, not {show(processor)}"
        )
    if processor == "generic" and generic_level() is None:
        InputError.at("--cpu").fail("generic code needs x86-64; leave it out here")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        InputError.at("--to").fail(
            f"{folder}: {problem.strerror}; name a folder that can be written"
        )


def compile_to(folder: Path, processor: str = "native") -> int:
    """Compile everything into a folder, in a separate process; return its exit status.

    Raises: InputError, one line.
    """
    check_target(folder, processor)
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(folder.absolute())}
    level = generic_level()
    if processor == "generic" and level is not None:
        environment |= {"NUMBA_CPU_NAME": level.name, "NUMBA_CPU_FEATURES": level.flags}
    command = [sys.executable, "-m", "monopoly_training", "compile"]
    return subprocess.run(command, env=environment, check=False).returncode
