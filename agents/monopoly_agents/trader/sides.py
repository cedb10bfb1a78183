"""Both sides of an offer by both sets of weights, computed once for all amounts of cash."""

from __future__ import annotations

from typing import Annotated

from monopoly_agents.strategist.sides import (
    SIDE,
    SideState,
    change_hands,
    copy_side,
    take_side,
)
from monopoly_agents.strategist.weights import STRATEGIST, Weights
from monopoly_env.bots.deals import Deal
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, dtype_of
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


class SidesState:
    """The two sides of an offer, by the strategist's weights (a) and by the trader's (b)."""

    mine_a: Annotated[SideState, Field(SIDE, (), "", "the player's")]
    theirs_a: Annotated[SideState, Field(SIDE, (), "", "the partner's")]
    mine_b: Annotated[SideState, Field(SIDE, (), "", "the player's")]
    theirs_b: Annotated[SideState, Field(SIDE, (), "", "the partner's")]


SIDES = dtype_of(SidesState)


@jit
def take_sides(
    game: GameState, rules: RuleSet, weights: Weights, me: int, partner: int, sides: SidesState
) -> None:
    """Set the sides to what both players own now."""
    take_side(game, rules, STRATEGIST[0], me, sides.mine_a)
    take_side(game, rules, STRATEGIST[0], partner, sides.theirs_a)
    take_side(game, rules, weights, me, sides.mine_b)
    take_side(game, rules, weights, partner, sides.theirs_b)


@jit
def change_sides(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    deal: Deal,
    now: SidesState,
    after: SidesState,
) -> None:
    """Set ``after`` to the sides after a deal without its cash; ``now`` are those before it."""
    deeds = deal.give | deal.ask
    copy_side(after.mine_a, now.mine_a)
    copy_side(after.theirs_a, now.theirs_a)
    change_hands(game, rules, STRATEGIST[0], deal, deeds, after.mine_a, after.theirs_a)
    copy_side(after.mine_b, now.mine_b)
    copy_side(after.theirs_b, now.theirs_b)
    change_hands(game, rules, weights, deal, deeds, after.mine_b, after.theirs_b)
