"""A cluster of two nodes on this machine plays the same games, whatever is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")
pytest.importorskip("pyarrow")

from monopoly_training.dataset.writer import DatasetSpec, WriteJob
from monopoly_training.matches import on_ray
from monopoly_training.matches.on_ray import (
    NodeProblem,
    Order,
    Shipped,
    local_name,
    players_of,
    shipped_files,
    source_key,
)
from ray.cluster_utils import Cluster

from monopoly_env.envs.options import TableOptions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

CODE = "import sys; from monopoly_training.cli import main; sys.exit(main())"
BOT = """
class Bot:
    def reset(self, seed):
        self.number = seed % 97

    def decide(self, view):
        self.number += 1
        legal = view.mask.nonzero()[0]
        return int(legal[self.number % len(legal)])
"""
TIMES = ("time", "digest", "files")
PATIENCE = 400


SMALL = {"num_cpus": 1, "object_store_memory": 128 << 20}


def begin_node(cluster: Cluster) -> None:
    """Start a node; a busy machine may need several tries within Ray's half minute each."""
    for attempt in range(5):
        try:
            cluster.add_node(**SMALL)
            return
        except Exception:
            if attempt == 4:
                raise


@pytest.fixture(scope="module")
def head() -> Iterator[Cluster]:
    """A cluster of one node."""
    cluster = Cluster()
    begin_node(cluster)
    yield cluster
    cluster.shutdown()


@pytest.fixture
def nodes(head: Cluster) -> Cluster:
    """Two nodes of one processor each; one that a test has killed is replaced."""
    if len(head.list_all_nodes()) < 2:
        begin_node(head)
        head.wait_for_nodes()
    return head


@pytest.fixture
def bot(tmp_path: Path) -> str:
    """A bot in a file, which the nodes do not have."""
    (tmp_path / "bot.py").write_text(BOT)
    return "python:bot.py:Bot"


def start(folder: Path, words: list[str]) -> subprocess.Popen[bytes]:
    """Begin a command in a folder."""
    with (folder / "log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-c", CODE, *words], cwd=folder, stdout=log, stderr=log
        )


def run(folder: Path, words: list[str]) -> None:
    """Run a command to its end."""
    assert start(folder, words).wait(PATIENCE) == 0, (folder / "log").read_text()


