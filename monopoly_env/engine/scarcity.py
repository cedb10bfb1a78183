"""Scarce buildings: who else wants one of which the Bank has too few, and its auction."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, top, wait
from monopoly_env.engine.auction import begin_auction
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.journal import Event, Log, note
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.sites import (
    build_at_price,
    could_place,
    price_of,
    stock,
)
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why


@jit
def competitors_for(game: GameState, rules: RuleSet, asker: int, building: int) -> int:
    """Return the other players who could now legally place and afford such a building."""
    competitors = 0
    for player in range(game.players):
        if player != asker and game.out[player] == 0:
            if could_place(game, rules, player, building, True) != 0:
                competitors |= bit(player)
    return competitors


@jit
def resume_claim(game: GameState, rules: RuleSet, log: Log) -> bool:
    """Ask the other players in turn, from the asker's left; then sell or auction the building."""
    item = top(game)
    if item.squares != 0:
        seat = item.player
        while item.squares >> seat & 1 == 0:
            seat = (seat + 1) % game.players
        return wait(game, Phase.CLAIM, seat)
    asker, square, building, claimants = item.player, item.square, item.flag, item.amount
    pop(game)
    if stock(game, building) >= 1 + count(claimants):
        game.asker = NOBODY
        build_at_price(game, rules, log, asker, square)
    else:
        claimants |= bit(asker)
        opening = scarce_opening(game, rules, claimants, building)
        begin_auction(game, log, building, square, asker, claimants, opening)
    return False


@jit
def scarce_opening(game: GameState, rules: RuleSet, bidders: int, building: int) -> int:
    """The auction of a scarce building opens at $1, or at the lowest price on the bidders' deeds.

    Source: 000 lines 214 to 218 (from 1); 002 line 252 (the lowest price on the deeds).
    """
    if rules.scarce_opens_at_price == 0:
        return 1
    lowest_price = 0
    for player in range(game.players):
        if bidders >> player & 1 != 0:
            remaining = could_place(game, rules, player, building, False)
            while remaining != 0:
                price = price_of(rules, lowest(remaining), building)
                remaining &= remaining - 1
                if lowest_price == 0 or price < lowest_price:
                    lowest_price = price
    return max(lowest_price, 1)


@jit
def may_claim(game: GameState, rules: RuleSet, _: int) -> int:
    """Every player who is asked may claim the building."""
    return Why.OK


@jit
def claim(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Claim the building; it is auctioned if the Bank does not have one for every claimant."""
    item = top(game)
    item.squares &= ~bit(game.actor)
    item.amount |= bit(game.actor)
    note(log, Event.CLAIM, game.actor, NOBODY, item.square, item.flag)


@jit
def pass_claim(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Do not claim the building."""
    top(game).squares &= ~bit(game.actor)


@jit
def resume_place(game: GameState) -> bool:
    """Wait for the winner to place the building."""
    return wait(game, Phase.PLACE, top(game).player)
