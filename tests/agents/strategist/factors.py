"""What a deal does to shares of the winning, for tests in Python."""

from __future__ import annotations

from typing import Any

from monopoly_agents.strategist.deal_value import share_factors
from monopoly_agents.strategist.weights import STRATEGIST

from monopoly_env.bots.deals import new_deal
from monopoly_env.compiler.jit import jit


@jit
def factors_of(games: Any, rules_: Any, give: int, ask: int, cash: int) -> tuple[float, float]:
    """What a deal of A with B multiplies their shares by, by the strategist's own weights."""
    return share_factors(games[0], rules_[0], STRATEGIST[0], new_deal(0, 1, give, ask, cash))
