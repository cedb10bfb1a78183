"""Training on a cluster of two nodes: the same agent, whatever is killed in the middle."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("ray")
pytest.importorskip("sb3_contrib")

from monopoly_training.evaluation.learning_curve import read_curve
from ray.cluster_utils import Cluster

from tests.clients.ray.two_nodes import (
    PATIENCE,
    Near,
    kill_node,
    kill_worker,
    lines,
    run,
    start,
    wait_for,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

TRAIN = ("train", "small", "--set", "ppo.workers=2", "--set", "ppo.staleness=1", "--set",
         "steps=768", "--set", "evaluation.every=256")  # fmt: skip
LEAGUE = ("league", "small")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def trained(folder: Path) -> object:
    """The model of a run, and its curve without the times."""
    points = [{**vars(point), "seconds": 0} for point in read_curve(folder)]
    return sha256(folder / "model.safetensors"), points


def played(folder: Path) -> object:
    """How a league went, and all its models."""
    models = {path.parent.name: sha256(path) for path in folder.rglob("model.safetensors")}
    return json.loads((folder / "league.json").read_text())["league"], models


def is_there(path: Path) -> int:
    """1 if there is such a file."""
    return int(path.exists())


def policies(folder: Path) -> int:
    """How many policies of a league are there."""
    return len(list(folder.glob("*/learner.pt")))


def kill_rollout_worker(cluster: Cluster) -> None:
    """Kill an actor that plays rollouts."""
    kill_worker(cluster, b"ray::WorkerActor")


@pytest.mark.parametrize("kill", [kill_rollout_worker, kill_node])
def test_a_lost_worker_is_replaced_and_the_agent_is_the_same(
    nodes: Cluster, tmp_path: Path, near: Near, kill: Callable[[Cluster], None]
) -> None:
    far = ["--backend", "ray", "--address", nodes.address, "--out", "far"]
    process = start(tmp_path, [*TRAIN, *far])
    wait_for(tmp_path / "far" / "checkpoint.pt", 1, process, tmp_path / "log", is_there)
    kill(nodes)
    assert process.wait(PATIENCE) == 0, (tmp_path / "log").read_text()
    assert trained(tmp_path / "far") == trained(near(TRAIN))


def test_after_a_kill_of_the_learner_resume_goes_on(
    nodes: Cluster, tmp_path: Path, near: Near
) -> None:
    far = ["--backend", "ray", "--address", nodes.address]
    process = start(tmp_path, [*TRAIN, *far, "--out", "far"])
    wait_for(tmp_path / "far" / "checkpoint.pt", 1, process, tmp_path / "log", is_there)
    process.kill()
    process.wait(PATIENCE)
    run(tmp_path, ["train", "--resume", "far", *far])
    assert trained(tmp_path / "far") == trained(near(TRAIN))


def test_a_league_is_the_same_after_a_kill_of_a_node_and_of_who_asked(
    nodes: Cluster, tmp_path: Path, near: Near
) -> None:
    far = ["--backend", "ray", "--address", nodes.address]
    process = start(tmp_path, [*LEAGUE, *far, "--out", "far"])
    wait_for(tmp_path / "far" / "policies", 2, process, tmp_path / "log", policies)
    kill_node(nodes)
    wait_for(tmp_path / "far" / "policies", 3, process, tmp_path / "log", policies)
    process.kill()
    process.wait(PATIENCE)
    run(tmp_path, ["league", "--resume", "far", *far])
    assert played(tmp_path / "far") == played(near(LEAGUE, "--jobs", "2"))


def test_what_is_missing_is_one_line(tmp_path: Path) -> None:
    process = start(tmp_path, ["train", "small", "--backend", "ray", "--out", "far"])
    assert process.wait(PATIENCE) == 2
    assert "error: --backend: ray is where rollout workers are" in (tmp_path / "log").read_text()
    assert lines(tmp_path / "far" / "curve.csv") == 0
