"""The part of an observation that describes the current decision: bids, debts, deals, the menu."""

from __future__ import annotations

from monopoly_env.compiler.bits import count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import zero
from monopoly_env.encoding.blocks import (
    CASH_SCALE,
    DEBT_SCALE,
    OFFER_ASKED,
    OFFER_CASH,
    OFFER_EXISTS,
    OFFER_GIVEN,
    OFFER_OWN_GROUPS,
    OFFER_PARTNER,
    OFFER_PARTNER_GROUPS,
    OFFER_SHARE,
    OFFER_SIZE,
    OFFSETS,
    PRICE_SCALE,
)
from monopoly_env.encoding.row_writing import (
    Row,
    left_of,
    mark_items,
    mark_seats,
    mark_subject,
    squeeze,
)
from monopoly_env.engine.actions import DEED_INDEX
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import (
    EVERYONE,
    GROUP_BITS,
    GROUP_SIZE,
    GROUPS,
    N_DEEDS,
    NOBODY,
    PLAYERS,
)
from monopoly_env.engine.deal_menu import may_propose, menu_offer, propose_candidates
from monopoly_env.engine.debt import innermost_debt, total_due
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import AgendaItem, GameState
from monopoly_env.engine.why import Why

PHASE, ACTOR, SUBJECT, LOT = OFFSETS["phase"], OFFSETS["actor"], OFFSETS["subject"], OFFSETS["lot"]
BID, OPENING = OFFSETS["bid"], OFFSETS["opening"]
HIGH_BIDDER, BIDDERS = OFFSETS["high_bidder"], OFFSETS["bidders"]
DEBT, SHORTFALL, RAISABLE = OFFSETS["debt"], OFFSETS["shortfall"], OFFSETS["raisable"]
DEBTOR, CREDITOR = OFFSETS["debtor"], OFFSETS["creditor"]
DEBT_RENT, DEBT_DEALS = OFFSETS["debt_rent"], OFFSETS["debt_deals"]
CLAIM, CLAIM_TIMES, CLAIM_DEBTOR = OFFSETS["claim"], OFFSETS["claim_times"], OFFSETS["claim_debtor"]
DOUBLE, DENIED = OFFSETS["double"], OFFSETS["denied"]
DEAL_WITH, DEAL_GIVE, DEAL_GET = OFFSETS["deal_with"], OFFSETS["deal_give"], OFFSETS["deal_get"]
DEAL_CASH = OFFSETS["deal_give_cash"]  # deal_get_cash follows
DEAL_MY_SHARE, DEAL_THEIR_SHARE = OFFSETS["deal_my_share"], OFFSETS["deal_their_share"]
DEAL_COMPLETE, MENU, DICE = OFFSETS["deal_complete"], OFFSETS["menu"], OFFSETS["dice"]


@jit
def is_dealing(phase: int) -> bool:
    """Return whether a deal is being composed or answered."""
    return phase == Phase.DEAL or phase == Phase.ANSWER


@jit
def clear_decision(rules: RuleSet, row: Row, phase: int, owes: int) -> None:
    """Zero the features that the decision previously shown in a row may have set.

    ``phase`` and ``owes`` describe that decision. Between throws and without a debt, no features of
    auctions, debts, claims and deals are set; while a deal is made, only the deal's are.
    """
    quiet = phase == Phase.TURN or phase == Phase.BETWEEN or phase == Phase.END
    if (quiet or is_dealing(phase)) and owes == 0:
        row[RAISABLE] = 0.0
        zero(row, PHASE, SUBJECT)
        zero(row, DOUBLE, DEAL_WITH if quiet else MENU)
    else:
        zero(row, PHASE, MENU)
    if rules.deals == Deals.MENU:
        zero(row, MENU, DICE)


