"""Writes what one player can see into a row of float32, in place.

Everything is public knowledge of the table, from one seat's view: nothing of the order of the
decks, of the generator or of forced throws is read here. Sets of squares come as bit masks and
leave as ones; amounts of money are squeezed by x / (x + scale), which keeps small differences
large where they matter and needs no knowledge of how rich players can get.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.encoding.blocks import BLOCKS, OBSERVATION_SIZE, OFFSETS
from monopoly_env.encoding.shown import ShownState, note_shown, shows
from monopoly_env.engine._dispatch import DEED_INDEX, ITEM_INDEX
from monopoly_env.engine._jit import count, jit, lowest, zero
from monopoly_env.engine.agenda import top
from monopoly_env.engine.board import (
    DEED_BITS,
    DEEDS,
    EVERYONE,
    GROUP_BITS,
    GROUP_SIZE,
    GROUPS,
    NOBODY,
    PLAYERS,
    RAILROAD_BITS,
    SPACE,
    SPACES,
    UTILITY_BITS,
    Space,
)
from monopoly_env.engine.debt import total_due
from monopoly_env.engine.deeds import squares_pending
from monopoly_env.engine.journal import Reason
from monopoly_env.engine.menu import may_propose, menu_offer, propose_candidates
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.rules import SWITCHES, Deals, RuleSet
from monopoly_env.engine.state import AgendaItem, GameState
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import net_worth, raisable

Row = npt.NDArray[np.float32]

__all__ = [
    "HIGH",
    "LOW",
    "OBSERVATION_SIZE",
    "observe",
    "rewrite_observation",
    "write_observation",
]

LOW = np.concatenate([np.full(block.size, block.low, np.float32) for block in BLOCKS])
HIGH = np.concatenate([np.full(block.size, block.high, np.float32) for block in BLOCKS])

N_DEEDS = len(DEEDS)
N_SWITCHES = len(SWITCHES)
DEED_TABLE = np.array(DEEDS, np.int64)
# By group and deeds held, 0 to 4: the part held, the part lacking if any is held, all of it held
HELD = np.minimum(np.arange(5), GROUP_SIZE[:, None])
SHARES = (HELD / GROUP_SIZE[:, None]).astype(np.float32)
LACKING = np.where(HELD > 0, (GROUP_SIZE[:, None] - HELD) / 4, 0).astype(np.float32)
COMPLETES = (GROUP_SIZE[:, None] == HELD).astype(np.float32)
# Deeds in board order by kind, each with its square; streets that have a group of their own rent
STREETS = np.array([[i, d] for i, d in enumerate(DEEDS) if SPACE[d] == Space.STREET], np.int64)
RAILROADS = np.array([[i, d] for i, d in enumerate(DEEDS) if SPACE[d] == Space.RAILROAD], np.int64)
UTILITIES = np.array([[i, d] for i, d in enumerate(DEEDS) if SPACE[d] == Space.UTILITY], np.int64)
# By level; by own position and deed
LEVELS = (np.arange(6) / 5).astype(np.float32)
DISTANCES = ((DEED_TABLE - np.arange(SPACES)[:, None]) % SPACES / SPACES).astype(np.float32)

ALIVE, CASH, WORTH = OFFSETS["alive"], OFFSETS["cash"], OFFSETS["worth"]
POSITION, IN_JAIL, JAIL_TRIES = OFFSETS["position"], OFFSETS["in_jail"], OFFSETS["jail_tries"]
CARDS = OFFSETS["card_chance"]  # the Chest block follows
OFFERS_LEFT, REFUSED, TURN, LAPS = (
    OFFSETS["offers_left"], OFFSETS["refused"], OFFSETS["turn"], OFFSETS["laps"]
)  # fmt: skip
OWNER, MORTGAGED, LEVEL = OFFSETS["owner"], OFFSETS["mortgaged"], OFFSETS["level"]
PRICE, RENT, COMPLETE = OFFSETS["price"], OFFSETS["rent"], OFFSETS["complete"]
PENDING = OFFSETS["pending"]
HOUSES, HOTELS, POT = OFFSETS["houses"], OFFSETS["hotels"], OFFSETS["pot"]
SQUARE, DISTANCE = OFFSETS["square"], OFFSETS["distance"]
GROUP_SHARE, GROUP_COMPLETE = OFFSETS["group_share"], OFFSETS["group_complete"]
GROUP_LACKING = OFFSETS["group_lacking"]
PHASE, ACTOR, SUBJECT, LOT = (
    OFFSETS["phase"], OFFSETS["actor"], OFFSETS["subject"], OFFSETS["lot"]
)  # fmt: skip
BID, OPENING = OFFSETS["bid"], OFFSETS["opening"]
HIGH_BIDDER, BIDDERS = OFFSETS["high_bidder"], OFFSETS["bidders"]
DEBT, SHORTFALL, RAISABLE = OFFSETS["debt"], OFFSETS["shortfall"], OFFSETS["raisable"]
DEBTOR, CREDITOR = OFFSETS["debtor"], OFFSETS["creditor"]
DEBT_RENT, DEBT_DEALS = OFFSETS["debt_rent"], OFFSETS["debt_deals"]
CLAIM, CLAIM_TIMES, CLAIM_DEBTOR = (
    OFFSETS["claim"], OFFSETS["claim_times"], OFFSETS["claim_debtor"]
)  # fmt: skip
DOUBLE, DENIED = OFFSETS["double"], OFFSETS["denied"]
DEAL_WITH, DEAL_GIVE, DEAL_GET = (
    OFFSETS["deal_with"], OFFSETS["deal_give"], OFFSETS["deal_get"]
)  # fmt: skip
DEAL_CASH = OFFSETS["deal_give_cash"]  # the cash received follows
DEAL_MY_SHARE, DEAL_THEIR_SHARE = OFFSETS["deal_my_share"], OFFSETS["deal_their_share"]
DEAL_COMPLETE, MENU = OFFSETS["deal_complete"], OFFSETS["menu"]
DICE, DOUBLES, CLOCK, RULES_ = (
    OFFSETS["dice"], OFFSETS["doubles"], OFFSETS["clock"], OFFSETS["rules"]
)  # fmt: skip
TURN_, BETWEEN_, END_ = int(Phase.TURN), int(Phase.BETWEEN), int(Phase.END)


@jit
def squeeze(amount: int, scale: int) -> np.float32:
    """Money between 0 and 1: amount / (amount + scale), to the last bit as in double precision."""
    return part(amount, amount + scale)


@jit
def part(amount: int, whole: int) -> np.float32:
    """A quotient of whole numbers. In single precision: the unit for doubles is slow and alone."""
    return np.float32(amount) / np.float32(whole)


@jit
def write_observation(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Write the observation of ``seat`` into ``row``, float32[OBSERVATION_SIZE]."""
    zero(row, 0, OBSERVATION_SIZE)
    write_constants(rules, row)
    write_deeds(game, rules, seat, row)
    write_changing(game, rules, seat, row)


