"""d3rlpy on data sets: the buffer is what was played, BC and CQL keep to the masks and learn."""

from __future__ import annotations

import numpy as np
import pytest
import torch

pytest.importorskip("d3rlpy")

import d3rlpy
from monopoly_training.cli import main
from monopoly_training.dataset.d3rlpy_export import to_d3rlpy
from monopoly_training.dataset.episodes import episodes

from monopoly_env.errors import InputError
from tests.clients.d3rlpy import offline

torch.set_num_threads(1)

GAMES = (
    "generate --agents veteran,background,background,background --bots veteran --games 40 --seed 5 "
    "--rule deals=off --rule windows=own"
)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A data set of forty games, as ``monopoly-env generate`` writes it."""
    folder = tmp_path_factory.mktemp("data")
    assert main([*GAMES.split(), "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def buffer(data):
    return to_d3rlpy(data)


def test_the_buffer_holds_what_was_played(data, buffer) -> None:
    written = list(episodes(data, narrow=True))
    assert buffer.size() == len(written) == 40
    assert buffer.transition_count == sum(map(len, written))
    for one, other in zip(buffer.episodes, written, strict=True):
        columns = other.observations.shape[1]
        np.testing.assert_array_equal(one.observations[:, :columns], other.observations)
        np.testing.assert_array_equal(one.observations[:, columns:], other.masks)
        np.testing.assert_array_equal(one.actions[:, 0], other.actions)
        assert one.terminated
        assert one.compute_return() == pytest.approx(float(other.rewards.sum()))


def test_the_command_writes_what_d3rlpy_loads(data, buffer, tmp_path, capsys) -> None:
    path = tmp_path / "veteran.h5"
    assert main(["convert", str(data), "--d3rlpy", str(path)]) == 0
    assert "40 episodes" in capsys.readouterr().out
    with path.open("rb") as file:
        loaded = d3rlpy.dataset.ReplayBuffer.load(file, d3rlpy.dataset.InfiniteBuffer())
    assert loaded.transition_count == buffer.transition_count
    for one, other in zip(loaded.episodes, buffer.episodes, strict=True):
        np.testing.assert_array_equal(one.observations, other.observations)
        np.testing.assert_array_equal(one.actions, other.actions)


@pytest.mark.parametrize("make", [offline.make_bc, offline.make_cql])
def test_untrained_it_takes_legal_actions_only(buffer, make) -> None:
    algo = make(buffer)
    size = algo.impl.action_size
    for episode in buffer.episodes[:5]:
        masks = episode.observations[:, -size:]
        actions = algo.predict(episode.observations)
        assert (masks[np.arange(len(masks)), actions] == 1).all()
    assert 0 <= offline.share_won(algo, games=4, rules={"deals": "off", "max_turns": 30}) <= 1


def test_behavior_cloning_comes_to_agree_with_the_bot(buffer) -> None:
    algo = offline.make_bc(buffer)
    seen = np.concatenate([episode.observations for episode in buffer.episodes])
    done = np.concatenate([episode.actions[:, 0] for episode in buffer.episodes])
    before = (algo.predict(seen) == done).mean()
    losses = offline.learn(algo, buffer, 200)
    assert losses[-1]["imitation_loss"] < 0.5 * losses[0]["imitation_loss"]
    assert (algo.predict(seen) == done).mean() > max(0.8, before)


def test_cql_lowers_its_loss_and_stays_among_legal_values(buffer) -> None:
    algo = offline.make_cql(buffer)
    losses = offline.learn(algo, buffer, 200)
    assert losses[-1]["conservative_loss"] < losses[0]["conservative_loss"]
    assert losses[-1]["td_loss"] < 10  # no illegal value is ever a target
    seen = buffer.episodes[0].observations
    values = algo.predict_value(seen, algo.predict(seen))
    assert np.abs(values).max() < 10


@pytest.mark.parametrize("given", [[], ["--minari", "monopoly/a-v0", "--d3rlpy", "a.h5"]])
def test_one_form_is_named(data, given, capsys) -> None:
    assert main(["convert", str(data), *given]) == 2
    assert "give --minari ID or --d3rlpy FILE, one of them" in capsys.readouterr().err


def test_a_bot_that_is_not_in_it_is_one_line(data) -> None:
    with pytest.raises(InputError, match="there is no such bot"):
        to_d3rlpy(data, bots=["random"])


@pytest.mark.learning
@pytest.mark.slow
def test_behavior_cloning_beats_background(tmp_path) -> None:
    folder = tmp_path / "data"
    line = GAMES.replace("--games 40", "--games 1000")
    assert main([*line.split(), "--out", str(folder)]) == 0
    buffer = to_d3rlpy(folder)
    algo = offline.make_bc(buffer)
    offline.learn(algo, buffer, 5_000)
    assert offline.share_won(algo, games=500) > 0.27  # one game in four is even
