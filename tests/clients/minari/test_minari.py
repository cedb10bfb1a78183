"""Minari: data sets are made, load as they were, and make their environment again."""

from __future__ import annotations

import json

import numpy as np
import pytest

pytest.importorskip("minari")

import minari
from monopoly_training.cli import main
from monopoly_training.dataset import minari_export
from monopoly_training.dataset.episodes import episodes
from monopoly_training.dataset.minari_export import to_minari

from monopoly_env.errors import InputError
from tests.clients.minari import load

ID = "monopoly/veteran-v0"
GAMES = "generate --agents veteran,background,random --games 6 --seed 5 --rule deals=off --rule max_turns=60"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data set of six games, as ``monopoly-env generate`` writes it."""
    folder = tmp_path_factory.mktemp("data")
    assert main([*GAMES.split(), "--out", str(folder)]) == 0
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A folder of its own for Minari's data sets."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return tmp_path / "minari"


@pytest.mark.parametrize("narrow", [True, False])
def test_episodes_are_loaded_as_they_were_written(data, narrow) -> None:
    to_minari(data, ID, bots=["veteran"], narrow=narrow)
    dataset = minari.load_dataset(ID)
    written = list(episodes(data, bots=["veteran"], narrow=narrow))
    assert dataset.total_episodes == len(written) == 6
    for one, other in zip(dataset.iterate_episodes(), written, strict=True):
        np.testing.assert_array_equal(one.observations["observation"][:-1], other.observations)
        np.testing.assert_array_equal(one.observations["action_mask"][:-1], other.masks)
        assert not one.observations["action_mask"][-1].any()
        np.testing.assert_array_equal(one.actions, other.actions)
        np.testing.assert_array_equal(one.rewards, other.rewards)
        np.testing.assert_array_equal(one.terminations, other.terminals)
        np.testing.assert_array_equal(one.truncations, other.truncations)
    assert load.returns_of(dataset) == [("veteran", float(one.rewards.sum())) for one in written]


def test_the_environment_of_a_data_set_is_made_again_and_plays(data) -> None:
    dataset = to_minari(data, ID, bots=["veteran"], narrow=True)
    env = dataset.recover_environment().unwrapped
    assert env.observation_space == dataset.observation_space
    assert env.action_space == dataset.action_space
    first = next(dataset.iterate_episodes())
    for row in range(5):
        seen = {name: values[row] for name, values in first.observations.items()}
        assert env.observation_space.contains(seen)
    assert load.play(dataset) in (1.0, -0.5)


def test_the_command_converts(data, capsys) -> None:
    assert main(["convert", str(data), "--minari", ID, "--reward", "win_only"]) == 0
    assert "18 episodes" in capsys.readouterr().out
    returns = load.returns_of(minari.load_dataset(ID))
    assert sum(paid for _, paid in returns) == pytest.approx(6)


def test_ids_that_are_taken_or_wrong_are_one_line_and_change_nothing(data, home) -> None:
    to_minari(data, ID, bots=["random"])
    before = {path: path.stat().st_size for path in home.rglob("*") if path.is_file()}
    for name, problem in ((ID, "is there already"), ("no id", "minari: ")):
        with pytest.raises(InputError, match=problem):
            to_minari(data, name)
        assert {p: p.stat().st_size for p in home.rglob("*") if p.is_file()} == before


def test_what_is_broken_off_leaves_nothing(data, home, monkeypatch) -> None:
    whole = minari_export._buffer
    made = []

    def broken(episode):
        made.append(episode)
        if len(made) == 3:
            raise KeyboardInterrupt
        return whole(episode)

    monkeypatch.setattr(minari_export, "_buffer", broken)
    with pytest.raises(KeyboardInterrupt):
        to_minari(data, ID)
    assert not (home / ID).exists()
    monkeypatch.setattr(minari_export, "_buffer", whole)
    assert to_minari(data, ID).total_episodes == 18
    assert json.loads((home / ID / "data" / "metadata.json").read_text())["total_episodes"] == 18
