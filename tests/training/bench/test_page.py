"""The page of speeds says what its file says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from monopoly_training.bench.bench_run import BenchRun, read
from monopoly_training.bench.growth import Curve
from monopoly_training.bench.page import (
    bench_page,
    detail_text,
    figures,
    number,
    page_of,
    write_page,
)
from monopoly_training.bench.timing import result
from monopoly_training.reference.pages import pages

DOCS = Path(__file__).parents[3] / "docs"


def run() -> BenchRun:
    results = [
        result("engine_mask", [1.0e6, 3.0e6, 2.0e6], "decisions/s", "play"),
        result("aec_raw", [200_000.0], "steps/s", "loop"),
        result("threads2", [1.8], "×", "threads", {"cores": 2, "steps_per_s": {"1": 10, "2": 18}}),
    ]
    curve = Curve("batch_step", "games", "steps", "decisions/s", {1: 1000.0, 16: 8000.0})
    peers = [
        {"peer": "PettingZoo tic-tac-toe, raw", "steps_per_s": 121_085},
        {"peer": "Catanatron, 4 random players", "skipped": "catanatron is not installed"},
    ]
    return BenchRun.here(5.0, results, [curve], peers)


def test_the_page_is_that_of_the_kept_run() -> None:
    kept = (DOCS / "bench.md").read_text(encoding="utf-8")
    assert kept == bench_page(read(DOCS / "bench.json")), "run `make docs`"
    assert pages(None, DOCS)["bench.md"] == kept


def test_the_kept_run_has_everything_that_is_measured() -> None:
    from monopoly_training.bench import MEASURES

    kept = read(DOCS / "bench.json")
    values = {one.name: one.value for one in kept.results}
    assert set(MEASURES) <= set(values)
    assert all(value > 0 for value in values.values())
    assert [curve.by for curve in kept.curves] == [
        "players", "players", "games", "threads", "processes"
    ]  # fmt: skip
    assert not kept.machine["bounds_checks"]
    assert any("steps_per_s" in row for row in kept.peers)


def test_a_limit_has_its_own_column() -> None:
    bound = result("batch_step", [1e6], "decisions/s", "steps", {"limit": 2_500_000})
    assert "| `batch_step` | 1,000,000 |  | 2,500,000 | decisions/s | steps |" in figures(
        BenchRun.here(1.0, [bound])
    )


def test_figures_spreads_anchors_and_growth_are_on_the_page() -> None:
    text = bench_page(run())
    assert "| `engine_mask` | 2,000,000 | 1,000,000 to 3,000,000 | decisions/s | play |" in text
    assert "| `aec_raw` | 200,000 |  | steps/s | loop |" in text
    assert "PettingZoo 1.27 tic-tac-toe | 107,000 | 121,085 |" in text
    assert "Not measured: catanatron is not installed." in text
    assert "| 16 | 8,000 | 8.00 |" in text
    assert "steps per s | 1 10, 2 18 |" in text
    assert "fastest" not in text


def test_bounds_checks_and_priority_are_said() -> None:
    about = run().machine | {"bounds_checks": True, "real_time": True}
    text = bench_page(replace(run(), machine=about))
    assert "Bounds checks were on" in text
    assert "chrt -f 10" in text
    assert "chrt" not in bench_page(replace(run(), machine=about | {"real_time": False}))


def test_page_and_file_are_written_together(tmp_path: Path) -> None:
    assert page_of(tmp_path) == {}
    write_page(run(), tmp_path)
    assert page_of(tmp_path) == {"bench.md": (tmp_path / "bench.md").read_text(encoding="utf-8")}


@pytest.mark.parametrize(
    ("value", "text"), [(1234567.8, "1,234,568"), (99.5, "99.5"), (0.98765, "0.988"), (0, "0")]
)
def test_numbers(value: float, text: str) -> None:
    assert number(value) == text


def test_details_in_words() -> None:
    assert detail_text({"TURN": 0.51234, "x": 12, "y": "z"}) == "TURN 0.51, x 12, y z"
