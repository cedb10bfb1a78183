"""The page of the suite: of the set that ships, and not of damaged scores."""

from __future__ import annotations

from pathlib import Path

import pytest
from monopoly_training.reference.suite_page import page_of
from monopoly_training.suite.decisions import load_set
from monopoly_training.suite.shipped import BOTS, FILE, read_scores

from monopoly_env.errors import FileError

DOCS = Path(__file__).parents[3] / "docs"


def test_the_page_is_about_the_set_that_ships():
    content = read_scores(DOCS / FILE)
    assert content["set"] == load_set().name
    assert {one["agent"] for one in content["scores"]} == set(BOTS)
    losses = [one["kinds"]["all"]["loss"] for one in content["scores"]]
    assert losses == sorted(losses)
    ranked = [one["agent"] for one in content["scores"]]
    assert ranked.index("trader") < ranked.index("fixed_a") < ranked.index("random")


def test_the_page_is_written_from_the_scores(tmp_path):
    (text,) = page_of(DOCS).values()
    content = read_scores(DOCS / FILE)
    assert f"Set {content['set']}" in text
    for one in content["scores"]:
        assert f"`{one['agent']}`" in text
    for kind in content["card"]["kinds"]:
        assert f"| {kind} | " in text
    assert page_of(tmp_path) == {}


def test_damaged_scores_are_refused_by_their_name(tmp_path):
    text = (DOCS / FILE).read_text(encoding="utf-8")
    (tmp_path / FILE).write_text(text.replace('"illegal": 0', '"illegal": 1', 1), encoding="utf-8")
    with pytest.raises(FileError, match=r"suite\.json: is damaged"):
        page_of(tmp_path)
