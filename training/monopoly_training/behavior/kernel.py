"""Compiled functions that replay a game's actions and count what its players did.

Deals are not valued here: the positions after each offer, accepted and refused, are stored for a
value function.
"""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine import new_game
from monopoly_env.engine.actions import IDS, KIND_OF, KINDS, VALUE_OF
from monopoly_env.engine.board import COLORS, DEED_BITS, GROUP_BITS, NOBODY, SPACES
from monopoly_env.engine.flow import proceed, step
from monopoly_env.engine.movement import space_ahead
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float64s, GameState, Int64s, Uint16s
from monopoly_env.value.features import rent_of

# The sums for each seat, in the order of the columns
SUMS = (
    "throws",  # own throws, at the start of a turn or after a double
    "threatened",  # throws with rent within reach
    "covered",  # sum over them of the share of the highest such rent that cash covers
    "short",  # throws with less cash than that rent
    "auctions_won",  # deeds won at auction
    "over_list",  # of these, above the list price
    "times_list",  # sum over them of price paid / list price
    "mortgaged",  # deeds mortgaged
    "lifted",  # mortgages lifted
    "lifted_soon",  # mortgages lifted by the player who took them, within SOON own throws
    "groups_broken",  # complete color groups broken by giving away a deed in a deal
)
THROWS, THREATENED, COVERED, SHORT, WON, OVER, TIMES, MORTGAGED, LIFTED, SOON_LIFTED, BROKEN = (
    range(len(SUMS))
)
SOON = 3  # own throws
OFFER = ("proposer", "partner", "given", "asked", "cash", "accepted")  # the columns of an offer

ROLL, ACCEPT, REJECT = IDS["roll"], IDS["accept"], IDS["reject"]
OPEN = IDS["open"]
RAISE, MORTGAGE, LIFT = (KINDS.index(name) for name in ("raise", "mortgage", "lift"))


@jit
def measure_game(
    games: Records,
    rules_: Records,
    journals: Records,
    actions: Uint16s,
    players: int,
    seed: int,
    sums: Float64s,
    offers: Int64s,
    refused: Records,
    taken: Records,
) -> int:
    """Replay the game of a seed and its actions; return the number of answered offers.

    Args:
        games, rules_, journals: a GAME to play in, RULES[1], JOURNAL[1].
        actions: uint16[n], by id.
        players, seed: of the game.
        sums: float64[8, len(SUMS)], by seat; counts are added to it.
        offers: int64[m, len(OFFER)], receives the first m offers. Deeds and cards are bit masks of
            squares, cash is what the proposer receives.
        refused, taken: GAME[m], receive the positions after these offers if refused and if
            accepted.
    """
    game, rules, log = games[0], rules_[0], journals[0]
    mortgaged_at = np.full(SPACES, -1, np.int64)  # the owner's throw count, or -1
    mortgaged_by = np.full(SPACES, -1, np.int64)
    found = 0
    new_game.new_game(game, rules, log, players, seed)
    proceed(game, rules, log)
    for index in range(len(actions)):
        action = int(actions[index])
        seat, kind = int(game.actor), int(KIND_OF[action])
        row = sums[seat]
        if action == ROLL and game.phase == Phase.TURN:
            count_throw(game, rules, seat, row)
        elif kind == MORTGAGE:
            square = int(VALUE_OF[action])
            row[MORTGAGED] += 1
            mortgaged_at[square], mortgaged_by[square] = int(row[THROWS]), seat
        elif kind == LIFT:
            square = int(VALUE_OF[action])
            row[LIFTED] += 1
            if mortgaged_by[square] == seat and row[THROWS] - mortgaged_at[square] <= SOON:
                row[SOON_LIFTED] += 1
            mortgaged_by[square] = -1
        elif action == ACCEPT:
            count_broken(game, sums)
        if game.phase == Phase.ANSWER:
            if found < len(offers):
                write_offer(game, action, offers[found])
                refused[found], taken[found] = game, game
                step(refused[found], rules, log, REJECT)
                step(taken[found], rules, log, ACCEPT)
            found += 1
        lot, bid = deed_bid(game, action)
        step(game, rules, log, action)
        if lot >= 0 and game.owner[lot] != NOBODY:
            count_auction(rules, lot, bid, sums[game.owner[lot]])
    return found


@jit
def count_throw(game: GameState, rules: RuleSet, seat: int, row: Float64s) -> None:
    """Before a throw, compare the cash with the highest rent within reach of two dice."""
    row[THROWS] += 1
    highest = 0
    for pips in range(2, 13):
        square = space_ahead(rules, int(game.position[seat]), pips)
        owner = game.owner[square]
        if owner != NOBODY and owner != seat:  # noqa: PLR1714 - compiled code
            highest = max(highest, rent_of(game, rules, square))
    if highest > 0:
        cash = max(int(game.cash[seat]), 0)
        row[THREATENED] += 1
        row[COVERED] += min(cash / highest, 1.0)
        row[SHORT] += cash < highest


@jit
def deed_bid(game: GameState, action: int) -> tuple[int, int]:
    """Return the deed being auctioned and the standing bid after an action; -1 if there is none."""
    if game.phase != Phase.AUCTION or game.lot != AuctionLot.DEED:
        return -1, 0
    bid = int(game.bid)
    if action == OPEN:
        bid = max(int(game.opening), 1)
    elif KIND_OF[action] == RAISE:
        bid += int(VALUE_OF[action])
    return int(game.lot_square), bid


@jit
def count_auction(rules: RuleSet, square: int, bid: int, row: Float64s) -> None:
    """Count a deed bought at auction."""
    price = max(int(rules.price[square]), 1)
    row[WON] += 1
    row[OVER] += bid > price
    row[TIMES] += bid / price


@jit
def count_broken(game: GameState, sums: Float64s) -> None:
    """Count the complete color groups that either side of an accepted offer breaks up."""
    for side in range(2):
        seat = int(game.proposer if side == 0 else game.partner)
        gives = int(game.deal_give if side == 0 else game.deal_ask) & DEED_BITS
        for group in range(COLORS):
            bits = GROUP_BITS[group]
            if game.owned[seat] & bits == bits and gives & bits != 0:
                sums[seat, BROKEN] += 1


@jit
def write_offer(game: GameState, action: int, row: Int64s) -> None:
    """Write an offer and its answer to a row."""
    row[0], row[1] = game.proposer, game.partner
    row[2], row[3] = game.deal_give, game.deal_ask
    row[4] = int(game.deal_ask_cash) - int(game.deal_give_cash)
    row[5] = action == ACCEPT
