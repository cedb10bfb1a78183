"""What holdings are worth."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.strategist.win_share import strength

from monopoly_env.compiler.jit import jit
from tests.agents.positions import seated


@jit
def worth(games: Any, rules_: Any, owned: int, cash: float) -> float:
    """The strength of some deeds with so much cash."""
    return strength(games[0], rules_[0], STRATEGIST[0], owned, cash)


def test_strength_rises_with_cash_and_jumps_with_a_group() -> None:
    game = seated({})
    games, rules = game.state.reshape(1), game.edition.rules
    two, three = 1 << 16 | 1 << 18, 1 << 16 | 1 << 18 | 1 << 19
    steps = [worth(games, rules, three, float(cash)) for cash in range(0, 2000, 50)]
    assert all(after > before for before, after in pairwise(steps))
    assert worth(games, rules, three, 1500.0) - worth(games, rules, two, 1500.0) > 2000
