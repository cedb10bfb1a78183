"""The landing rates: measured anew they are those of the file, and they follow the dice."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_agents.strategist import measure_landings

from monopoly_env.engine.board import GROUP_SQUARES
from monopoly_env.value import landing_rates


@pytest.mark.slow
def test_the_landing_table_is_current() -> None:
    assert measure_landings.TARGET.read_text(encoding="utf-8") == measure_landings.source(
        *measure_landings.measure()
    )


def test_orange_is_met_most_and_rents_ahead_follow_the_dice() -> None:
    met = [landing_rates.LONG_RUN[list(squares)].mean() for squares in GROUP_SQUARES[:8]]
    assert sorted(range(8), key=lambda group: -met[group])[:2] == [3, 4]  # orange, red
    from_jail = landing_rates.BY_SPACE[10]
    assert from_jail[16] > from_jail[13] > from_jail[29] > 0  # six ahead, three, and far
    inside = landing_rates.BY_SPACE[40]
    assert inside.sum() < from_jail.sum() / 3  # one throw in six is a double
    assert np.all(landing_rates.BY_SPACE[:, [0, 10, 20, 30]] == 0)  # nothing is paid on corners
