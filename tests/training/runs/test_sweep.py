"""Sweeps: lists of values in ``--set``, a run for each combination, and the table of their results."""

from __future__ import annotations

import csv

import pytest

pytest.importorskip("sb3_contrib")

from monopoly_training.cli import main
from monopoly_training.runs.config import load_train_config
from monopoly_training.runs.sweep import runs_of, split_values

from monopoly_env.errors import InputError

QUICKER = [
    "--set", "steps=256", "--set", "imitation.steps=0", "--set", "evaluation.games=2",
    "--set", "ppo.envs=4",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1e-3,3e-4", ["1e-3", "3e-4"]),
        ("1e-3, 3e-4", ["1e-3", "3e-4"]),
        ("[64,64]", ["[64,64]"]),
        ("[64,64],[128,128]", ["[64,64]", "[128,128]"]),
        ("[fixed_a,'a,b']", ["[fixed_a,'a,b']"]),
        ('"fixed_a,fixed_b",random', ['"fixed_a,fixed_b"', "random"]),
        ("{deals: menu, max_turns: 400}", ["{deals: menu, max_turns: 400}"]),
        ("", [""]),
    ],
)
def test_values_are_between_commas_that_nothing_encloses(text, values):
    assert split_values(text) == values


def test_every_combination_is_a_run_the_last_setting_changing_fastest():
    runs = runs_of(["ppo.learning_rate=1e-3,3e-4", "table.deals=off", "seed=0,1"])
    assert [run.name for run in runs] == [
        "ppo.learning_rate=1e-3,seed=0",
        "ppo.learning_rate=1e-3,seed=1",
        "ppo.learning_rate=3e-4,seed=0",
        "ppo.learning_rate=3e-4,seed=1",
    ]
    assert runs[2].changes == ("ppo.learning_rate=3e-4", "table.deals=off", "seed=0")


def test_a_run_without_lists_has_no_name():
    (run,) = runs_of(["ppo.layers=[8,16]", "seed=1"])
    assert run.name == ""
    assert runs_of([])[0].changes == ()


def test_names_of_runs_are_names_of_folders():
    names = [run.name for run in runs_of(["table.edition=a/b.yaml,../c.yaml"])]
    assert names == ["table.edition=a_b.yaml", "table.edition=.._c.yaml"]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        (["ppo.gamma=0.9,,0.99"], [], "ppo.gamma: has an empty value"),
        (["ppo.gamma=0.9,"], [], "ppo.gamma: has an empty value"),
        (["seed=0,1", "seed=2"], [], "seed: has several values and is set twice"),
        (["seed=0,1"], ["seed"], "seed: has several values and is set twice"),
        (["seed=1,1"], [], "seed: has the same value twice"),
        (["seed=" + ",".join(map(str, range(40))), "steps=" + ",".join(map(str, range(1, 40)))],
         [], "would be 1,560 runs"),
    ],
)  # fmt: skip
def test_errors_name_the_setting_and_the_remedy(changes, options, said):
    with pytest.raises(InputError, match=said) as raised:
        runs_of(changes, options)
    assert "; " in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_sweep_trains_each_run_in_its_own_folder(tmp_path, capsys):
    out = tmp_path / "swept"
    sweep = ["train", "small", *QUICKER, "--set", "ppo.learning_rate=1e-3,3e-4", "--out", str(out)]
    assert main(sweep) == 0
    assert f"the results of 2 runs are in {out / 'sweep.csv'}" in capsys.readouterr().out
    for rate in ("1e-3", "3e-4"):
        folder = out / f"ppo.learning_rate={rate}"
        assert load_train_config(folder / "config.yaml").ppo.learning_rate == float(rate)
        assert (folder / "model.safetensors").exists()
    with (out / "sweep.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["run"] for row in rows] == ["ppo.learning_rate=1e-3", "ppo.learning_rate=3e-4"]
    assert {row["against"] for row in rows} == {"random"}
    assert {row["steps"] for row in rows} == {"256"}
    assert main(sweep) == 2  # nothing is trained over
    assert "already contains a run" in capsys.readouterr().err


@pytest.mark.promise("bad_input")
def test_a_bad_value_is_refused_before_the_first_run(tmp_path, capsys):
    out = tmp_path / "swept"
    assert main(["train", "small", "--set", "ppo.gamma=0.9,2", "--out", str(out)]) == 2
    assert "--set: ppo.gamma: must be from 0 to 1, not 2" in capsys.readouterr().err
    assert not out.exists()


def test_a_resumed_run_takes_no_lists(capsys):
    assert main(["train", "--resume", "nowhere", "--set", "seed=0,1"]) == 2
    assert "a resumed run takes one value of a setting" in capsys.readouterr().err
