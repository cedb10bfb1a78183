"""The value's table on frozen positions, and the way from games to weights."""

from __future__ import annotations

import json

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.value import tasks
from monopoly_training.value.heldout import FROZEN, load_positions, save_positions
from monopoly_training.value.positions import joined, play_positions
from monopoly_training.value.scoring import GENERATED, auc, by_table, reliability
from monopoly_training.value.tables import Table

from monopoly_env.errors import FileError
from monopoly_env.value.network import BOARDS, PRINTED
from monopoly_env.value.weights import load_value, shipped_value

TOLERANCE = 0.002  # of a score that is worked out again


@pytest.fixture(scope="module")
def report():
    return tasks.frozen_report(shipped_value())


def test_the_scores_of_the_card_come_out_again(report):
    scores = shipped_value().card["scores"]
    assert set(scores) == set(report)
    for name in ("all", *tasks.TABLES, tasks.GENERATED):
        for predictor, stages in scores[name].items():
            for stage, numbers in stages.items():
                for key, number in numbers.items():
                    found = report[name][predictor][stage][key]
                    assert found == pytest.approx(number, abs=TOLERANCE), (name, predictor, stage)


def test_the_value_predicts_better_than_the_formulas(report):
    for name in (*tasks.TABLES, tasks.GENERATED):
        value, formula = report[name]["value"]["all"], report[name]["strategist"]["all"]
        assert formula["log_loss"] - value["log_loss"] > 0.05
        assert value["brier"] < formula["brier"]
        assert value["top_1"] > formula["top_1"]
        assert value["auc"] > formula["auc"]
    for key in ("edition", "mode", "deals", "players"):
        for row in report[f"by {key}"].values():
            assert row["value"] < row["strategist"]


def test_the_value_is_calibrated(report):
    for name in ("all", tasks.GENERATED):
        assert report[name]["value"]["all"]["off"] < 0.02


def test_scores_are_what_they_say():
    chances = np.array([0.9, 0.8, 0.3, 0.1])
    won = np.array([True, False, True, False])
    assert auc(chances, won) == pytest.approx(0.75)
    bins = reliability(np.array([0.15, 0.17, 0.95]), np.array([0.0, 1.0, 1.0]))
    assert [one["part"] for one in bins] == pytest.approx([2 / 3, 1 / 3])
    assert [one["won"] for one in bins] == pytest.approx([0.5, 1.0])


def test_the_same_seed_gives_the_same_positions_and_they_are_read_again(tmp_path):
    one = joined(list(play_positions(12, 5)))
    two = joined(list(play_positions(12, 5)))
    assert one.states.tobytes() == two.states.tobytes()
    assert np.array_equal(one.shares, two.shares)
    assert np.all(one.shares.sum(axis=1) == pytest.approx(1))
    path = tmp_path / "positions.npz"
    save_positions(path, one, {"seed": 5})
    again = load_positions(path)
    assert again.tables == one.tables
    for name in ("owned", "cash", "owner", "position", "agenda"):
        assert np.array_equal(again.states[name], one.states[name])
    save_positions(tmp_path / "again.npz", two, {"seed": 5})
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()


def test_other_tables_can_be_asked_for():
    table = Table("kanto2014", "short", "menu", "own", 3)
    positions = joined(list(play_positions(3, 1, table=table)))
    assert set(positions.tables) == {table}
    assert np.all(positions.states["players"] == 3)


def test_generated_boards_can_be_asked_for():
    positions = joined(list(play_positions(3, 1, boards="train")))
    assert all(table.edition.startswith("random:train:") for table in positions.tables)
    assert list(by_table(positions, shipped_value(), "edition")) == [GENERATED]


def test_damaged_positions_are_refused(tmp_path):
    path = tmp_path / "heldout.npz"
    path.write_bytes(FROZEN.read_bytes()[:-1])
    path.with_suffix(".json").write_text(FROZEN.with_suffix(".json").read_text())
    with pytest.raises(FileError, match="damaged"):
        load_positions(path)


def test_a_fit_writes_a_value_whose_chances_are_the_networks_own():
    torch = pytest.importorskip("torch")
    from monopoly_training.value.examples import examples_of
    from monopoly_training.value.fit import FitOptions, Scales, ValueNetwork, fit

    from monopoly_env.value.network import as_record
    from monopoly_env.value.reference import chances_of

    examples = examples_of(play_positions(20, 3))
    rows = np.arange(len(examples))
    scales, network = Scales(examples, rows), ValueNetwork()
    seats, table = scales.apply(examples, rows)
    alive = torch.from_numpy(examples.alive.astype(np.float32))
    ours = chances_of(
        as_record(scales.fold(network)),
        examples.seats.astype(np.float32),
        examples.table.astype(np.float32),
        examples.alive,
    )
    assert np.abs(network(seats, table, alive).exp().detach().numpy() - ours).max() < 1e-4
    again = ValueNetwork()
    scales.unfold(scales.fold(network), again)
    assert torch.allclose(again(seats, table, alive), network(seats, table, alive), atol=1e-3)
    one, two = (fit(examples, FitOptions(epochs=2)) for _ in range(2))
    assert all(np.array_equal(one.tensors[name], two.tensors[name]) for name in one.tensors)
    constant = (examples.table == examples.table[0]).all(axis=0)  # such as the salary
    assert constant.any()
    assert not one.tensors["table"][constant].any()


def test_the_command_fits_shows_and_tests(tmp_path, capsys, monkeypatch):
    pytest.importorskip("torch")
    few = joined(list(play_positions(30, 9)))
    monkeypatch.setattr(tasks, "load_positions", lambda *_: few)
    path = tmp_path / "own.safetensors"
    arguments = ["--games", "20", "--epochs", "1", "--seed", "4", "--out", str(path)]
    for flags, key, which in (([], "made", PRINTED), (["--boards"], "made_for_boards", BOARDS)):
        assert main(["value", "fit", *flags, *arguments]) == 0
        own, included = load_value(path), shipped_value()
        assert own.card[key]["games"] == 20
        words = ["monopoly-env value fit", *flags, "--games 20 --seed 4 --epochs 1"]
        assert own.card[key]["command"] == " ".join(words)
        same = own.networks["out"][0] == included.networks["out"][0]
        assert not same[which].all()
        assert same[1 - which].all()
    capsys.readouterr()
    assert main(["value", "show", "--value", str(path)]) == 0
    assert load_value(path).digest in capsys.readouterr().out
    assert main(["value", "test", "--value", str(path), "--games", "10", "--json"]) == 0
    assert "by players" in json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit"], "--out"),
        (["fit", "--out", "x.txt"], "must end in .safetensors"),
        (["fit", "--out", "x.safetensors", "--games", "0"], "at least 1"),
        (["show", "--value", "no/such.safetensors"], "cannot be read"),
        (["sing"], "sing"),
    ],
)
def test_what_does_not_fit_is_one_line(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["value", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
