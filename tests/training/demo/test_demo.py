"""The demo, in small: what it leaves behind, and that it is replaced by the next one."""

from __future__ import annotations

import csv
import json
from contextlib import AbstractContextManager

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.cli import main
from monopoly_training.common.progress import NoProgress
from monopoly_training.demo import demo
from monopoly_training.runs.config import load_train_config

from monopoly_env.records import read_records
from monopoly_env.replay import replay


class NoWarmUp(AbstractContextManager):
    """Stands in for another process that compiles."""

    def __init__(self, part):
        assert part in ("bots", "games")

    def __exit__(self, *_):
        pass

    def wait(self):
        pass


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(demo, "WarmUp", NoWarmUp)
    return load_train_config("small", ["table.players=4"])


def test_the_demo_leaves_a_curve_a_table_and_a_game(small, tmp_path):
    found = demo.run_demo(small, tmp_path, NoProgress(), games=8)
    assert found.steps == 512
    assert all(path.stat().st_size > 0 for path in found.paths)
    names = {path.name for path in found.paths}
    assert names == {
        "curve.csv", "curve.png", "table.csv", "results.json", "game.jsonl", "game.txt",
    }  # fmt: skip
    with (tmp_path / "table.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["against"] for row in rows] == [" ".join(bots) for bots in demo.OPPONENTS]
    assert [row["games"] for row in rows] == ["8"] * len(demo.OPPONENTS)
    results = json.loads((tmp_path / "results.json").read_text())["evaluations"]
    assert [row["win_rate"] for row in results] == [float(row["win_rate"]) for row in rows]
    (record,) = read_records(tmp_path / "game.jsonl")
    assert replay(record).over
    assert record["bots"] == [f"model:{tmp_path}", *demo.OPPONENTS[-1]]


def test_another_demo_takes_the_place_of_the_first(small, tmp_path):
    for _ in range(2):
        demo.run_demo(small, tmp_path, NoProgress(), games=8)
    assert len(list(read_records(tmp_path / "game.jsonl"))) == 1
    assert len((tmp_path / "curve.csv").read_text().splitlines()) == 4


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("train", "name a config, or a run to resume"),
        ("train nothing", "there is no such train config; use one of"),
        ("train small --set ppo.gama=1", "did you mean 'gamma'?"),
        ("train --resume nowhere", "nowhere: holds no config.yaml"),
        ("evaluate nobody --against random", "there is no bot 'nobody'"),
        ("evaluate random --against random --games 0", "--games: must be from 1 to"),
        ("evaluate random --against random --rule deals", "--rule: must be name=value"),
        ("evaluate model:nowhere --against random", "nowhere: there is no such file or folder"),
        ("tournament", "name a config, or the bots"),
        ("tournament --agents random", "must be 2 to 8 bots"),
        ("plot nowhere", "there is no learning curve"),
        ("demo --set steps=x", "--set: steps: must be a whole number"),
    ],
)
def test_errors_are_one_line(line, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(line.split()) == 2
    message = capsys.readouterr().err
    assert said in message
    assert message.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_json_is_all_that_is_printed(capsys, small_run, tmp_path):
    rules = "--rule max_turns=20 --rule deals=off --json"
    assert main(f"evaluate model:{small_run} --against random --games 4 {rules}".split()) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 4
    out = f"--out {tmp_path}"
    assert main(f"tournament --agents random,fixed_a --games 4 {rules} {out}".split()) == 0
    standings = json.loads(capsys.readouterr().out)["standings"]
    assert {row["agent"] for row in standings} == {"random", "fixed_a"}


def test_a_plot_of_several_seeds_is_one_band(small_run, tmp_path, capsys):
    from monopoly_training.evaluation.learning_curve import runs_by_config

    other = tmp_path / "other"
    other.mkdir()
    text = (small_run / "config.yaml").read_text()
    (other / "config.yaml").write_text(text.replace("seed: 0", "seed: 1", 1))
    (other / "curve.csv").write_bytes((small_run / "curve.csv").read_bytes())
    assert [len(runs) for runs in runs_by_config([small_run, other]).values()] == [2]
    assert main(["plot", str(small_run), str(other), "--out", str(tmp_path / "c.png")]) == 0
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    assert "written" in capsys.readouterr().out
