"""The two sides of a deal: their deeds before or after it, and their strengths at any cash."""

from __future__ import annotations

from typing import Annotated

from monopoly_agents.strategist.holdings import (
    HOLDINGS,
    HoldingsState,
    hold,
    hold_changed,
    strength_with,
    take_group,
)
from monopoly_agents.strategist.weights import Weights
from monopoly_env.bots.deals import Deal
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.pointers import scratch_record
from monopoly_env.compiler.records import Field, dtype_of
from monopoly_env.engine.board import DEED_BITS, GROUP_BITS
from monopoly_env.engine.mortgage import keep_interest
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


class SideState:
    """One side of a deal."""

    holdings: Annotated[HoldingsState, Field(HOLDINGS, (), "", "its deeds")]
    cash_now: Annotated[int, Field("i8", (), "$", "that it can pay with")]
    cash: Annotated[int, Field("i8", (), "$", "of it after interest on mortgaged deeds received")]


SIDE = dtype_of(SideState)
new_side = scratch_record(SIDE)


@jit
def take_side(
    game: GameState, rules: RuleSet, weights: Weights, player: int, side: SideState
) -> None:
    """Set a side to what a player owns now."""
    hold(game, rules, weights, game.owned[player], side.holdings)
    side.cash_now = game.cash[player]
    side.cash = game.cash[player]


@jit
def copy_side(side: SideState, other: SideState) -> None:
    """Copy ``other`` into ``side``."""
    side.holdings = other.holdings
    side.cash_now = other.cash_now
    side.cash = other.cash


@jit
def change_hands(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    deal: Deal,
    changed: int,
    mine: SideState,
    theirs: SideState,
) -> None:
    """Update both sides for the deeds of a deal, without its cash.

    ``changed`` are the deeds that the sides do not reflect yet.
    """
    me, partner, give, ask, _ = deal
    my_deeds = game.owned[me] & ~give | ask & DEED_BITS
    their_deeds = game.owned[partner] & ~ask | give & DEED_BITS
    hold_changed(game, rules, weights, my_deeds, changed & DEED_BITS, mine.holdings)
    hold_changed(game, rules, weights, their_deeds, changed & DEED_BITS, theirs.holdings)
    mine.cash = game.cash[me] - keep_interest(game, rules, ask & DEED_BITS)
    theirs.cash = game.cash[partner] - keep_interest(game, rules, give & DEED_BITS)


@jit
def give_group(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    deal: Deal,
    group: int,
    mine: SideState,
    theirs: SideState,
    my_given: SideState,
    their_given: SideState,
) -> None:
    """Update both sides for ``deal.give``, which completes a group for the partner.

    Same result as :func:`change_hands`. The sides reflect ``deal.ask`` already. ``my_given`` and
    ``their_given`` are the sides after the gift alone; the group is copied from them unless some of
    its deeds are asked for.
    """
    if deal.ask & GROUP_BITS[group] != 0:
        change_hands(game, rules, weights, deal, deal.give, mine, theirs)
        return
    take_group(weights, mine.holdings, my_given.holdings, group)
    take_group(weights, theirs.holdings, their_given.holdings, group)
    theirs.cash = game.cash[deal.partner] - keep_interest(game, rules, deal.give)


@jit
def strengths_at(mine: SideState, theirs: SideState, cash: int) -> tuple[float, float]:
    """Return the strengths after the first side has received ``cash`` from the other."""
    my_cash, their_cash = int(mine.cash) + cash, int(theirs.cash) - cash
    return (
        strength_with(mine.holdings, float(my_cash)),
        strength_with(theirs.holdings, float(their_cash)),
    )
