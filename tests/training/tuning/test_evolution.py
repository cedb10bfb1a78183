"""Evolved weights: the same run gives the same weights, and goes on where it stopped."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("cma")

from monopoly_agents.strategist.weights import STRATEGIST, by_name
from monopoly_agents.trader.numbers import by_name as numbers_of
from monopoly_agents.trader.numbers import trader_weights
from monopoly_training.cli import main
from monopoly_training.common.files import RepairWarning
from monopoly_training.common.schema import ConfigError, shipped_configs
from monopoly_training.evaluation.learning_curve import read_curve
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.tuning import evolution
from monopoly_training.tuning.config import load_tune_config

from monopoly_env.agent import find_agent
from monopoly_env.errors import FileError, InputError
from monopoly_env.files import DIGEST, with_digest

WEIGHTS = evolution.WEIGHTS


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tune") / "small"
    evolution.tune(load_tune_config("small"), folder)
    return folder


def weights(folder):
    return json.loads((folder / WEIGHTS).read_text())["weights"]


def test_a_run_leaves_weights_that_a_bot_plays_by(small, capsys):
    card = json.loads((small / WEIGHTS).read_text())
    assert card["generations"] == 2
    assert card["games"] == 2 * 4 * 8
    assert card["results"]["random"]["games"] == 8
    assert [point.steps for point in read_curve(small)] == [0, 32, 64]
    names = [f"strategist:{small / WEIGHTS}", "random"]
    assert main(["evaluate", names[0], "--against", names[1], "--games", "8"]) == 0
    assert "strategist:" in capsys.readouterr().out


def test_the_weights_moved(small):
    own = by_name(STRATEGIST)
    found = weights(small)
    assert set(found) == set(own)
    assert sum(found[name] != own[name] for name in own) > 15


def test_the_traders_margins_are_varied_with_its_weights(tmp_path):
    changes = ["bot=trader", "generations=1", "games=2", "check.games=2"]
    run = evolution.tune(load_tune_config("small", changes), tmp_path / "run")
    card = json.loads((tmp_path / "run" / WEIGHTS).read_text())
    shipped = numbers_of(trader_weights())  # the table seats two
    assert card["margins"] == shipped["margins"]
    assert card["weights"] == shipped["weights"]
    for key in ("margins_of_two", "weights_of_two"):
        changed = [card[key][name] != shipped[key][name] for name in shipped[key]]
        assert sum(changed) > 0.7 * len(changed)
    assert run.bot == f"trader:{tmp_path / 'run' / WEIGHTS}"
    played_by = find_agent(run.bot)[0].weights
    assert played_by is not None
    assert played_by["margins"]["accept"][0, 0] == card["margins"]["accept"]
    assert played_by["margins"]["accept"][0, 1] == card["margins_of_two"]["accept"]


@pytest.mark.promise("resume")
def test_stopped_and_resumed_it_comes_to_the_same(small, tmp_path):
    folder = tmp_path / "run"
    evolution.tune(load_tune_config("small", ["generations=1"]), folder)
    evolution.resume(folder, changes=["generations=2"])
    assert weights(folder) == weights(small)
    assert [p.win_rate for p in read_curve(folder)] == [p.win_rate for p in read_curve(small)]


@pytest.mark.promise("resume")
def test_the_curve_of_three_tables_is_whole_after_a_resume(tmp_path):
    tables = "tables=[random, fixed_a, background]"
    evolution.tune(load_tune_config("small", [tables]), tmp_path / "run")
    before = read_curve(tmp_path / "run")
    assert [point.steps for point in before] == [0] * 3 + [96] * 3 + [192] * 3
    evolution.resume(tmp_path / "run")
    assert [p.win_rate for p in read_curve(tmp_path / "run")] == [p.win_rate for p in before]


def test_in_several_processes_it_comes_to_the_same(small, tmp_path):
    evolution.tune(load_tune_config("small"), tmp_path / "run", work=WorkOptions(2))
    assert weights(tmp_path / "run") == weights(small)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (["tables=[]"], "tables: is empty"),
        (["tables=[nobody]"], "there is no bot 'nobody'"),
        (["tables=[search]"], "search is not compiled"),
        (['tables=["random,random"]'], "tables: must name one bot or 1 with commas"),
        (["bot=fixed_a"], "bot: must be strategist, trader, or either with a file"),
        (["population=2"], "population: must be from 4 to 1000"),
        (["table.rules={nosuch: 1}"], "nosuch"),
    ],
)
def test_a_config_that_cannot_be_is_one_line(changes, problem):
    with pytest.raises(InputError) as caught:
        load_tune_config("small", changes)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_all_configs_that_come_along_can_be_run():
    for name in shipped_configs("tune"):
        assert load_tune_config(name).generations > 0


def test_log_odds_count_a_step_near_the_end_for_more():
    assert evolution.fitness([0.9], 1000) - evolution.fitness([0.85], 1000) > 2 * (
        evolution.fitness([0.5], 1000) - evolution.fitness([0.45], 1000)
    )
    assert evolution.fitness([0.5, 0.5], 10) == pytest.approx(0.0)
    assert evolution.fitness([1.0], 10) < evolution.fitness([1.0], 1000) < 100


@pytest.mark.promise("bad_input")
def test_what_cannot_be_begun_or_gone_on_with_is_one_line(small, tmp_path, capsys):
    assert main(["tune", "small", "--out", str(small)]) != 0
    assert "already contains a run" in capsys.readouterr().err
    assert main(["tune", "--resume", str(tmp_path)]) != 0
    assert "holds no config.yaml" in capsys.readouterr().err
    assert main(["tune"]) != 0
    assert "name a config, or a run to resume" in capsys.readouterr().err
    for name in (evolution.CONFIG, evolution.PROVENANCE):
        shutil.copy(small / name, tmp_path / name)
    (tmp_path / evolution.GENERATIONS).write_text("nonsense\n{}\n")
    assert main(["tune", "--resume", str(tmp_path)]) != 0
    assert "generations.jsonl: line 1: is not JSON" in capsys.readouterr().err


@pytest.mark.promise("checksums")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: lines[:1], "line 1: is one of other generations: some are missing"),
        (lambda _: [], "is empty; this is not a generation"),
        (lambda lines: [lines[0], lines[1][:-9]], "line 2: is not JSON"),
        (lambda lines: [lines[0], lines[1].replace("rates", "rate")], "line 2: is damaged"),
    ],
)
def test_damaged_generations_are_not_gone_on_with(small, tmp_path, change, says):
    shutil.copytree(small, tmp_path / "run")
    path = tmp_path / "run" / evolution.GENERATIONS
    path.write_text("".join(f"{line}\n" for line in change(path.read_text().splitlines())))
    with pytest.raises(FileError, match=says):
        evolution.resume(tmp_path / "run")


def with_dimensions(folder, dimensions):
    """A run as a version wrote it whose bot had as many parameters; None: the first versions."""
    path = folder / evolution.GENERATIONS
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        del row[DIGEST]
        row |= {"dimensions": dimensions}
        if dimensions is None:
            del row["dimensions"]
    path.write_text("".join(json.dumps(with_digest(row)) + "\n" for row in rows))


@pytest.mark.promise("resume")
def test_a_run_of_the_first_versions_is_gone_on_with(small, tmp_path):
    folder = tmp_path / "run"
    evolution.tune(load_tune_config("small", ["generations=1"]), folder)
    with_dimensions(folder, None)
    evolution.resume(folder, changes=["generations=2"])
    assert weights(folder) == weights(small)


@pytest.mark.promise("resume")
@pytest.mark.parametrize("dimensions", [None, 51])
def test_a_bot_that_had_other_parameters_is_not_gone_on_with(tmp_path, dimensions):
    folder = tmp_path / "run"
    changes = ["bot=trader", "generations=1", "games=2", "check.games=2"]
    evolution.tune(load_tune_config("small", changes), folder)
    with_dimensions(folder, dimensions)
    with pytest.raises(FileError, match="other parameters; start a new run from its weights"):
        evolution.resume(folder, changes=["generations=2"])


def test_generations_of_another_config_are_not_gone_on_with(small, tmp_path):
    shutil.copytree(small, tmp_path / "run")
    with pytest.raises(FileError, match="line 1: must be the rates of 6 candidates at 1 tables"):
        evolution.resume(tmp_path / "run", changes=["population=6"])


@pytest.mark.promise("resume")
def test_a_config_that_was_edited_is_not_gone_on_with(small, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(small, run)
    path = run / evolution.CONFIG
    path.write_text(path.read_text().replace("games: 8", "games: 9", 1))
    says = r"config.yaml: games is 9, and the run was made with 8; .* `changes` games=9, or write"
    with pytest.raises(ConfigError, match=says):
        evolution.resume(run)
    evolution.resume(run, changes=["games=8", "generations=3"])
    assert load_tune_config(path) == load_tune_config("small", ["generations=3"])
    evolution.resume(run)
    path.unlink()
    with pytest.warns(RepairWarning, match="config.yaml: is gone; it is rewritten"):
        evolution.resume(run)
    assert load_tune_config(path) == load_tune_config("small", ["generations=3"])


@pytest.mark.promise("checksums")
@pytest.mark.parametrize(
    "damage", [lambda _: b"", lambda data: data[:-9], lambda data: data + b"x"]
)
def test_damaged_weights_are_told_and_written_anew(small, tmp_path, damage):
    run = tmp_path / "run"
    shutil.copytree(small, run)
    path = run / evolution.WEIGHTS
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(RepairWarning, match=r"weights.json: .*; it is rewritten"):
        evolution.resume(run)
    assert weights(run) == weights(small)
    origin = run / evolution.PROVENANCE
    origin.write_text(origin.read_text().replace('"seed": ', '"seed": 1'))
    with pytest.raises(FileError, match=r"provenance.json: is damaged: .* or delete it, and"):
        evolution.resume(run)


KILLED = """
import os, signal, sys
from pathlib import Path
from monopoly_training.tuning import evolution
from monopoly_training.tuning.config import load_tune_config
whole = evolution.write_atomic
def write_and_die(path, content):
    whole(path, content)
    if path.name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
