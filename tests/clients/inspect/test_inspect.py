"""Models without a network are evaluated by Inspect."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from tests.clients.inspect.evaluate import evaluate, stub

SMALL = {"opponents": "random", "games": 2, "max_turns": 40}


def test_a_model_is_scored_by_win_rank_worth_and_legality(tmp_path: Path) -> None:
    means, log = evaluate(stub('{"action": 1}'), tmp_path, **SMALL)
    assert set(means) == {"win", "rank", "net_worth", "legality", "solved"}
    assert means["legality"] == 1
    assert all(0 <= value <= 1 for value in means.values())
    assert [sample.id for sample in log.samples] == ["seed_0", "seed_1"]
    assert log.stats.model_usage


def test_answers_of_no_use_cost_legality(tmp_path: Path) -> None:
    means, log = evaluate(stub("I do not know."), tmp_path, **SMALL)
    assert means["legality"] == 0
    (row,) = log.samples[0].metadata["results"].values()
    assert row["counts"]["fallbacks"] == row["counts"]["decisions"]


def test_the_same_seeds_and_answers_give_the_same_scores(tmp_path: Path) -> None:
    runs = [evaluate(stub("1"), tmp_path, **SMALL)[0] for _ in range(2)]
    assert runs[0] == runs[1]
