"""Writes the decision of a packed row: auctions, debts, deals and the menu.

The twin of :mod:`monopoly_env.encoding.decision`, for :mod:`monopoly_env.encoding.packing`.
"""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.encoding.blocks import DEBT_SCALE, PRICE_SCALE
from monopoly_env.encoding.decision import complete_gained, is_dealing
from monopoly_env.encoding.packed import (
    FRACTION_CODES,
    PackedRow,
)
from monopoly_env.encoding.row_writing import left_of, squeeze
from monopoly_env.engine.actions import DEED_INDEX, OFFERS
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import (
    DEED_BITS,
    EVERYONE,
    GROUP,
    GROUP_BITS,
    GROUPS,
    NOBODY,
    PLAYERS,
)
from monopoly_env.engine.deal_menu import may_propose, menu_offer, propose_candidates
from monopoly_env.engine.debt import innermost_debt, total_due
from monopoly_env.engine.deeds import item_bits
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import AgendaItem, GameState
from monopoly_env.engine.why import Why


@jit
def clear_dealing(row: PackedRow) -> None:
    """Clear the fields of a deal."""
    row.deal_with = 0
    row.deal_give = 0
    row.deal_get = 0
    row.deal_give_cash = 0.0
    row.deal_get_cash = 0.0
    for group in range(GROUPS):
        row.deal_share[group] = 0
    row.deal_complete[0] = 0
    row.deal_complete[1] = 0


@jit
def clear_menu(row: PackedRow) -> None:
    """Clear the offers of the menu."""
    for number in range(OFFERS):
        row.menu_terms[number] = 0
        row.menu_given[number] = 0
        row.menu_asked[number] = 0
        row.menu_cash[number] = 0
        row.menu_share[number] = 0.0


@jit
def clear_rest(row: PackedRow) -> None:
    """Clear the fields of the decision, except those of deals."""
    row.phase = 0
    row.actor = 0
    row.subject = 0
    row.lot = 0
    row.bid = 0.0
    row.opening = 0.0
    row.high_bidder = 0
    row.bidders = 0
    row.debt = 0.0
    row.shortfall = 0.0
    row.debtor = 0
    row.creditor = 0
    row.debt_rent = 0
    row.debt_deals = 0
    row.claim = 0.0
    row.claim_times = 0
    row.claim_debtor = 0
    row.double = 0
    row.denied = 0


