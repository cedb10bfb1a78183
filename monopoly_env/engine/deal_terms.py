"""The terms of deals: what may be traded, with whom, and why an offer is impossible."""

from __future__ import annotations

from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import DEED_BITS, EVERYONE
from monopoly_env.engine.debt import total_due
from monopoly_env.engine.deeds import (
    kept_cards,
    squares_of_built_groups,
    squares_pending,
)
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.mortgage import keep_interest
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import AgendaItem, GameState
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import raisable


@jit
def barred(game: GameState) -> int:
    """Deeds of groups with buildings, and pending mortgaged deeds, cannot be traded.

    Source: 000 line 276; 001 line 210; 002 line 256.
    """
    return squares_of_built_groups(game) | squares_pending(game)


@jit
def tradable(game: GameState, player: int) -> int:
    """Return the deeds and Jail cards that a player may trade."""
    return tradable_beside(game, player, barred(game))


@jit
def tradable_beside(game: GameState, player: int, closed: int) -> int:
    """Return the deeds and Jail cards that a player may trade, outside ``closed``."""
    return int(game.owned[player] & ~closed) | kept_cards(game, player)


@jit
def something_to_trade(
    game: GameState, rules: RuleSet, partner: int, mine: int, theirs: int
) -> bool:
    """Return whether an offer is possible: with some item and, without gifts, both ways."""
    if mine | theirs == 0:
        return False
    if rules.gifts != 0:
        return True
    gives = mine != 0 or game.cash[game.actor] != 0
    return bool(gives and (theirs != 0 or game.cash[partner] != 0))


@jit
def may_trade_with(game: GameState, rules: RuleSet, partner: int) -> int:
    """Check whether any offer to this player could be made now."""
    if partner >= game.players or partner == game.actor:
        return Why.NO_SUCH_SEAT
    if game.out[partner] != 0:
        return Why.SEAT_OUT
    if game.phase == Phase.DEBT:
        return may_trade_in_debt(game, rules, partner)
    if game.offers_left[game.actor] <= 0:
        return Why.NO_OFFERS_LEFT
    mine, theirs = tradable(game, game.actor), tradable(game, partner)
    enough = something_to_trade(game, rules, partner, mine, theirs)
    return Why.OK if enough else Why.NOTHING_TO_TRADE


@jit
def may_trade_in_debt(game: GameState, rules: RuleSet, partner: int) -> int:
    """In debt, a player may deal if selling and mortgaging falls short, or to pay rent in property.

    Source: 002 line 274 (property for rent, if the creditor accepts). Differs: the other books are
    silent; deals are allowed if the debt is then paid in full.
    """
    item = top(game)
    if item.step >= rules.debt_trade_limit:
        return Why.NO_OFFERS_LEFT
    if tradable(game, game.actor) == 0:
        return Why.NOTHING_TO_TRADE
    if not in_kind(rules, item, partner):
        if rules.gifts == 0 and tradable(game, partner) == 0 and game.cash[partner] == 0:
            return Why.NOTHING_TO_TRADE
        if raisable(game, rules, game.actor) >= total_due(game, item):
            return Why.CAN_PAY
    return Why.OK


@jit
def in_kind(rules: RuleSet, item: AgendaItem, partner: int) -> bool:
    """Return whether the rules let this debt (a rent owed to the partner) be paid in property."""
    return bool(
        rules.property_for_debt != 0
        and item.kind == Task.DEBT
        and item.flag == Reason.RENT
        and item.other == partner
    )


@jit
def offer_reason(
    game: GameState,
    rules: RuleSet,
    below: AgendaItem,
    proposer: int,
    partner: int,
    give: int,
    ask: int,
    balance: int,
) -> int:
    """Return why a whole offer is impossible; ``balance`` is the cash that the proposer receives.

    Each side gives something (unless ``gifts``); each receiver of mortgaged deeds can pay or raise
    the interest on them; in a debt (the agenda item ``below``), the debt can be paid afterwards.
    """
    gives, asks = give != 0 or balance < 0, ask != 0 or balance > 0
    if not (gives and asks) and (rules.gifts == 0 or not (gives or asks)):
        return Why.NO_GIFTS
    mine = int(game.cash[proposer]) + balance
    theirs = int(game.cash[partner]) - balance
    if below.kind == Task.DEBT:
        due = total_due(game, below)
        raised = mine + raised_after(game, rules, proposer, give, ask)
        if raised - keep_interest(game, rules, ask) < due:
            return Why.DEBT_UNMET
        if mine >= due:
            mine -= due
            if below.other == partner or below.other == EVERYONE:
                theirs += int(below.amount)
    if theirs < 0:
        return Why.PARTNER_NO_CASH
    if not can_keep(game, rules, partner, theirs, ask, give):
        return Why.NO_INTEREST_CASH
    if not can_keep(game, rules, proposer, mine, give, ask):
        return Why.NO_INTEREST_CASH
    return Why.OK


@jit
def can_keep(
    game: GameState, rules: RuleSet, player: int, cash: int, gives: int, gets: int
) -> bool:
    """Each receiver of mortgaged deeds must be able to pay or raise the interest on them.

    ``cash`` is what the player has after the deal. A player with less than the interest owes the
    rest to the Bank, and raises it as for any debt.

    Source: 000 lines 177 and 280; 001 line 228 (a mortgaged lot is sold at any agreed price).
    """
    interest = keep_interest(game, rules, gets)
    if cash >= interest:
        return True
    return cash + raised_after(game, rules, player, gives, gets) >= interest


@jit
def raised_after(game: GameState, rules: RuleSet, player: int, gives: int, gets: int) -> int:
    """Return the proceeds of selling and mortgaging everything after a deal."""
    total = raisable(game, rules, player) - int(game.cash[player])
    total -= mortgage_values(game, rules, gives)
    return total + mortgage_values(game, rules, gets)


@jit
def mortgage_values(game: GameState, rules: RuleSet, squares: int) -> int:
    """Return the mortgage values of the unmortgaged deeds among ``squares``."""
    total = 0
    remaining = squares & DEED_BITS & ~game.mortgaged
    while remaining != 0:
        total += int(rules.mortgage[lowest(remaining)])
        remaining &= remaining - 1
    return total