evolution.write_atomic = write_and_die
evolution.tune(load_tune_config("small"), Path(sys.argv[1]))
"""


@pytest.mark.promise("resume")
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("last", [evolution.CONFIG, evolution.GENERATIONS])
def test_a_killed_run_comes_to_the_same(small, tmp_path, last):
    run = tmp_path / "run"
    done = subprocess.run([sys.executable, "-c", KILLED, str(run), last], check=False)
    assert done.returncode == -9
    evolution.resume(run)
    assert weights(run) == weights(small)
    assert [p.win_rate for p in read_curve(run)] == [p.win_rate for p in read_curve(small)]


def test_the_candidates_are_drawn_apart_from_the_global_random_numbers():
    """A Python bot may seed NumPy's, and CMA-ES must not seed them either."""
    config = load_tune_config("small")
    before = np.random.get_state()[1].tolist()  # noqa: NPY002 - the one that bots may seed
    drawn = evolution.digest_of(evolution.strategy_of(config).ask())
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002
    np.random.seed(4)  # noqa: NPY002
    assert evolution.digest_of(evolution.strategy_of(config).ask()) == drawn


@pytest.mark.promise("resume")
def test_rates_of_other_candidates_are_not_learned_from(small, tmp_path):
    shutil.copytree(small, tmp_path / "run")
    path = tmp_path / "run" / evolution.GENERATIONS
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows:
        del row[DIGEST]
        row["candidates"] = "0" * 16
    path.write_text("".join(json.dumps(with_digest(row)) + "\n" for row in rows))
    says = "line 1: has the win rates of other candidates than this machine draws; resume where"
    with pytest.raises(FileError, match=says):
        evolution.resume(tmp_path / "run")


@pytest.mark.promise("resume")
def test_a_run_without_digests_of_its_candidates_is_gone_on_with(small, tmp_path):
    folder = tmp_path / "run"
    evolution.tune(load_tune_config("small", ["generations=1"]), folder)
    path = folder / evolution.GENERATIONS
    row = json.loads(path.read_text())
    del row[DIGEST], row["candidates"]
    path.write_text(json.dumps(with_digest(row)) + "\n")
    evolution.resume(folder, changes=["generations=2"])
    assert weights(folder) == weights(small)
