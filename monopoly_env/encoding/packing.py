"""Writes one player's observation into a packed row; see :mod:`monopoly_env.encoding.packed`.

Each ``pack_`` function corresponds to a ``write_`` function for float32 rows. Tests check that both
give the same numbers in all settings.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import bit, count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.encoding.blocks import CASH_SCALE, DEBT_SCALE, PRICE_SCALE, WORTH_SCALE
from monopoly_env.encoding.decision import complete_gained, is_dealing
from monopoly_env.encoding.observation import affordable_buildings, rent_shown
from monopoly_env.encoding.packed import (
    FLAGS,
    FRACTION_CODES,
    HIGHEST,
    LARGE,
    PACKED_VERSION,
    PAIRS,
    PRICE_CAP,
    SMALL,
    PackedRow,
)
from monopoly_env.encoding.row_cache import (
    HANDS,
    ShownState,
    note_all,
    note_deeds,
    note_view,
    pending_deeds,
)
from monopoly_env.encoding.row_writing import left_of, seat_left, squeeze
from monopoly_env.engine.actions import DEED_INDEX, OFFERS
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import (
    DEED_BITS,
    EVERYONE,
    GROUP,
    GROUP_BITS,
    GROUPS,
    N_DEEDS,
    NOBODY,
    PLAYERS,
    SPACES,
)
from monopoly_env.engine.deal_menu import may_propose, menu_offer, propose_candidates
from monopoly_env.engine.debt import innermost_debt, total_due
from monopoly_env.engine.deeds import DEED_TABLE, deed_bits, item_bits
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import AgendaItem, GameState
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import net_worth, raisable

FLAG_SWITCHES, SMALL_SWITCHES, LARGE_SWITCHES = (np.array(one) for one in (FLAGS, SMALL, LARGE))
SMALL_HIGHEST = np.array([float(HIGHEST[k]) for k in SMALL])
PENDING = 4  # the bit of a pending deed in its code
N_FLAGS, N_SMALL, N_LARGE = len(FLAGS), len(SMALL), len(LARGE)


@jit
def pack_observation(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
    """Write the packed observation of ``seat`` into ``row``, whatever it held before."""
    row.version = PACKED_VERSION
    pack_constants(rules, row)
    for left in range(PLAYERS):
        pack_hand(row, left, game.owned[seat_left(game, seat, left)] if left < game.players else 0)
    pack_deeds(game, rules, row, DEED_BITS)
    pack_pending(row, 0, pending_deeds(game))
    pack_bank(game, row)
    clear_dealing(row)
    clear_menu(row)
    for left in range(game.players, PLAYERS):
        clear_seat(row, left)
    pack_changing(game, rules, seat, row)
    for left in range(PLAYERS):
        worth, raised = 0, 0
        if left < game.players and game.out[seat_left(game, seat, left)] == 0:
            worth = net_worth(game, rules, seat_left(game, seat, left))
            raised = raisable(game, rules, seat_left(game, seat, left))
        row.worth[left] = squeeze(max(worth, 0), WORTH_SCALE)
        row.could_raise[left] = squeeze(max(raised, 0), CASH_SCALE)
    row.raisable = 0.0
    if game.phase != Phase.OVER:
        row.raisable = squeeze(max(raisable(game, rules, seat), 0), CASH_SCALE)


@jit
def repack_observation(
    game: GameState, rules: RuleSet, seat: int, row: PackedRow, shown: ShownState, changes: int
) -> None:
    """Update a packed row that holds an earlier observation with the same rules and players.

    See :func:`monopoly_env.encoding.observation.rewrite_observation`.
    """
    if shown.filled == 0:
        pack_observation(game, rules, seat, row)
        note_all(shown, game, rules, seat)
        return
    hands = (changes & HANDS) >> SPACES
    while hands != 0:
        left = lowest(hands)
        hands &= hands - 1
        pack_hand(row, left, game.owned[seat_left(game, seat, left)])
    changed = changes & DEED_BITS
    if changed != 0:
        pack_deeds(game, rules, row, changed)
        note_deeds(shown, game, rules, changed)
    if shown.houses != game.houses or shown.hotels != game.hotels or shown.pot != game.pot:
        pack_bank(game, row)
    if shown.pending != 0 or pending_deeds(game) != 0:
        pack_pending(row, DEED_BITS, pending_deeds(game))
    clear_dealing(row)
    if rules.deals == Deals.MENU:
        clear_menu(row)
    note_view(shown, game, seat)
    pack_changing(game, rules, seat, row)
    for left in range(game.players):
        player = seat_left(game, seat, left)
        worth, raised = 0, 0
        if game.out[player] == 0:
            worth = int(game.cash[player]) + int(shown.worth[player])
            raised = int(game.cash[player]) + int(shown.loan[player])
        row.worth[left] = squeeze(max(worth, 0), WORTH_SCALE)
        row.could_raise[left] = squeeze(max(raised, 0), CASH_SCALE)
    row.raisable = 0.0
    if game.phase != Phase.OVER:
        row.raisable = squeeze(max(int(game.cash[seat]) + int(shown.loan[seat]), 0), CASH_SCALE)


@jit
def pack_changing(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
    """Write the fields that change in nearly every step, except net worth."""
    pack_seats(game, rules, seat, row)
    row.square = int(game.position[seat]) + 1
    pack_clock(game, rules, row)
    clear_rest(row)
    if game.phase != Phase.OVER:
        pack_decision(game, rules, seat, row)


@jit
def pack_seats(game: GameState, rules: RuleSet, seat: int, row: PackedRow) -> None:
    """Write the state of each player, self first."""
    alive, in_jail = 0, 0
    for left in range(game.players):
        player = seat_left(game, seat, left)
        if game.out[player] != 0:
            clear_seat(row, left)
            continue
        alive |= bit(left)
        row.cash[left] = squeeze(max(game.cash[player], 0), CASH_SCALE)
        row.position[left] = int(game.position[player]) + 1
        tries = 0
        if game.in_jail[player] != 0:
            in_jail |= bit(left)
            tries = min(game.jail_tries[player], rules.jail_tries)
        row.jail_tries[left] = FRACTION_CODES[tries, rules.jail_tries]
        offers = min(game.offers_left[player], rules.trade_limit)
        row.offers_left[left] = FRACTION_CODES[offers, max(rules.trade_limit, 1)]
        row.refused[left] = min(game.refused[player], 4)
        row.laps[left] = min(game.laps[player], 4)
        row.offers_made[left] = game.offers_made[player]
        row.offers_accepted[left] = game.offers_accepted[player]
        row.offers_rejected[left] = game.offers_rejected[player]
        row.could_build[left] = affordable_buildings(game, rules, player)
    row.alive = alive
    row.in_jail = in_jail
    for pile in range(2):
        holder = game.card_holder[pile]
        row.cards[pile] = bit(left_of(game, seat, holder)) if holder != NOBODY else 0
    row.turn = bit(left_of(game, seat, game.turn))


@jit
def clear_seat(row: PackedRow, left: int) -> None:
    """Clear the fields of an empty or bankrupt seat."""
    row.cash[left] = 0.0
    row.position[left] = 0
    row.jail_tries[left] = 0
    row.offers_left[left] = 0
    row.refused[left] = 0
    row.laps[left] = 0
    row.offers_made[left] = 0
    row.offers_accepted[left] = 0
    row.offers_rejected[left] = 0
    row.could_raise[left] = 0.0
    row.could_build[left] = 0


# The deeds


@jit
def pack_hand(row: PackedRow, left: int, owned: int) -> None:
    """Write the deeds of the player ``left`` seats to the left, and their counts by group."""
    row.owner[left] = deed_bits(owned)
    for pair in range(PAIRS):
        first, second = GROUP_BITS[2 * pair], GROUP_BITS[2 * pair + 1]
        row.groups[left, pair] = count(owned & first) + 5 * count(owned & second)


@jit
def pack_deeds(game: GameState, rules: RuleSet, row: PackedRow, squares: int) -> None:
    """Write the state of all deeds in the groups that include one of these squares."""
    remaining = squares
    while remaining != 0:
        group = int(GROUP[lowest(remaining)])
        remaining &= ~GROUP_BITS[group]
        pack_group(game, rules, row, GROUP_BITS[group])


@jit
def pack_group(game: GameState, rules: RuleSet, row: PackedRow, bits: int) -> None:
    """Write the state and rent of each deed of a group, given as a bit mask of squares."""
    owned = game.owned[max(game.owner[lowest(bits)], 0)]
    complete = 1 if owned & bits == bits else 0
    doubled = complete
    if rules.double_rent_beside_mortgage == 0 and game.mortgaged & bits != 0:
        doubled = 0
    remaining = bits
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        index = int(DEED_INDEX[square])
        mortgaged = (game.mortgaged >> square) & 1
        pending = int(row.deeds[index]) & PENDING
        row.deeds[index] = mortgaged + 2 * complete + pending + 8 * int(game.level[square])
        row.rent[index] = rent_shown(game, rules, square, doubled)


@jit
def pack_pending(row: PackedRow, before: int, now: int) -> None:
    """Mark the pending deeds ``now``, and clear the marks of the others."""
    for index in range(N_DEEDS):
        mark = (now >> int(DEED_TABLE[index]) & 1) * PENDING
        row.deeds[index] = (int(row.deeds[index]) & ~PENDING) + mark


# The board


@jit
def pack_bank(game: GameState, row: PackedRow) -> None:
    """Write the Bank's buildings and the Free Parking money."""
    row.houses = min(max(game.houses, 0), 64)
    row.hotels = min(max(game.hotels, 0), 24)
    row.pot = squeeze(max(game.pot, 0), CASH_SCALE)


