"""Carries out a deal in a copy of a game, so that the resulting position can be valued."""

from __future__ import annotations

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import CARD_CHANCE, DEED_BITS
from monopoly_env.engine.mortgage import keep_interest
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def carry_out(
    game: GameState, rules: RuleSet, proposer: int, partner: int, give: int, ask: int, balance: int
) -> None:
    """Apply a deal to the holdings of both players.

    ``give`` and ``ask`` are bit masks of squares, ``balance`` is the cash that the proposer
    receives. Interest on mortgaged deeds is paid, and they stay mortgaged. Legality is not checked.
    """
    mine = keep_interest(game, rules, ask & DEED_BITS)
    theirs = keep_interest(game, rules, give & DEED_BITS)
    hand_over(game, proposer, partner, give)
    hand_over(game, partner, proposer, ask)
    game.cash[proposer] += balance - mine
    game.cash[partner] -= balance + theirs


@jit
def hand_over(game: GameState, giver: int, taker: int, items: int) -> None:
    """Transfer deeds and Jail cards."""
    deeds = items & DEED_BITS
    game.owned[giver] &= ~deeds
    game.owned[taker] |= deeds
    while deeds != 0:
        game.owner[lowest(deeds)] = taker
        deeds &= deeds - 1
    for pile in range(2):
        if items >> (CARD_CHANCE + pile) & 1 != 0:
            game.card_holder[pile] = taker
