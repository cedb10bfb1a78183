"""fixed_a, fixed_b and fixed_c: the three fixed-policy agents of Bonjour et al. 2022.

"Decision Making in Monopoly using a Hybrid Deep Reinforcement Learning Approach" (IEEE TETCI 2022,
arXiv 2103.00683) describes three agents in words: all pursue groups, trade, build and mortgage
low-priority deeds for cash; A values all deeds equally, B prefers railroads and dark blue and
avoids utilities, C prefers orange and light blue. Their code is not public, and the numbers below
are this project's interpretation. These bots are a benchmark: do not change them.
"""

from __future__ import annotations

from monopoly_agents.scripted.common import (
    best_building,
    bid_step,
    cheapest_sale,
    claim_or_pass,
    close_window,
    decide_rare_phase,
    groups_gained,
    leave_jail_or_roll,
    lift_or_keep,
    refuse_to_buy,
    scarce_building_limit,
)
from monopoly_agents.scripted.debt_offers import offer_in_debt
from monopoly_agents.valuation import (
    amount_due,
    completes,
    is_lone,
    missing_deed,
    squares_of_groups,
)
from monopoly_env.bots.actions import NO_ACTION, first_legal, id_of, ids_of, is_legal
from monopoly_env.bots.offer_steps import compose, offer_cash, offer_swap
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import VALUE_OF
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import (
    DEED_BITS,
    GROUP,
    GROUP_BITS,
    GROUPS,
    NOBODY,
    RAILROAD_BITS,
    UTILITY_BITS,
)
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.mortgage import lift_cost
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.engine.policy import ViewState, policy
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.worth import raisable

# High-priority and low-priority deeds, as sets of squares.
LIGHT_BLUE, ORANGE, DARK_BLUE = int(GROUP_BITS[1]), int(GROUP_BITS[3]), int(GROUP_BITS[7])
HIGH_A, LOW_A = 0, 0
HIGH_B, LOW_B = RAILROAD_BITS | DARK_BLUE, UTILITY_BITS
HIGH_C, LOW_C = ORANGE | LIGHT_BLUE, 0

# Cash reserves in dollars
BUY_RESERVE = 200
BUY_LOW_RESERVE = 500
BID_RESERVE = 100
BUILD_RESERVE = 200
LIFT_RESERVE = 500
DEAL_RESERVE = 100
JAIL_MIN_CASH = 200  # leave Jail with at least this much

# Percent of the list price
BID_COMPLETING, BID_HIGH, BID_NORMAL, BID_LOW = 150, 100, 75, 50
DEAL_OFFER = 125

# Values in an answer, in eighths of the list price: mortgaged half, high × 1.25, low × 0.75
EIGHTHS = 8


