"""A small set of decisions that several tests look at."""

from __future__ import annotations

import pytest
from monopoly_training.common.progress import NoProgress
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.suite.decisions import load_set, write_set
from monopoly_training.suite.make_set import MakeOptions, make

OPTIONS = MakeOptions(decisions=7, samples=500, seed=5)


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """The folder of a make that was never disturbed."""
    folder = tmp_path_factory.mktemp("suite") / "made"
    rows = make(folder, OPTIONS, WorkOptions(), NoProgress())
    write_set(folder / "set_2.jsonl.gz", rows, OPTIONS.settings())
    return folder


@pytest.fixture
def small_set(made):
    return load_set(made / "set_2.jsonl.gz")
