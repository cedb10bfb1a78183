"""A cluster of two nodes on this machine plays the same games, whatever is killed in the middle."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")
pytest.importorskip("pyarrow")

import ray
from monopoly_training.dataset.writer import DatasetSpec, WriteJob
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.matches import file_transfer
from monopoly_training.matches.batches_on_ray import PlayBatches
from monopoly_training.matches.file_transfer import Shipped, local_name, shipped_files
from monopoly_training.matches.on_ray import NodeProblem, Order, begun_here, cluster
from ray._common.usage.usage_constants import USAGE_STATS_ENABLED_ENV_VAR
from ray._common.usage.usage_lib import usage_stats_enabled
from ray.cluster_utils import Cluster

from monopoly_env.envs.options import TableOptions
from tests.clients.ray.two_nodes import (
    PATIENCE,
    Near,
    kill_node,
    kill_worker,
    run,
    start,
    wait_for,
    wait_for_work,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

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


@pytest.fixture
def bot(tmp_path: Path) -> str:
    """A bot in a file, and one by weights in a file, which the nodes do not have."""
    put_bots(tmp_path)
    return "python:bot.py:Bot"


def put_bots(folder: Path) -> None:
    """Write the bots' files."""
    (folder / "bot.py").write_text(BOT)
    weights = files("monopoly_agents.strategist") / "veteran.json"
    (folder / "mine.json").write_text(weights.read_text())


def played(folder: Path) -> object:
    """What a tournament has come to, without its times."""
    results = json.loads((folder / "results.json").read_text())
    kept = {key: value for key, value in results.items() if key not in TIMES}
    return kept, (folder / "games.csv").read_bytes()


def generated(folder: Path) -> object:
    """The bytes of the parts of a data set."""
    return {path.name: path.read_bytes() for path in folder.glob("*.parquet")}


def tuned(folder: Path) -> object:
    """The weights of an evolution, its curve, and the win rates of its generations."""
    card = json.loads((folder / "weights.json").read_text())
    curve = [{**vars(point), "seconds": 0} for point in read_curve(folder)]
    rows = (folder / "generations.jsonl").read_text().splitlines()
    return card["weights"], card["results"], curve, [json.loads(row)["rates"] for row in rows]


def made(folder: Path) -> object:
    """The bytes of a set of decisions, and of what each decision was made of."""
    kept = {path.name: path.read_bytes() for path in (folder / "decisions").iterdir()}
    return kept, (folder / "set_2.jsonl.gz").read_bytes()


BOTS = "--agents=fixed_a,python:bot.py:Bot,random"
TOURNAMENT = ("tournament", BOTS, "--rule", "max_turns=30", "--games", "60", "--records", "5")
COMPARE = ("compare", "fixed_a", "python:bot.py:Bot", "--against=random", "--rule", "max_turns=30",
           "--games", "80")  # fmt: skip
GENERATE = ("generate", BOTS, "--rule", "max_turns=30", "--games", "240")
TUNE = ("tune", "small", "--set", "tables=[strategist:mine.json]", "--set", "generations=8",
        "--set", "games=100")  # fmt: skip
SUITE = ("suite", "make", "--decisions", "9", "--samples", "500", "--seed", "5")
COMMANDS = pytest.mark.parametrize(
    ("words", "file", "result"),
    [
        (TOURNAMENT, "games.jsonl", played),
        (COMPARE, "games.jsonl", played),
        (GENERATE, "parts.jsonl", generated),
        (TUNE, "generations.jsonl", tuned),
        (SUITE, "decisions", made),
    ],
    ids=["tournament", "compare", "generate", "tune", "suite"],
)


