"""The page of the scripted bots' tournaments is written from kept results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from monopoly_training.reference.baselines_page import (
    FOLDER,
    PAGE,
    TOURNAMENTS,
    baselines_page,
    page_of,
)
from monopoly_training.tournament.config import load_tournament_config

DOCS = Path(__file__).parents[3] / "docs"


def test_the_page_is_current():
    assert page_of(DOCS)[PAGE] == (DOCS / PAGE).read_text(encoding="utf-8"), "run `make docs`"


def test_no_page_without_results(tmp_path):
    assert page_of(tmp_path) == {}


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_kept_results_are_those_of_the_config(name):
    config = load_tournament_config(name)
    kept = json.loads((DOCS / FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert tuple(kept["config"]["agents"]) == config.agents
    assert (kept["format"], kept["games"]) == (config.format, config.games)
    for row in kept["standings"]:
        assert row["ci95"][0] <= row["win_rate"] <= row["ci95"][1]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_the_strategist_wins_beyond_its_interval(name):
    kept = json.loads((DOCS / FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    best, *others = kept["standings"]
    assert best["agent"] == "strategist"
    assert best["ci95"][0] > max(row["ci95"][1] for row in others)
    ahead = {(row["agent"], row["against"]): row["ci95"] for row in kept["head_to_head"]}
    assert all(ahead["strategist", row["agent"]][0] > 0.5 for row in others)


def test_every_bot_and_figure_is_on_the_page():
    kept = {
        name: json.loads((DOCS / FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        for name in TOURNAMENTS
    }
    page = baselines_page(kept)
    for found in kept.values():
        for row in found["standings"]:
            assert f"| {row['agent']} | {row['games']:,} | {row['win_rate']:.1%} |" in page
