"""What holds for every test: bounds checks, one thread, no screen, no deadlines; and workers."""

import os

# Before anything imports Numba: an out-of-bounds write inside a game record would silently hit
# the next field.
os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")

# Before anything imports torch: with more threads than cores, small networks run many times slower.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Before anything imports matplotlib: tests draw into files.
os.environ.setdefault("MPLBACKEND", "Agg")

import signal
import subprocess
import sys
from pathlib import Path

import pytest

# A shell starts its background jobs with Ctrl-C ignored, and so would all programs that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

MOST_WORKERS = 8  # each takes 1 GB and imports everything for itself
WARM_UP = """
from monopoly_training.compilation import warm_up
warm_up.bots(), warm_up.games(), warm_up.rules()
"""

# The first call of a compiled function compiles it, which takes longer than any sensible deadline.
try:  # environments of clients go without
    from hypothesis import settings
except ImportError:
    pass
else:
    settings.register_profile("compiled", deadline=None)
    settings.load_profile("compiled")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """With ``-n auto``: a worker a core for whole folders, none for a file or for what -k picks."""
    folders = all(Path(argument.partition("::")[0]).is_dir() for argument in config.args)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    if folders and not config.option.keyword and cores is not None and cores > 1:
        return min(cores, MOST_WORKERS)
    config.option.dist = "no"
    return 0


def pytest_configure(config: pytest.Config) -> None:
    """Compile what most tests need before workers start: all of them then read it from disk."""
    compiles = "NUMBA_DISABLE_JIT" not in os.environ
    if getattr(config.option, "tx", None) and compiles and not config.option.collectonly:
        subprocess.run([sys.executable, "-c", WARM_UP], check=False)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Workers begin with what takes longest, so that none is still at it when the others are done."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("slow") is None)