@jit
def pack_clock(game: GameState, rules: RuleSet, row: PackedRow) -> None:
    """Write the last throw, and the used share of each limit."""
    row.throw = int(game.dice[0]) + 7 * int(game.dice[1]) + 49 * int(game.doubles)
    row.clock[0] = min(game.turns / rules.max_turns, 1.0)
    row.clock[1] = min(game.decisions / rules.max_decisions, 1.0)
    row.clock[2] = 0.0
    if rules.time_limit_rounds != 0:
        row.clock[2] = min(game.rounds / rules.time_limit_rounds, 1.0)


# The rules in force


@jit
def pack_constants(rules: RuleSet, row: PackedRow) -> None:
    """Write the prices and all rules."""
    for index in range(N_DEEDS):
        row.price[index] = min(rules.price[DEED_TABLE[index]], PRICE_CAP)
    flags = 0
    for index in range(N_FLAGS):
        if rules.switches[FLAG_SWITCHES[index]] != 0.0:
            flags |= bit(index)
    row.rules_flags = flags
    for index in range(N_SMALL):
        row.rules_small[index] = small_switch(rules, index)
    for index in range(N_LARGE):
        row.rules_large[index] = rules.switches[LARGE_SWITCHES[index]]


@jit
def small_switch(rules: RuleSet, index: int) -> int:
    """Return a rule with values up to 100 as an integer, from its scaled form."""
    return int(rules.switches[SMALL_SWITCHES[index]] * SMALL_HIGHEST[index] + 0.5)


# The decision


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
