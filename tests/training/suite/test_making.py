"""How a set is made: the same however it is cut off, and with values that rollouts confirm."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.common.files import RepairWarning
from monopoly_training.common.progress import NoProgress
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.suite import action_values
from monopoly_training.suite.decisions import write_set
from monopoly_training.suite.kinds import ALL_KINDS, SIZE, plan
from monopoly_training.suite.make_set import MakeOptions, make

from monopoly_env import rollouts
from monopoly_env.errors import InputError

OPTIONS = MakeOptions(decisions=7, samples=500, seed=5)  # those of the fixture


def bytes_of(folder, rows):
    path = folder / "set_2.jsonl.gz"
    write_set(path, rows, {})
    return path.read_bytes()


def test_a_make_that_was_cut_off_and_damaged_is_that_of_one_undisturbed(made, tmp_path):
    whole = (made / "set_2.jsonl.gz").read_bytes()
    folder = tmp_path / "cut"
    make(folder, replace(OPTIONS, decisions=3), WorkOptions(), NoProgress())
    kept = sorted((folder / "decisions").iterdir())
    assert [path.stem for path in kept] == ["00000", "00001", "00002"]
    text = kept[1].read_text()
    kept[1].write_text(text.replace('"samples"', '"samplez"', 1))
    with pytest.warns(RepairWarning, match=r"00001\.json: is damaged.*it is recomputed"):
        rows = make(folder, OPTIONS, WorkOptions(1, resume=True), NoProgress())
    assert bytes_of(folder, rows) == whole
    assert kept[1].read_text() == text


def test_more_samples_go_on_where_fewer_ended(made, tmp_path):
    """Not from the start: the sums of the first samples stay."""
    more = replace(OPTIONS, decisions=2, samples=1000)
    folder = tmp_path / "grown"
    shutil.copytree(made, folder)
    grown = make(folder, more, WorkOptions(1, resume=True), NoProgress())
    fresh = make(tmp_path / "fresh", more, WorkOptions(), NoProgress())
    assert [row["tally"] for row in grown] == [row["tally"] for row in fresh]
    assert all(row["tally"]["samples"] >= 1000 for row in grown)


def test_in_two_processes_it_is_the_same(tmp_path):
    options = replace(OPTIONS, decisions=4)
    rows = make(tmp_path / "two", options, WorkOptions(2), NoProgress())
    alone = make(tmp_path / "one", options, WorkOptions(), NoProgress())
    assert rows == alone


def test_another_make_is_not_gone_on_with(made, capsys):
    with pytest.raises(InputError, match=r"make\.json: has other settings; `resume` continues"):
        make(made, OPTIONS, WorkOptions(), NoProgress())
    with pytest.raises(InputError, match=r"make\.json: seed was 5 and is 6; name another folder"):
        make(made, replace(OPTIONS, seed=6), WorkOptions(1, resume=True), NoProgress())
    assert main(["suite", "make", "--out", str(made), "--kind", "buy"]) == 2
    assert "--kind: is not for `suite make`" in capsys.readouterr().err


def test_values_are_means_of_rollouts(small_set):
    """The same numbers by the public function."""
    for number, decision in enumerate(small_set.decisions[:3]):
        done = rollouts(
            [decision.game] * len(decision.ids),
            action_values.POLICY,
            actions=decision.ids,
            samples=decision.samples,
            horizon=action_values.horizon(decision.game),
            seed=OPTIONS.seed + number,
        )
        np.testing.assert_allclose(done.mean, decision.values, atol=2e-5)
        np.testing.assert_allclose(done.standard_error, decision.errors, atol=2e-5)
        own = done.win_shares[:, :, decision.seat].astype(float)
        gaps = own - own[decision.values[:, decision.seat].argmax()]
        expected = gaps.std(axis=1, ddof=1) / np.sqrt(decision.samples)
        np.testing.assert_allclose(decision.loss_errors, expected, atol=3e-5)


def test_a_loss_is_sure_or_many_samples_were_taken(small_set):
    for decision in small_set.decisions:
        enough = np.maximum(action_values.SURE, 0.1 * decision.losses) + 2e-5
        sure = (decision.loss_errors <= enough).all()
        assert sure or decision.samples >= action_values.MOST_TIMES * OPTIONS.samples


def test_every_part_of_the_plan_has_its_share_of_each_kind():
    assert len(plan(SIZE)) == SIZE
    assert all(plan(SIZE).count(name) == kind.count for name, kind in ALL_KINDS.items())
    for size in (110, 220, 440):
        part = plan(size)
        for name, kind in ALL_KINDS.items():
            assert abs(part.count(name) - kind.count * size / SIZE) <= 1.5


def test_the_command_makes_a_set_that_can_be_asked_for(tmp_path, capsys):
    folder = tmp_path / "made"
    arguments = ["make", "--decisions", "2", "--samples", "500", "--seed", "5"]
    assert main(["suite", *arguments, "--out", str(folder)]) == 0
    path = folder / "set_2.jsonl.gz"
    assert f"written: {path}, 2 decisions" in capsys.readouterr().out
    assert main(["suite", "random", "--set", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["kinds"]["all"]["decisions"] == 2
    assert main(["suite", *arguments, "--out", str(folder), "--resume"]) == 0


def test_decisions_are_made_from_a_number_alone():
    assert MakeOptions(decisions=SIZE).settings() == MakeOptions(decisions=3).settings()