@COMMANDS
@pytest.mark.parametrize("kill", [kill_worker, kill_node])
def test_a_kill_in_the_middle_costs_time_only(
    nodes: Cluster,
    tmp_path: Path,
    near: Near,
    kill: Callable[[Cluster], None],
    words: tuple[str, ...],
    file: str,
    result: Callable[[Path], object],
) -> None:
    put_bots(tmp_path)
    line = [*words, "--backend", "ray", "--address", nodes.address, "--out", "far"]
    process = start(tmp_path, line)
    wait_for(tmp_path / "far" / file, 2, process, tmp_path / "log")
    kill(nodes)
    assert process.wait(PATIENCE) == 0, (tmp_path / "log").read_text()
    assert result(tmp_path / "far") == result(near(words, "--jobs", "2", put=put_bots))
    assert not list((tmp_path / "far").rglob("*.part"))


@COMMANDS
def test_after_a_kill_of_who_asked_resume_goes_on(
    nodes: Cluster,
    tmp_path: Path,
    near: Near,
    words: tuple[str, ...],
    file: str,
    result: Callable[[Path], object],
) -> None:
    put_bots(tmp_path)
    far = ["--backend", "ray", "--address", nodes.address]
    process = start(tmp_path, [*words, *far, "--out", "far"])
    wait_for(tmp_path / "far" / file, 3, process, tmp_path / "log")
    process.kill()
    process.wait(PATIENCE)
    again = ["tune", "--resume", "far"] if words is TUNE else [*words, "--out", "far", "--resume"]
    assert not (tmp_path / "far" / "results.json").exists()
    run(tmp_path, [*again, *far])
    assert result(tmp_path / "far") == result(near(words, "--jobs", "2", put=put_bots))


@pytest.mark.parametrize("kill", [kill_worker, kill_node])
def test_an_evaluation_has_the_same_score_whatever_is_killed(
    nodes: Cluster, tmp_path: Path, bot: str, kill: Callable[[Cluster], None]
) -> None:
    line = ["evaluate", "fixed_a", "--against", f"{bot},random", "--games", "198", "--json"]
    line += ["--rule", "max_turns=30", "--behavior", "--luck-adjusted", "formula"]
    process = start(tmp_path, [*line, "--backend", "ray", "--address", nodes.address], "far")
    wait_for_work(nodes, process, tmp_path / "log")
    kill(nodes)
    assert process.wait(PATIENCE) == 0, (tmp_path / "log").read_text()
    assert start(tmp_path, line, "near").wait(PATIENCE) == 0, (tmp_path / "log").read_text()
    assert (tmp_path / "far").read_bytes() == (tmp_path / "near").read_bytes()
    assert json.loads((tmp_path / "far").read_text())["games"] == 198


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
        begun_here(order)


def order_of(names: tuple[str, ...], folder: Path, **changes: Any) -> Order:
    """What tasks of a data set of these bots would share."""
    job = WriteJob(names, False, TableOptions(num_players=len(names)), DatasetSpec(), folder)
    return replace(Order.of(PlayBatches(job)), **changes)


def test_another_version_on_a_node_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(NodeProblem, match=r"has monopoly-env .*, and this machine 0.0 x; install"):
        begun_here(order_of(("random", "fixed_a"), tmp_path, key="0.0 x"))


def test_files_are_put_down_once_by_what_they_hold(
    tmp_path: Path, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_transfer, "KEPT", tmp_path / "kept")
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


def test_a_cluster_of_this_machine_reports_nothing_to_the_makers_of_ray(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reports: list[bool] = []
    monkeypatch.setattr(ray, "init", lambda **_: reports.append(usage_stats_enabled()))
    for setting in (None, "1"):
        monkeypatch.delenv(USAGE_STATS_ENABLED_ENV_VAR, raising=False)
        if setting is not None:
            monkeypatch.setenv(USAGE_STATS_ENABLED_ENV_VAR, setting)
        with cluster(None):
            pass
    assert reports == [False, True]


def test_a_cluster_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    line = ["tournament", "--agents", "random,fixed_a", "--games", "4", "--out", "far"]
    process = start(tmp_path, [*line, "--backend", "ray", "--address", "127.0.0.1:1"])
    assert process.wait(PATIENCE) == 2
    assert (
        "error: --address: no Ray cluster answers at 127.0.0.1:1" in (tmp_path / "log").read_text()
    )
