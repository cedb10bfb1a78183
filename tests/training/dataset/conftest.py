"""A data set that several tests read."""

from __future__ import annotations

import pytest
from monopoly_training.dataset.writer import DatasetSpec, generate
from monopoly_training.tournament.config import load_tournament_config

pytest.importorskip("pyarrow")

BASE = {
    "agents": ["fixed_a", "random", "background"], "games": 12, "seed": 40,
    "rules": {"max_turns": 60, "deals": "menu"},
}  # fmt: skip


def make(folder, spec=None, **settings):
    """A data set in a folder; its config."""
    config = load_tournament_config(None, {**BASE, **settings})
    generate(config, spec or DatasetSpec(), folder)
    return config


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A data set of twelve games, and its config."""
    folder = tmp_path_factory.mktemp("data")
    return folder, make(folder)