@jit
def rewrite_observation(
    game: GameState, rules: RuleSet, seat: int, row: Row, shown: ShownState
) -> None:
    """The same for a row of which ``shown`` tells what it holds, for equal rules and players.

    What cannot have changed is left alone: the rules' numbers, seats beyond the table, an empty
    menu, deeds that are shown already, all about deals and debts where the row says that none was
    on. In a large batch most of the time goes into moving memory.
    """
    if shown.filled == 0:
        write_observation(game, rules, seat, row)
        note_shown(shown, game, seat)
        return
    if not shows(shown, game, seat):
        write_deeds(game, rules, seat, row)
        note_shown(shown, game, seat)
    row[SQUARE + int(row[POSITION] * 39.0 + 0.5)] = 0.0
    zero(row, 0, OWNER)
    zero(row, PENDING, HOUSES)
    quiet = row[PHASE + TURN_] + row[PHASE + BETWEEN_] + row[PHASE + END_] != 0.0
    if quiet and row[DEBT] == 0.0 and rules.deals != Deals.MENU:
        row[RAISABLE] = 0.0
        zero(row, PHASE, SUBJECT)
        zero(row, DOUBLE, DEAL_WITH)
    else:
        zero(row, PHASE, MENU if rules.deals != Deals.MENU else DICE)
    write_changing(game, rules, seat, row)