@jit
def write_decision(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Write the phase and all features of the decision except ``raisable``."""
    row[PHASE + int(game.phase)] = 1.0
    row[ACTOR + left_of(game, seat, game.actor)] = 1.0
    if game.denied_houses >> seat & 1 != 0:
        row[DENIED] = 1.0
    if game.denied_hotels >> seat & 1 != 0:
        row[DENIED + 1] = 1.0
    if game.again != 0:
        row[DOUBLE + int(game.again) - 1] = 1.0
    item = top(game)
    phase = game.phase
    if phase == Phase.BUY or phase == Phase.TAX:
        mark_subject(row, item.square)
    elif phase == Phase.AUCTION:
        write_auction(game, seat, row)
    elif phase == Phase.CLAIM or phase == Phase.PLACE:
        write_claim(game, seat, row, item)
    elif phase == Phase.RENT:
        write_rent_claim(game, seat, row, item)
    elif phase == Phase.DEED:
        mark_subject(row, lowest(item.squares))
    elif is_dealing(phase):
        write_deal(game, seat, row)
    write_debt(game, rules, seat, row)
    if rules.deals == Deals.MENU and seat == game.actor:
        write_menu(game, rules, seat, row)


@jit
def write_raisable(row: Row, cash: int) -> None:
    """Write the cash that the player could have by selling and mortgaging everything."""
    row[RAISABLE] = squeeze(max(cash, 0), CASH_SCALE)


@jit
def write_auction(game: GameState, seat: int, row: Row) -> None:
    """Write the lot, the standing bid, and the remaining bidders."""
    row[LOT + int(game.lot)] = 1.0
    mark_subject(row, game.lot_square)
    row[BID] = squeeze(game.bid, PRICE_SCALE)
    row[OPENING] = squeeze(game.opening, PRICE_SCALE)
    if game.high_bidder != NOBODY:
        row[HIGH_BIDDER + left_of(game, seat, game.high_bidder)] = 1.0
    mark_seats(game, seat, row, BIDDERS, game.bidders)


@jit
def write_claim(game: GameState, seat: int, row: Row, item: AgendaItem) -> None:
    """Write the scarce building, the street it was requested for, and its claimants."""
    row[LOT + int(item.flag)] = 1.0
    mark_subject(row, item.square)
    mark_seats(game, seat, row, BIDDERS, item.amount)


@jit
def write_rent_claim(game: GameState, seat: int, row: Row, item: AgendaItem) -> None:
    """Write the rent that its owner may ask for."""
    claim = game.claims[item.flag]
    mark_subject(row, claim.square)
    row[CLAIM] = squeeze(claim.amount, PRICE_SCALE)
    row[CLAIM_TIMES] = claim.multiplier / 10.0
    row[CLAIM_DEBTOR + left_of(game, seat, claim.debtor)] = 1.0


@jit
def write_debt(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Write the innermost open debt."""
    depth = innermost_debt(game)
    if depth == 0:
        return
    item = game.agenda[depth]
    due = total_due(game, item)
    row[DEBT] = squeeze(due, DEBT_SCALE)
    row[SHORTFALL] = squeeze(max(due - game.cash[item.player], 0), DEBT_SCALE)
    row[DEBTOR + left_of(game, seat, item.player)] = 1.0
    if item.other == NOBODY:
        row[CREDITOR + PLAYERS] = 1.0
    elif item.other == EVERYONE:
        row[CREDITOR + PLAYERS + 1] = 1.0
    else:
        row[CREDITOR + left_of(game, seat, item.other)] = 1.0
    if item.flag == Reason.RENT:
        row[DEBT_RENT] = 1.0
    row[DEBT_DEALS] = min(item.step / max(rules.debt_trade_limit, 1), 1.0)


@jit
def write_deal(game: GameState, seat: int, row: Row) -> None:
    """Write both sides of the offer, and its effect on each side's groups."""
    other = game.partner if seat == game.proposer else game.proposer
    give, get = game.deal_give, game.deal_ask
    give_cash, get_cash = game.deal_give_cash, game.deal_ask_cash
    if seat != game.proposer:
        give, get = get, give
        give_cash, get_cash = get_cash, give_cash
    row[DEAL_WITH + left_of(game, seat, other)] = 1.0
    mark_items(row, DEAL_GIVE, give)
    mark_items(row, DEAL_GET, get)
    row[DEAL_CASH] = squeeze(give_cash, DEBT_SCALE)
    row[DEAL_CASH + 1] = squeeze(get_cash, DEBT_SCALE)
    if seat == game.proposer or seat == game.partner:
        write_effect(game, row, seat, give, get, DEAL_MY_SHARE, DEAL_COMPLETE)
        write_effect(game, row, other, get, give, DEAL_THEIR_SHARE, DEAL_COMPLETE + 1)


@jit
def write_effect(
    game: GameState, row: Row, player: int, give: int, get: int, shares: int, complete: int
) -> None:
    """Write the change of a player's share of each group."""
    for group in range(GROUPS):
        bits = GROUP_BITS[group]
        if (give | get) & bits != 0:
            before = game.owned[player] & bits
            after = (before & ~give) | (get & bits)
            row[shares + group] = (count(after) - count(before)) / GROUP_SIZE[group]
    row[complete] = complete_gained(game, player, give, get) / 4.0


@jit
def complete_gained(game: GameState, player: int, give: int, get: int) -> int:
    """Return the number of complete groups that a player gains by an exchange, net of losses."""
    gained = 0
    for group in range(GROUPS):
        bits = GROUP_BITS[group]
        if (give | get) & bits != 0:
            before = game.owned[player] & bits
            after = (before & ~give) | (get & bits)
            gained += (1 if after == bits else 0) - (1 if before == bits else 0)
    return gained


@jit
def write_menu(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Write the terms and effects of every offer that the actor could make now."""
    phase = game.phase
    if not (
        phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN or phase == Phase.DEBT
    ):
        return
    remaining = propose_candidates(game, rules)
    while remaining != 0:
        number = lowest(remaining)
        remaining &= remaining - 1
        if may_propose(game, rules, number) == Why.OK:
            write_offer(game, rules, seat, row, number)


@jit
def write_offer(game: GameState, rules: RuleSet, seat: int, row: Row, number: int) -> None:
    """Write one offer of the menu."""
    partner, give, ask, balance = menu_offer(game, rules, number)
    at = MENU + OFFER_SIZE * number
    row[at + OFFER_EXISTS] = 1.0
    row[at + OFFER_PARTNER] = left_of(game, seat, partner) / 7.0
    given, asked = 0.0, 0.0
    if give != 0:
        square = lowest(give)
        row[at + OFFER_GIVEN] = (DEED_INDEX[square] + 1) / N_DEEDS
        given = float(rules.price[square])
    if ask != 0:
        square = lowest(ask)
        row[at + OFFER_ASKED] = (DEED_INDEX[square] + 1) / N_DEEDS
        asked = float(rules.price[square])
    row[at + OFFER_CASH] = balance / (abs(balance) + float(PRICE_SCALE))
    row[at + OFFER_OWN_GROUPS] = complete_gained(game, seat, give, ask) / 2.0
    row[at + OFFER_PARTNER_GROUPS] = complete_gained(game, partner, ask, give) / 2.0
    gets = asked + max(balance, 0)
    gives = given + max(-balance, 0)
    row[at + OFFER_SHARE] = gets / max(gets + gives, 1.0)
