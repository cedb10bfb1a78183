"""Settles a position: applies what is certain to follow, such as debts and purchases.

The value model judges positions between decisions. In the middle of a turn, part of a player's cash
may already belong to a creditor, and a player usually buys the deed that is on offer.
"""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import EVERYONE, NOBODY
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.money import percent
from monopoly_env.engine.phases import AuctionLot, Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import AgendaItem, GameState
from monopoly_env.engine.worth import raisable, total_worth

MEAN_THROW = 7


@jit
def settle(game: GameState, rules: RuleSet) -> None:
    """Apply what waits on the agenda, innermost first. ``game`` is a copy, changed in place.

    Debts are paid, on credit if need be, so that cash may become negative; a player who could not
    raise the amount is out. A rent that its owner can ask for is paid, the lower tax is chosen, a
    player who has the cash buys the deed on offer, and the standing bid wins the auction.
    """
    for depth in range(game.depth - 1, 0, -1):
        item = game.agenda[depth]
        player = int(item.player)
        if item.kind == Task.DEBT:
            due = int(item.amount)
            book_debt(game, rules, player, int(item.other), due)
        elif item.kind == Task.RENT:
            claim = game.claims[item.flag]
            if claim.owner == player:
                due = int(claim.amount) + MEAN_THROW * int(claim.multiplier)
                book_debt(game, rules, int(claim.debtor), player, due)
        elif item.kind == Task.TAX:
            book_debt(game, rules, player, NOBODY, lower_tax(game, rules, item))
        elif item.kind == Task.BUY:
            price = int(rules.price[item.square])
            if game.out[player] == 0 and game.cash[player] >= price:
                take_deed(game, player, int(item.square), price)
    if game.phase == Phase.AUCTION and game.lot == AuctionLot.DEED:
        if game.high_bidder != NOBODY and game.owner[game.lot_square] == NOBODY:
            take_deed(game, int(game.high_bidder), int(game.lot_square), int(game.bid))


@jit
def lower_tax(game: GameState, rules: RuleSet, item: AgendaItem) -> int:
    """Return the lower of the two taxes between which a player may choose."""
    part = percent(total_worth(game, rules, item.player), rules.tax_percent[item.square])
    return min(int(rules.tax[item.square]), part)


@jit
def take_deed(game: GameState, player: int, square: int, price: int) -> None:
    """Transfer a deed from the Bank to a player, for a price."""
    game.cash[player] -= price
    game.owner[square] = player
    game.owned[player] |= bit(square)


@jit
def book_debt(game: GameState, rules: RuleSet, debtor: int, creditor: int, amount: int) -> None:
    """Pay a debt at once, or leave the game if it cannot be raised."""
    if game.out[debtor] != 0:
        return
    due = amount * (alive_count(game) - 1) if creditor == EVERYONE else amount
    if raisable(game, rules, debtor) < due:
        leave(game, debtor, creditor)
        return
    game.cash[debtor] -= due
    if creditor == EVERYONE:
        for other in range(game.players):
            if other != debtor and game.out[other] == 0:
                game.cash[other] += amount
    elif creditor >= 0:
        game.cash[creditor] += due


@jit
def leave(game: GameState, debtor: int, creditor: int) -> None:
    """Eliminate a player: cash and deeds go to the creditor or the Bank, buildings are removed."""
    game.out[debtor] = 1 + game.players - alive_count(game)
    remaining = game.owned[debtor]
    game.owned[debtor] = 0
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        game.level[square] = 0
        game.built &= ~bit(square)
        game.owner[square] = creditor if creditor >= 0 else NOBODY
        if creditor >= 0:
            game.owned[creditor] |= bit(square)
        else:
            game.mortgaged &= ~bit(square)
    if creditor >= 0:
        game.cash[creditor] += max(int(game.cash[debtor]), 0)
    game.cash[debtor] = 0


@jit
def decided(game: GameState, rules: RuleSet) -> bool:
    """Return whether the standings already decide the game: it is over, or about to end."""
    if game.phase == Phase.OVER:
        return True
    alive = alive_count(game)
    enough = rules.end_bankruptcies != 0 and game.players - alive >= rules.end_bankruptcies
    return alive <= 1 or enough