@jit
def pack_decision(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
    """Write the phase and all fields of the decision except ``raisable``."""
    row.phase = bit(game.phase)
    row.actor = bit(left_of(game, seat, game.actor))
    row.denied = (game.denied_houses >> seat & 1) + 2 * (game.denied_hotels >> seat & 1)
    if game.again != 0:
        row.double = bit(int(game.again) - 1)
    item = top(game)
    phase = game.phase
    if phase == Phase.BUY or phase == Phase.TAX:
        row.subject = subject_bit(item.square)
    elif phase == Phase.AUCTION:
        pack_auction(game, seat, row)
    elif phase == Phase.CLAIM or phase == Phase.PLACE:
        row.lot = bit(item.flag)
        row.subject = subject_bit(item.square)
        row.bidders = seats_left(game, seat, item.amount)
    elif phase == Phase.RENT:
        pack_rent_claim(game, seat, row, item)
    elif phase == Phase.DEED:
        row.subject = subject_bit(lowest(item.squares))
    elif is_dealing(phase):
        pack_deal(game, seat, row)
    pack_debt(game, rules, seat, row)
    if rules.deals == Deals.MENU and seat == game.actor:
        pack_menu(game, rules, seat, row)


@jit
def subject_bit(square: int) -> int:
    """Return the bit of the deed on a square; 0 if there is none."""
    if square >= 0 and DEED_INDEX[square] >= 0:
        return bit(DEED_INDEX[square])
    return 0


@jit
def seats_left(game: GameState, seat: int, seats: int) -> int:
    """Return a bit mask of seats, reordered to begin with ``seat``."""
    found = 0
    for player in range(game.players):
        if seats >> player & 1 != 0:
            found |= bit(left_of(game, seat, player))
    return found


@jit
def pack_auction(game: GameState, seat: int, row: PackedRow) -> None:
    """Write the lot, the standing bid, and the remaining bidders."""
    row.lot = bit(game.lot)
    row.subject = subject_bit(game.lot_square)
    row.bid = squeeze(game.bid, PRICE_SCALE)
    row.opening = squeeze(game.opening, PRICE_SCALE)
    if game.high_bidder != NOBODY:
        row.high_bidder = bit(left_of(game, seat, game.high_bidder))
    row.bidders = seats_left(game, seat, game.bidders)


@jit
def pack_rent_claim(game: GameState, seat: int, row: PackedRow, item: AgendaItem) -> None:
    """Write the rent that its owner may ask for."""
    claim = game.claims[item.flag]
    row.subject = subject_bit(claim.square)
    row.claim = squeeze(claim.amount, PRICE_SCALE)
    row.claim_times = claim.multiplier
    row.claim_debtor = bit(left_of(game, seat, claim.debtor))


@jit
def pack_debt(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
    """Write the innermost open debt."""
    depth = innermost_debt(game)
    if depth == 0:
        return
    item = game.agenda[depth]
    due = total_due(game, item)
    row.debt = squeeze(due, DEBT_SCALE)
    row.shortfall = squeeze(max(due - game.cash[item.player], 0), DEBT_SCALE)
    row.debtor = bit(left_of(game, seat, item.player))
    if item.other == NOBODY:
        row.creditor = bit(PLAYERS)
    elif item.other == EVERYONE:
        row.creditor = bit(PLAYERS + 1)
    else:
        row.creditor = bit(left_of(game, seat, item.other))
    row.debt_rent = 1 if item.flag == Reason.RENT else 0
    limit = max(rules.debt_trade_limit, 1)
    row.debt_deals = FRACTION_CODES[min(item.step, limit), limit]


@jit
def pack_deal(game: GameState, seat: int, row: PackedRow) -> None:
    """Write both sides of the offer, and its effect on each side's groups."""
    other = game.partner if seat == game.proposer else game.proposer
    give, get = game.deal_give, game.deal_ask
    give_cash, get_cash = game.deal_give_cash, game.deal_ask_cash
    if seat != game.proposer:
        give, get = get, give
        give_cash, get_cash = get_cash, give_cash
    row.deal_with = bit(left_of(game, seat, other))
    row.deal_give = item_bits(give)
    row.deal_get = item_bits(get)
    row.deal_give_cash = squeeze(give_cash, DEBT_SCALE)
    row.deal_get_cash = squeeze(get_cash, DEBT_SCALE)
    if seat == game.proposer or seat == game.partner:
        pack_effects(row, game.owned[seat], game.owned[other], give, get)


@jit
def pack_effects(row: PackedRow, mine: int, theirs: int, give: int, get: int) -> None:
    """Write the change of both players' shares of the groups, given their deeds."""
    completed, lost = 0, 0
    remaining = (give | get) & DEED_BITS
    while remaining != 0:
        group = int(GROUP[lowest(remaining)])
        bits = GROUP_BITS[group]
        remaining &= ~bits
        own, others = mine & bits, theirs & bits
        own_then = (own & ~give) | (get & bits)
        others_then = (others & ~get) | (give & bits)
        first = count(own_then) - count(own)
        second = count(others_then) - count(others)
        row.deal_share[group] = first + 9 * (first < 0) + 9 * (second + 9 * (second < 0))
        completed += int(own_then == bits) - int(own == bits)
        lost += int(others_then == bits) - int(others == bits)
    row.deal_complete[0] = completed & 255
    row.deal_complete[1] = lost & 255


@jit
def pack_menu(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
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
            pack_offer(game, rules, seat, row, number)


@jit
def pack_offer(game: GameState, rules: RuleSet, seat: int, row: PackedRow, number: int) -> None:
    """Write one offer of the menu."""
    partner, give, ask, balance = menu_offer(game, rules, number)
    given, asked = 0.0, 0.0
    if give != 0:
        square = lowest(give)
        row.menu_given[number] = int(DEED_INDEX[square]) + 1
        given = float(rules.price[square])
    if ask != 0:
        square = lowest(ask)
        row.menu_asked[number] = int(DEED_INDEX[square]) + 1
        asked = float(rules.price[square])
    mine = third(complete_gained(game, seat, give, ask))
    theirs = third(complete_gained(game, partner, ask, give))
    row.menu_terms[number] = 1 + 9 * left_of(game, seat, partner) + 3 * mine + theirs
    row.menu_cash[number] = balance & 65535
    gets = asked + max(balance, 0)
    gives = given + max(-balance, 0)
    row.menu_share[number] = gets / max(gets + gives, 1.0)


@jit
def third(gained: int) -> int:
    """Return -1, 0 or 1 modulo 3."""
    return gained if gained >= 0 else gained + 3
