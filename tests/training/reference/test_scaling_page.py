"""The simulated scheduler: bounds that hold whatever the durations are, and a page that is current."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from monopoly_training.reference import scaling_page, training_speed
from monopoly_training.reference.scaling_page import simulate

from monopoly_env.errors import FileError
from monopoly_env.files import read_json

ROOT = Path(__file__).parents[3]


def durations(count: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(3).exponential(0.002, count)


def test_one_processor_without_costs_is_never_idle() -> None:
    found = simulate(durations(1000), 1, 10, driver=0.0, latency=0.0)
    assert abs(found.idle) < 1e-9
    assert found.speedup == pytest.approx(1)


def test_costs_are_what_is_lost() -> None:
    games = np.full(1000, 0.01)
    found = simulate(games, 1, 10, driver=0.0, latency=0.1)
    assert found.speedup == pytest.approx(0.5)


def test_the_driver_bounds_the_speed() -> None:
    games = np.full(64_000, 0.001)
    found = simulate(games, 1000, 16, driver=0.004, latency=0.0)
    assert found.speedup < 16 * 0.001 / 0.004 + 2 * 1000 * 16 / len(games) * 16
    assert found.idle > 0.9


def test_larger_batches_trade_the_driver_for_the_tail() -> None:
    games = durations(64 * 512)
    small = simulate(games, 64, 4, driver=0.001)
    large = simulate(games, 64, 512, driver=0.001)
    assert small.idle > large.idle or small.tail < large.tail
    assert simulate(games, 64, 64 * 512, driver=0.0).speedup <= 1.0 + 1e-9


def test_blocks_last_as_long_as_their_games() -> None:
    games = durations(400)
    blocks = scaling_page.drawn_blocks({"game_seconds": games.tolist()}, 50_000)
    assert blocks.mean() == pytest.approx(games.mean() * scaling_page.BLOCK, rel=0.01)
    assert blocks.std() == pytest.approx(games.std() * scaling_page.BLOCK**0.5, rel=0.05)


def test_no_processor_is_ever_used_twice_at_once() -> None:
    for cores in (1, 3, 17):
        for unit in (1, 7, 50):
            found = simulate(durations(500), cores, unit, driver=0.0005)
            assert 0 <= found.idle < 1
            assert 0 <= found.tail <= 1
            assert found.speedup <= cores


def test_the_page_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    kept = read_json(scaling_page.KEPT, FileError.at(scaling_page.KEPT))
    assert isinstance(kept, dict)
    text = scaling_page.PAGE.read_text()
    assert scaling_page.page(kept, text) == text
    with pytest.raises(FileError, match=r"has no <!-- simulated"):
        scaling_page.page(kept, "nothing")


def test_the_part_on_training_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    kept = read_json(training_speed.KEPT, FileError.at(training_speed.KEPT))
    assert isinstance(kept, dict)
    text = training_speed.PAGE.read_text()
    assert training_speed.page(kept, text) == text
    with pytest.raises(FileError, match=r"has no <!-- trained"):
        training_speed.page(kept, "nothing")


def test_the_learner_is_the_limit_where_workers_outrun_it() -> None:
    row = {"decisions_a_rollout": 8192, "decisions_a_second": 100, "worker_milliseconds": 0.5,
           "learner_milliseconds": 0.2, "bytes_a_decision": 900, "waiting_share": 0.5,
           "workers": 1, "staleness": 0}  # fmt: skip
    text = training_speed.generated(
        {"processors": 2, "load": 3.0, "rows": [row, {**row, "decisions_a_second": 150}, row]}
    )
    assert "by a factor of 1.50 with staleness 0" in text
    assert "the bottleneck from 3 workers on, at 5,000 decisions per second" in text
