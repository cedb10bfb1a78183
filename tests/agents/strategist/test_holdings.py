"""What deeds add, kept by group: the same to the last bit as worked out from nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from monopoly_agents.strategist.holdings import hold, hold_changed, new_holdings, strength_with
from monopoly_agents.strategist.sides import (
    change_hands,
    copy_side,
    give_group,
    new_side,
    strengths_at,
    take_side,
)
from monopoly_agents.strategist.weights import STRATEGIST

from monopoly_env.bots.deals import new_deal
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS, GROUP_BITS, GROUPS
from tests.agents.positions import seated


@jit
def changed(games: Any, rules_: Any, before: int, after: int, cash: float) -> float:
    """Strength of deeds, the last of which came or went."""
    game, rules, holdings = games[0], rules_[0], new_holdings()
    hold(game, rules, STRATEGIST[0], before, holdings)
    hold_changed(game, rules, STRATEGIST[0], after, before ^ after, holdings)
    return strength_with(holdings, cash)


@jit
def anew(games: Any, rules_: Any, owned: int, cash: float) -> float:
    """Strength of deeds from nothing."""
    holdings = new_holdings()
    hold(games[0], rules_[0], STRATEGIST[0], owned, holdings)
    return strength_with(holdings, cash)


@jit
def after_deal(games: Any, rules_: Any, group: int, ask: int, cash: int) -> tuple[float, float]:
    """Strengths of both sides after a deal between 0 and 1 that gives all of a group that 0 has."""
    game, rules, weights = games[0], rules_[0], STRATEGIST[0]
    give = int(game.owned[0] & GROUP_BITS[group])
    mine, theirs, my_given, their_given = new_side(), new_side(), new_side(), new_side()
    take_side(game, rules, weights, 0, mine)
    take_side(game, rules, weights, 1, theirs)
    copy_side(my_given, mine)
    copy_side(their_given, theirs)
    change_hands(game, rules, weights, new_deal(0, 1, give, 0, 0), give, my_given, their_given)
    change_hands(game, rules, weights, new_deal(0, 1, 0, ask, 0), ask, mine, theirs)
    deal = new_deal(0, 1, give, ask, 0)
    give_group(game, rules, weights, deal, group, mine, theirs, my_given, their_given)
    return strengths_at(mine, theirs, cash)


@jit
def after_deal_anew(
    games: Any, rules_: Any, group: int, ask: int, cash: int
) -> tuple[float, float]:
    """The same from nothing."""
    game, rules, weights = games[0], rules_[0], STRATEGIST[0]
    give = int(game.owned[0] & GROUP_BITS[group])
    mine, theirs = new_side(), new_side()
    take_side(game, rules, weights, 0, mine)
    take_side(game, rules, weights, 1, theirs)
    change_hands(game, rules, weights, new_deal(0, 1, give, ask, 0), give | ask, mine, theirs)
    return strengths_at(mine, theirs, cash)


def position() -> tuple[Any, Any]:
    """Some mortgages, some buildings."""
    game = seated(
        {
            "A": {
                "cash": 300,
                "deeds": ["mediterranean", "baltic", "oriental*", "reading*", "st_james", "states"],
                "buildings": {"mediterranean": 3, "baltic": 2},
            },
            "B": {
                "cash": 800,
                "deeds": [
                    "vermont",
                    "connecticut",
                    "tennessee",
                    "new_york*",
                    "bno",
                    "electric",
                ],
            },
        }
    )
    return game.state.reshape(1), game.edition.rules


def test_changed_groups_alone_give_the_same_strength() -> None:
    games, rules = position()
    rng = np.random.default_rng(1)
    for _ in range(400):
        before, after = (int(x) & DEED_BITS for x in rng.integers(1 << 40, size=2))
        group = int(GROUP_BITS[rng.integers(GROUPS)])
        for target in (after, before & ~group, before | group, 0):
            for cash in (0.0, 155.0, 1234.0):
                assert changed(games, rules, before, target, cash) == anew(
                    games, rules, target, cash
                )


def test_a_group_given_after_deeds_asked_for_is_the_deal() -> None:
    games, rules = position()
    theirs = int(games["owned"][0, 1])
    sets = [0, theirs, *(1 << square for square in range(40) if theirs >> square & 1)]
    sets += [int(bits) & theirs for bits in GROUP_BITS]
    for group in range(GROUPS):
        for ask in sets:
            for cash in (-300, 0, 77, 800):
                given = group, ask, cash
                assert after_deal(games, rules, *given) == after_deal_anew(games, rules, *given)
