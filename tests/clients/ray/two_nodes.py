"""A Ray cluster of two nodes on this machine, commands that run on it, and how they are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster

from tests.clients.ray_nodes import begin_node

CODE = "import sys; from monopoly_training.cli import main; sys.exit(main())"
PATIENCE = 1200
SMALL = {"num_cpus": 1, "object_store_memory": 128 << 20}


def begin_small_node(cluster: Cluster) -> None:
    """Start a node of one processor."""
    begin_node(cluster, **SMALL)


def start(folder: Path, words: list[str], answer: str = "log") -> subprocess.Popen[bytes]:
    """Begin a command in a folder; what it prints goes to a file there, and its errors to log."""
    with (folder / "log").open("ab") as log, (folder / answer).open("ab") as output:
        return subprocess.Popen(
            [sys.executable, "-c", CODE, *words], cwd=folder, stdout=output, stderr=log
        )


def run(folder: Path, words: list[str]) -> None:
    """Run a command to its end."""
    assert start(folder, words).wait(PATIENCE) == 0, (folder / "log").read_text()


class Near:
    """The results of commands in processes of this machine, each run once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._done: dict[tuple[str, ...], Path] = {}

    def __call__(
        self,
        words: tuple[str, ...],
        *options: str,
        put: Callable[[Path], object] = lambda folder: None,
    ) -> Path:
        """The folder that a command has written; ``put`` puts files that it needs beside it."""
        if words not in self._done:
            folder = self._folder / str(len(self._done))
            folder.mkdir()
            put(folder)
            run(folder, [*words, "--out", "near", *options])
            self._done[words] = folder / "near"
        return self._done[words]


def lines(path: Path) -> int:
    """How many whole lines a file has; how many files are in a folder."""
    if path.is_dir():
        return len(list(path.glob("*.json")))
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for(
    path: Path,
    count: int,
    process: subprocess.Popen[bytes],
    log: Path,
    done: Callable[[Path], int] = lines,
) -> None:
    """Wait until a file has so many lines, or a folder so many files."""
    deadline = time.monotonic() + PATIENCE
    while done(path) < count:
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.02)


def wait_for_work(cluster: Cluster, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until every node works."""
    deadline = time.monotonic() + PATIENCE
    while not all(workers([node]) for node in cluster.list_all_nodes()):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.02)


def workers(nodes: list[Any], title: bytes = b"ray::do_here") -> list[int]:
    """The processes of some nodes that work now, by what Ray calls them."""
    found = []
    raylets = {one.process.pid for node in nodes for one in node.all_processes.get("raylet", [])}
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            parent = int((path.parent / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in raylets and path.read_bytes().startswith(title):
                found.append(int(path.parent.name))
        except OSError:  # it has just ended
            continue
    return found


def kill_worker(cluster: Cluster, title: bytes = b"ray::do_here") -> None:
    """Kill a process that works, if there is one at the moment."""
    deadline = time.monotonic() + 30
    while not (found := workers(cluster.list_all_nodes(), title)) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(found[0], signal.SIGKILL)


def kill_node(cluster: Cluster) -> None:
    """Kill a whole node that is not the head."""
    node = next(one for one in cluster.list_all_nodes() if not one.head)
    cluster.remove_node(node, allow_graceful=False)
