"""How often each opponent comes in before the learner."""

from __future__ import annotations

import pytest
from monopoly_training.runs.tally import Tally


def test_a_tally_forgets_slowly_and_begins_with_one_half():
    tally = Tally(1)
    assert tally.rates()[0] == 0.5
    for _ in range(8):
        tally.record(0, True)
    assert tally.rates()[0] == 0.9
    for _ in range(1000):
        tally.fade()
    assert tally.rates()[0] == pytest.approx(0.5)


def test_opponents_come_and_go():
    tally = Tally(2)
    tally.record(1, True)
    tally.grow()
    tally.drop(0)
    assert tally.rates().tolist() == pytest.approx([2 / 3, 1 / 2])