def wait_for(path: Path, lines: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until a file has so many lines."""
    deadline = time.monotonic() + PATIENCE
    while not path.exists() or path.read_bytes().count(b"\n") < lines:
        assert process.poll() is None, (path.parent.parent / "log").read_text()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def workers(cluster: Cluster) -> list[int]:
    """The processes of a cluster that play a batch now."""
    found = []
    raylets = {
        one.process.pid for node in cluster.list_all_nodes()
        for one in node.all_processes.get("raylet", [])
    }  # fmt: skip
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            parent = int((path.parent / "stat").read_text().rpartition(")")[2].split()[1])
            if parent in raylets and path.read_bytes().startswith(b"ray::play"):
                found.append(int(path.parent.name))
        except OSError:  # it has just ended
            continue
    return found


def kill_worker(cluster: Cluster) -> None:
    """Kill a process that plays, if there is one at the moment."""
    deadline = time.monotonic() + 30
    while not (found := workers(cluster)) and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(found[0], signal.SIGKILL)


def kill_node(cluster: Cluster) -> None:
    """Kill a whole node that is not the head."""
    node = next(one for one in cluster.list_all_nodes() if not one.head)
    cluster.remove_node(node, allow_graceful=False)


def played(folder: Path) -> object:
    """What a tournament has come to, without its times."""
    results = json.loads((folder / "results.json").read_text())
    kept = {key: value for key, value in results.items() if key not in TIMES}
    return kept, (folder / "games.csv").read_bytes()


def generated(folder: Path) -> object:
    """The bytes of the parts of a data set."""
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


TOURNAMENT = ("tournament", "--rule", "max_turns=30", "--games", "60", "--records", "5")
GENERATE = ("generate", "--rule", "max_turns=30", "--games", "240")


@pytest.mark.parametrize("kill", [kill_worker, kill_node])
@pytest.mark.parametrize(
    ("words", "file", "result"),
    [(TOURNAMENT, "games.jsonl", played), (GENERATE, "parts.jsonl", generated)],
    ids=["tournament", "generate"],
)
def test_a_kill_in_the_middle_costs_time_only(
    nodes: Cluster,
    tmp_path: Path,
    bot: str,
    kill: Callable[[Cluster], None],
    words: tuple[str, ...],
    file: str,
    result: Callable[[Path], object],
) -> None:
    line = [*words, "--agents", f"fixed_a,{bot},random"]
    process = start(
        tmp_path, [*line, "--backend", "ray", "--address", nodes.address, "--out", "far"]
    )
    wait_for(tmp_path / "far" / file, 2, process)
    kill(nodes)
    assert process.wait(PATIENCE) == 0, (tmp_path / "log").read_text()
    run(tmp_path, [*line, "--out", "near", "--jobs", "2"])
    assert result(tmp_path / "far") == result(tmp_path / "near")
    assert not list((tmp_path / "far").glob("*.part"))


def test_after_a_kill_of_who_asked_resume_goes_on(nodes: Cluster, tmp_path: Path, bot: str) -> None:
    line = [*TOURNAMENT, "--agents", f"fixed_a,{bot},random"]
    far = [*line, "--backend", "ray", "--address", nodes.address, "--out", "far"]
    process = start(tmp_path, far)
    wait_for(tmp_path / "far" / "games.jsonl", 3, process)
    process.kill()
    process.wait(PATIENCE)
    assert b'"end"' not in (tmp_path / "far" / "games.jsonl").read_bytes()
    run(tmp_path, [*far, "--resume"])
    run(tmp_path, [*line, "--out", "near"])
    assert played(tmp_path / "far") == played(tmp_path / "near")


def test_an_evaluation_has_the_same_score(nodes: Cluster, tmp_path: Path, bot: str) -> None:
    line = ["evaluate", "fixed_a", "--against", f"{bot},random", "--games", "66", "--json"]
    line += ["--rule", "max_turns=20", "--behavior", "--luck-adjusted", "formula"]
    said = [
        subprocess.run([sys.executable, "-c", CODE, *line, *more], cwd=tmp_path, check=True,
                       stdout=subprocess.PIPE, timeout=PATIENCE).stdout
        for more in ([], ["--backend", "ray", "--address", nodes.address])
    ]  # fmt: skip
    assert said[0] == said[1]
    assert json.loads(said[0])["games"] == 66


def test_errors_of_bots_come_back(nodes: Cluster, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(BOT.replace("self.number += 1", 'raise RuntimeError("six")'))
    line = ["tournament", "--agents", "fixed_a,python:bad.py:Bot", "--games", "4"]
    run(tmp_path, [*line, "--rule", "max_turns=6", "--backend", "ray", "--address", nodes.address,
                   "--out", "far"])  # fmt: skip
    (kept,) = (tmp_path / "far" / "errors").iterdir()
    assert "RuntimeError: six" in kept.read_text()
    assert "crashed: RuntimeError: six; traceback: " in (tmp_path / "log").read_text()


def test_a_program_that_is_not_on_the_nodes_is_one_line(nodes: Cluster, tmp_path: Path) -> None:
    program = tmp_path / "mine"
    program.write_text(f"#!{sys.executable}\nimport sys\nfor line in sys.stdin: pass\n")
    program.chmod(0o755)
    order = order_of(("random", f"exec:{program}"), tmp_path)
    program.unlink()
    with pytest.raises(NodeProblem, match=r"there is no program .*mine.* was on node .*: install"):
        players_of(order)


def order_of(names: tuple[str, ...], folder: Path, **changes: Any) -> Order:
    """What tasks of a data set of these bots would share."""
    job = WriteJob(names, False, TableOptions(num_players=len(names)), DatasetSpec(), folder)
    return replace(Order(job, source_key(), shipped_files(names)), **changes)


def test_another_version_on_a_node_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NodeProblem, match=r"has monopoly-env .*, and this machine 0.0 x; install"):
        players_of(order_of(("random", "fixed_a"), tmp_path, key="0.0 x"))


def test_files_are_put_down_once_by_what_they_hold(
    tmp_path: Path, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_ray, "KEPT", tmp_path / "kept")
    monkeypatch.chdir(tmp_path)
    first = shipped_files([bot, "random"])
    assert set(first) == {bot}
    name = local_name(bot, first[bot])
    assert name == f"python:{tmp_path / 'kept' / first[bot].digest / 'bot.py'}:Bot"
    assert local_name(bot, first[bot]) == name
    (tmp_path / "bot.py").write_text(BOT + "\n")
    assert local_name(bot, shipped_files([bot])[bot]) != name
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "model.json").write_text("{}")
    put = Shipped.of(tmp_path / "run").put(tmp_path / "kept")
    assert (put / "model.json").read_text() == "{}"


def test_a_cluster_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    line = ["tournament", "--agents", "random,fixed_a", "--games", "4", "--out", "far"]
    process = start(tmp_path, [*line, "--backend", "ray", "--address", "127.0.0.1:1"])
    assert process.wait(PATIENCE) == 2
    assert (
        "error: --address: no Ray cluster answers at 127.0.0.1:1" in (tmp_path / "log").read_text()
    )
