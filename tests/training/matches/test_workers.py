"""Processes that play: what is left when the one that began them ends."""

from __future__ import annotations

import subprocess
import sys

AT_ONCE = """
import multiprocessing, os
from monopoly_training.matches.workers import worker_processes
with worker_processes(1, os.getpid) as pool:
    pool.submit(len, "").result()
    for process in multiprocessing.active_children():
        process.kill()
    os._exit(3)
"""


def test_nothing_is_said_after_a_process_that_ends_at_once():
    ended = subprocess.run(
        [sys.executable, "-c", AT_ONCE], capture_output=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, b"", b"")
