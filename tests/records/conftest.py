"""A saved game for every test of records."""

from __future__ import annotations

from typing import Any

import pytest

from tests.game.random_play import played


@pytest.fixture(scope="session")
def record() -> dict[str, Any]:
    return played(120, seed=11, players=3).record(bots=["ann", "ben", "cem"])