@jit
def write_deeds(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Who owns each deed, its state, what landing there costs, and how far each group is."""
    write_owners(game, seat, row)
    write_rents(game, rules, row, write_groups(game, seat, row))


@jit
def write_changing(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """Everything else but the rules' own numbers, over zeros."""
    write_seats(game, rules, seat, row)
    write_board(game, seat, row)
    write_clock(game, rules, row)
    if game.depth > 1:
        mark_deeds(row, PENDING, squares_pending(game))
    if game.phase != Phase.OVER:
        write_decision(game, rules, seat, row)


@jit
def write_seats(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """What each player has and where each stands, self first."""
    for left in range(game.players):
        player = seat_left(game, seat, left)
        if game.out[player] != 0:
            continue
        row[ALIVE + left] = 1.0
        row[CASH + left] = squeeze(max(game.cash[player], 0), 1000)
        row[WORTH + left] = squeeze(max(net_worth(game, rules, player), 0), 4000)
        row[POSITION + left] = part(game.position[player], 39)
        row[IN_JAIL + left] = game.in_jail[player]
        tries = int(game.in_jail[player]) * int(game.jail_tries[player])
        row[JAIL_TRIES + left] = part(tries, rules.jail_tries)
        row[OFFERS_LEFT + left] = part(game.offers_left[player], max(rules.trade_limit, 1))
        row[REFUSED + left] = part(min(game.refused[player], 4), 4)
        row[LAPS + left] = part(min(game.laps[player], 4), 4)
    for pile in range(2):
        if game.card_holder[pile] != NOBODY:
            row[CARDS + pile * PLAYERS + left_of(game, seat, game.card_holder[pile])] = 1.0
    row[TURN + left_of(game, seat, game.turn)] = 1.0


@jit
def left_of(game: GameState, seat: int, player: int) -> int:
    """How many seats to the left of ``seat`` a player sits."""
    left = int(player) - int(seat)  # a division would take longer than all the rest
    return left if left >= 0 else left + int(game.players)


@jit
def seat_left(game: GameState, seat: int, left: int) -> int:
    """Who sits so many seats to the left of ``seat``."""
    player = int(seat) + int(left)
    return player if player < game.players else player - int(game.players)


@jit
def write_owners(game: GameState, seat: int, row: Row) -> None:
    """Who owns each deed. Here and below, arithmetic in place of branches that nothing foretells."""
    for left in range(game.players):
        owned = game.owned[seat_left(game, seat, left)]
        start = OWNER + left * N_DEEDS
        write_bits(row[start : start + N_DEEDS], owned)


@jit
def write_bits(block: Row, squares: int) -> None:
    """A one for each deed in a bit mask, a zero for each other."""
    for index in range(N_DEEDS):
        block[index] = (squares >> DEED_TABLE[index]) & 1


@jit
def write_rents(game: GameState, rules: RuleSet, row: Row, complete: int) -> None:
    """The state of each deed and what landing there costs, given the squares of complete groups."""
    write_bits(row[MORTGAGED : MORTGAGED + N_DEEDS], game.mortgaged)
    write_bits(row[COMPLETE : COMPLETE + N_DEEDS], complete)
    doubled = complete
    if rules.double_rent_beside_mortgage == 0:
        doubled &= ~closed_groups(game)
    rents = row[RENT : RENT + N_DEEDS]
    for place in range(len(STREETS)):
        index, square = STREETS[place, 0], STREETS[place, 1]
        level = game.level[square]
        row[LEVEL + index] = LEVELS[level]
        bare = (doubled >> square) & (1 if level == 0 else 0)
        rents[index] = earns(game, square) * int(rules.rent[square, level]) * (1 + bare)
    for place in range(len(RAILROADS)):
        index, square = RAILROADS[place, 0], RAILROADS[place, 1]
        held = count(game.owned[max(game.owner[square], 0)] & RAILROAD_BITS)
        rents[index] = earns(game, square) * int(rules.railroad_rent[max(held - 1, 0)])
    for place in range(len(UTILITIES)):
        index, square = UTILITIES[place, 0], UTILITIES[place, 1]
        held = count(game.owned[max(game.owner[square], 0)] & UTILITY_BITS)
        rents[index] = 7 * earns(game, square) * int(rules.utility_multiplier[max(held - 1, 0)])
    for index in range(N_DEEDS):
        rents[index] /= rents[index] + np.float32(200)  # all at once


@jit
def earns(game: GameState, square: int) -> int:
    """1 if a deed is owned and not mortgaged, else 0."""
    return (1 if game.owner[square] != NOBODY else 0) & ~(game.mortgaged >> square)


@jit
def closed_groups(game: GameState) -> int:
    """All squares of the groups in which a deed is mortgaged."""
    closed = 0
    for group in range(GROUPS):
        bits = GROUP_BITS[group]
        closed |= bits * (1 if game.mortgaged & bits != 0 else 0)
    return closed


@jit
def mark_deeds(row: Row, start: int, squares: int) -> None:
    """Set a one for each deed in a bit mask."""
    rest = squares & DEED_BITS
    while rest != 0:
        row[start + int(DEED_INDEX[lowest(rest)])] = 1.0
        rest &= rest - 1


@jit
def mark_items(row: Row, start: int, items: int) -> None:
    """Set a one for each deed or kept card in a bit mask."""
    rest = items
    while rest != 0:
        row[start + int(ITEM_INDEX[lowest(rest)])] = 1.0
        rest &= rest - 1


@jit
def write_board(game: GameState, seat: int, row: Row) -> None:
    """The Bank's stock, and how far every deed lies ahead."""
    row[HOUSES] = min(max(game.houses, 0) / 32.0, 2.0)
    row[HOTELS] = min(max(game.hotels, 0) / 12.0, 2.0)
    row[POT] = squeeze(max(game.pot, 0), 1000)
    position = int(game.position[seat])
    row[SQUARE + position] = 1.0
    for index in range(N_DEEDS):
        row[DISTANCE + index] = DISTANCES[position, index]


@jit
def write_groups(game: GameState, seat: int, row: Row) -> int:
    """How much of each group everybody has; the squares of complete groups as a bit mask."""
    complete = 0
    for left in range(game.players):
        owned = game.owned[seat_left(game, seat, left)]
        at = left * GROUPS
        shares = row[GROUP_SHARE + at : GROUP_SHARE + at + GROUPS]
        lacking = row[GROUP_LACKING + at : GROUP_LACKING + at + GROUPS]
        completes = row[GROUP_COMPLETE + at : GROUP_COMPLETE + at + GROUPS]
        for group in range(GROUPS):
            bits = GROUP_BITS[group]
            held = count(owned & bits)
            shares[group] = SHARES[group, held]
            lacking[group] = LACKING[group, held]
            completes[group] = COMPLETES[group, held]
            complete |= bits * (1 if owned & bits == bits else 0)
    return complete


@jit
def write_clock(game: GameState, rules: RuleSet, row: Row) -> None:
    """The throw, and how much of each limit is used."""
    row[DICE] = game.dice[0] / 6.0
    row[DICE + 1] = game.dice[1] / 6.0
    row[DOUBLES] = game.doubles / 3.0
    row[CLOCK] = min(game.turns / rules.max_turns, 1.0)
    row[CLOCK + 1] = min(game.decisions / rules.max_decisions, 1.0)
    if rules.time_limit_rounds != 0:
        row[CLOCK + 2] = min(game.rounds / rules.time_limit_rounds, 1.0)


# The decision


@jit
def write_decision(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """The phase and everything that the decision at hand is about."""
    row[PHASE + int(game.phase)] = 1.0
    row[ACTOR + left_of(game, seat, game.actor)] = 1.0
    row[RAISABLE] = squeeze(max(raisable(game, rules, seat), 0), 1000)
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
    elif phase == Phase.DEAL or phase == Phase.ANSWER:
        write_deal(game, seat, row)
    write_debt(game, rules, seat, row)
    if rules.deals == Deals.MENU and seat == game.actor:
        write_menu(game, rules, seat, row)


@jit
def mark_subject(row: Row, square: int) -> None:
    """The deed that the decision is about, if it is about one."""
    if square >= 0 and DEED_INDEX[square] >= 0:
        row[SUBJECT + int(DEED_INDEX[square])] = 1.0


@jit
def write_auction(game: GameState, seat: int, row: Row) -> None:
    """What is under the hammer, the standing bid, and who is still in."""
    row[LOT + int(game.lot)] = 1.0
    mark_subject(row, game.lot_square)
    row[BID] = squeeze(game.bid, 200)
    row[OPENING] = squeeze(game.opening, 200)
    if game.high_bidder != NOBODY:
        row[HIGH_BIDDER + left_of(game, seat, game.high_bidder)] = 1.0
    mark_seats(game, seat, row, BIDDERS, game.bidders)


@jit
def mark_seats(game: GameState, seat: int, row: Row, start: int, seats: int) -> None:
    """Set a one for each seat in a bit mask."""
    for player in range(game.players):
        if seats >> player & 1 != 0:
            row[start + left_of(game, seat, player)] = 1.0


@jit
def write_claim(game: GameState, seat: int, row: Row, item: AgendaItem) -> None:
    """The scarce building, where it was asked for, and who wants it so far."""
    row[LOT + int(item.flag)] = 1.0
    mark_subject(row, item.square)
    mark_seats(game, seat, row, BIDDERS, item.amount)


@jit
def write_rent_claim(game: GameState, seat: int, row: Row, item: AgendaItem) -> None:
    """The rent that its owner may ask for."""
    claim = game.claims[item.flag]
    mark_subject(row, claim.square)
    row[CLAIM] = squeeze(claim.amount, 200)
    row[CLAIM_TIMES] = claim.multiplier / 10.0
    row[CLAIM_DEBTOR + left_of(game, seat, claim.debtor)] = 1.0


@jit
def write_debt(game: GameState, rules: RuleSet, seat: int, row: Row) -> None:
    """The innermost debt that is waiting to be paid."""
    for depth in range(game.depth - 1, 0, -1):
        item = game.agenda[depth]
        if item.kind == Task.DEBT:
            due = total_due(game, item)
            row[DEBT] = squeeze(due, 500)
            row[SHORTFALL] = squeeze(max(due - game.cash[item.player], 0), 500)
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
            return


@jit
def write_deal(game: GameState, seat: int, row: Row) -> None:
    """Both sides of the offer, and what it does to each side's groups."""
    other = game.partner if seat == game.proposer else game.proposer
    give, get = game.deal_give, game.deal_ask
    give_cash, get_cash = game.deal_give_cash, game.deal_ask_cash
    if seat != game.proposer:
        give, get = get, give
        give_cash, get_cash = get_cash, give_cash
    row[DEAL_WITH + left_of(game, seat, other)] = 1.0
    mark_items(row, DEAL_GIVE, give)
    mark_items(row, DEAL_GET, get)
    row[DEAL_CASH] = squeeze(give_cash, 500)
    row[DEAL_CASH + 1] = squeeze(get_cash, 500)
    if seat == game.proposer or seat == game.partner:
        write_effect(game, row, seat, give, get, DEAL_MY_SHARE, DEAL_COMPLETE)
        write_effect(game, row, other, get, give, DEAL_THEIR_SHARE, DEAL_COMPLETE + 1)


@jit
def write_effect(
    game: GameState, row: Row, player: int, give: int, get: int, shares: int, complete: int
) -> None:
    """How a player's parts of the groups would change."""
    gained = 0
    for group in range(GROUPS):
        bits = GROUP_BITS[group]
        if (give | get) & bits != 0:
            before = game.owned[player] & bits
            after = (before & ~give) | (get & bits)
            row[shares + group] = (count(after) - count(before)) / GROUP_SIZE[group]
            gained += (1 if after == bits else 0) - (1 if before == bits else 0)
    row[complete] = gained / 4.0


@jit
def complete_gained(game: GameState, player: int, give: int, get: int) -> int:
    """Complete groups a player gains by an exchange, less those lost."""
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
    """The content of each offer that the actor could make now, and what it does."""
    phase = game.phase
    if not (
        phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN or phase == Phase.DEBT
    ):
        return
    rest = propose_candidates(game, rules)
    while rest != 0:
        number = lowest(rest)
        rest &= rest - 1
        if may_propose(game, rules, number) == Why.OK:
            write_offer(game, rules, seat, row, number)


@jit
def write_offer(game: GameState, rules: RuleSet, seat: int, row: Row, number: int) -> None:
    """One offer of the menu."""
    partner, give, ask, balance = menu_offer(game, rules, number)
    at = MENU + 8 * number
    row[at] = 1.0
    row[at + 1] = left_of(game, seat, partner) / 7.0
    given, asked = 0.0, 0.0
    if give != 0:
        square = lowest(give)
        row[at + 2] = (DEED_INDEX[square] + 1) / 28.0
        given = float(rules.price[square])
    if ask != 0:
        square = lowest(ask)
        row[at + 3] = (DEED_INDEX[square] + 1) / 28.0
        asked = float(rules.price[square])
    row[at + 4] = balance / (abs(balance) + 200.0)
    row[at + 5] = complete_gained(game, seat, give, ask) / 2.0
    row[at + 6] = complete_gained(game, partner, ask, give) / 2.0
    gets = asked + max(balance, 0)
    gives = given + max(-balance, 0)
    row[at + 7] = gets / max(gets + gives, 1.0)


# The rules in force


@jit
def write_constants(rules: RuleSet, row: Row) -> None:
    """The prices, and every single value of the rules, scaled, so that one policy can learn all."""
    for index in range(N_DEEDS):
        row[PRICE + index] = rules.price[DEED_TABLE[index]] / 400.0
    for index in range(N_SWITCHES):
        row[RULES_ + index] = rules.switches[index]


@jit
def observe(games: Any, i: int, rules_: Any, seat: int, row: Row) -> None:
    """Write what ``seat`` sees of game ``i`` into ``row``, float32[OBSERVATION_SIZE]."""
    write_observation(games[i], rules_[0], seat, row)