@jit
def decide(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Decide for all three bots; ``high`` and ``low`` are sets of squares."""
    phase = game.phase
    if phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN:
        return decide_window(game, rules, view, high, low)
    if phase == Phase.BUY:
        return decide_buy(game, rules, view, high, low)
    if phase == Phase.AUCTION:
        return bid(game, rules, view, high, low)
    if phase == Phase.DEAL:
        return compose(game, view)
    if phase == Phase.ANSWER:
        return answer(game, rules, view, high, low)
    if phase == Phase.DEBT:
        return meet_debt(game, rules, view, high, low)
    if phase == Phase.DEED:
        return lift_or_keep(game, rules, view, int(game.cash[view.seat]) - LIFT_RESERVE)
    if phase == Phase.CLAIM:
        return claim_or_pass(game, rules, view, BUILD_RESERVE)
    return decide_rare_phase(game, rules, view, BUY_RESERVE)


@jit
def decide_window(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Build, lift mortgages, and trade on its own turn; then continue."""
    action = best_building(game, rules, view, BUILD_RESERVE)
    if action == NO_ACTION:
        action = lift(game, rules, view, high, low)
    if action == NO_ACTION and game.turn == view.seat:
        action = make_offer(game, rules, view, high)
    if action != NO_ACTION:
        return action
    if game.phase == Phase.TURN:
        return leave_jail_or_roll(game, view, JAIL_MIN_CASH)
    return close_window(game)


@jit
def priority(square: int, high: int, low: int) -> int:
    """Return 0 for a low-priority deed, 1 for a normal one, 2 for a high-priority one."""
    if high >> square & 1 != 0:
        return 2
    return 0 if low >> square & 1 != 0 else 1


# Buying and bidding


@jit
def decide_buy(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Buy deeds that complete a group or are high; others if 200 remain, low ones if 500 remain."""
    square = int(top(game).square)
    if is_legal(view, id_of(Kind.BUY)):
        stays = int(game.cash[view.seat]) - int(rules.price[square])
        rank = priority(square, high, low)
        least = BUY_LOW_RESERVE if rank == 0 else BUY_RESERVE
        if completes(game, view.seat, square) or rank == 2 or stays >= least:
            return id_of(Kind.BUY)
    return refuse_to_buy(view)


@jit
def bid(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Raise by the largest step within half of the distance to the limit, at least by 1."""
    limit = bid_limit(game, rules, view, high, low)
    return bid_step(game, view, (limit - int(game.bid)) // 2, limit)


@jit
def bid_limit(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Return list price × 1.5 if it completes a group, × 1.0 high, × 0.75 normal, × 0.5 low.

    $100 are kept, unless it completes a group.
    """
    if game.lot != AuctionLot.DEED:
        return scarce_building_limit(game, rules, view.seat, game.lot, BUILD_RESERVE)
    square = int(game.lot_square)
    cash = int(game.cash[view.seat])
    price = int(rules.price[square])
    if completes(game, view.seat, square):
        return min(price * BID_COMPLETING // 100, cash)
    rank = priority(square, high, low)
    rate = BID_NORMAL
    if rank != 1:
        rate = BID_HIGH if rank == 2 else BID_LOW
    return min(price * rate // 100, cash - BID_RESERVE)


# Mortgages and debts


@jit
def lift(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Lift mortgages while 500 remain: high deeds first, then normal ones, cheapest first."""
    best, best_rank, best_cost = NO_ACTION, 0, 0
    for action in ids_of(Kind.LIFT):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            cost = lift_cost(rules, square)
            rank = priority(square, high, low)
            if game.cash[view.seat] - cost >= LIFT_RESERVE:
                if (
                    best == NO_ACTION
                    or rank > best_rank
                    or (rank == best_rank and cost < best_cost)
                ):
                    best, best_rank, best_cost = action, rank, cost
    return best


@jit
def meet_debt(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Mortgage, then sell buildings; if that is not enough, offer a deal or go bankrupt."""
    if raisable(game, rules, view.seat) < amount_due(game):
        action = offer_in_debt(game, rules, view)
        return id_of(Kind.BANKRUPT) if action == NO_ACTION else action
    action = cheapest_mortgage(game, rules, view, high, low)
    if action == NO_ACTION:
        action = cheapest_sale(game, rules, view)
    return first_legal(view) if action == NO_ACTION else action


@jit
def cheapest_mortgage(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Mortgage low deeds, then normal, then high ones, cheapest first; complete groups last."""
    best, best_rank, best_price = NO_ACTION, 0, 0
    complete = squares_of_groups(game.owned[view.seat])
    for action in ids_of(Kind.MORTGAGE):
        if view.mask[action] != 0:
            square = int(VALUE_OF[action])
            price = int(rules.price[square])
            rank = priority(square, high, low)
            if complete >> square & 1 != 0:
                rank += 3
            if best == NO_ACTION or rank < best_rank or (rank == best_rank and price < best_price):
                best, best_rank, best_price = action, rank, price
    return best


# Deals


@jit
def make_offer(game: GameState, rules: RuleSet, view: ViewState, high: int) -> int:
    """Make an offer for each missing deed that would complete a group, cheapest first."""
    if rules.deals == 0 or game.offers_left[view.seat] <= 0:
        return NO_ACTION
    missing = missing_deeds(game, view.seat)
    while missing != 0:
        square = cheapest(rules, missing)
        missing &= ~bit(square)
        action = offer_for(game, rules, view, square, high)
        if action != NO_ACTION:
            return action
    return NO_ACTION


@jit
def missing_deeds(game: GameState, player: int) -> int:
    """Return the deeds of others that would each complete a group, as a bit mask of squares."""
    squares = 0
    for group in range(GROUPS):
        square = missing_deed(game, player, group)
        if square != NOBODY and game.owner[square] != NOBODY:
            squares |= bit(square)
    return squares


@jit
def cheapest(rules: RuleSet, squares: int) -> int:
    """Return the square with the lowest price; ties go to the first on the board."""
    best = lowest(squares)
    remaining = squares & (squares - 1)
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if rules.price[square] < rules.price[best]:
            best = square
    return best


@jit
def offer_for(game: GameState, rules: RuleSet, view: ViewState, square: int, high: int) -> int:
    """Offer list × 1.25 if 100 remain.

    Otherwise the dearest lone deed plus the price difference.
    """
    price = int(rules.price[square])
    cash = price * DEAL_OFFER // 100
    if game.cash[view.seat] - cash >= DEAL_RESERVE:
        return offer_cash(game, rules, view, square, cash)
    own = dearest_lone(game, rules, view.seat, ~(high | GROUP_BITS[GROUP[square]]))
    if own == NOBODY:
        return NO_ACTION
    return offer_swap(game, rules, view, square, own, price - int(rules.price[own]))


@jit
def dearest_lone(game: GameState, rules: RuleSet, player: int, among: int) -> int:
    """Return the most expensive deed that is its owner's only one of the group; NOBODY if none."""
    best = NOBODY
    remaining = game.owned[player] & among
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if is_lone(game, player, square):
            if best == NOBODY or rules.price[square] > rules.price[best]:
                best = square
    return best


# Answers


@jit
def answer(game: GameState, rules: RuleSet, view: ViewState, high: int, low: int) -> int:
    """Accept affordable deals that complete groups, refuse those that break them.

    Else use value.
    """
    seat, other = int(view.seat), int(game.proposer)
    gained = groups_gained(game, seat)
    if game.deal_ask_cash > game.cash[seat] or gained < 0:
        return id_of(Kind.REJECT)
    if gained > 0:
        return id_of(Kind.ACCEPT)
    others = (game.owned[other] & ~game.deal_give | game.deal_ask) & DEED_BITS
    received = deal_value(game, rules, game.deal_give, 0, high, low)
    received += EIGHTHS * int(game.deal_give_cash)
    given = deal_value(game, rules, game.deal_ask, others, high, low)
    given += EIGHTHS * int(game.deal_ask_cash)
    return id_of(Kind.ACCEPT) if received > given else id_of(Kind.REJECT)


@jit
def deal_value(
    game: GameState, rules: RuleSet, items: int, completing: int, high: int, low: int
) -> int:
    """Return the value of deeds and cards in a deal, in eighths of a dollar.

    Deeds count twice if ``completing``, the other side's deeds after the deal, includes their whole
    group. A kept card counts as the fine that it saves.
    """
    total = 0
    remaining = items & DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        worth = int(rules.price[square]) * deed_eighths(game, square, high, low)
        bits = GROUP_BITS[GROUP[square]]
        total += 2 * worth if completing & bits == bits else worth
    cards = items & ~DEED_BITS
    while cards != 0:
        cards &= cards - 1
        total += EIGHTHS * int(rules.jail_fine)
    return total


@jit
def deed_eighths(game: GameState, square: int, high: int, low: int) -> int:
    """Return a deed's value in eighths of its list price: mortgaged half, high × 5/4, low × 3/4."""
    eighths = EIGHTHS // 2 if game.mortgaged >> square & 1 != 0 else EIGHTHS
    rank = priority(square, high, low)
    if rank == 1:
        return eighths
    return eighths * 5 // 4 if rank == 2 else eighths * 3 // 4


# The three bots


@policy
def fixed_a(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Value all deeds equally."""
    return decide(game, rules, view, HIGH_A, LOW_A)


@policy
def fixed_b(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Prefer railroads, Park Place and Boardwalk; avoid utilities."""
    return decide(game, rules, view, HIGH_B, LOW_B)


@policy
def fixed_c(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Prefer orange and light blue."""
    return decide(game, rules, view, HIGH_C, LOW_C)
