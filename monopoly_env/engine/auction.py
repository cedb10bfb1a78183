"""Auctions: of declined property, of a bankrupt's deeds, and of scarce buildings."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top, wait
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.deeds import move_deed, next_alive
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.phases import AuctionLot, Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why


@jit
def begin_auction(
    game: GameState, log: Log, lot: int, square: int, first: int, bidders: int, opening: int
) -> None:
    """Start an auction; the seats in ``bidders`` bid in order, starting with ``first``."""
    game.lot = lot
    game.lot_square = square
    game.bid = 0
    game.opening = opening
    game.high_bidder = NOBODY
    game.bidder = first
    game.bidders = bidders
    note(log, Event.AUCTION, first, lot, square, opening)
    push(game, Task.AUCTION, NOBODY, NOBODY, square, 0, lot)


@jit
def auction_deed(game: GameState, rules: RuleSet, log: Log, square: int, first: int) -> None:
    """Auction a deed among all players in the game, including the one who declined it."""
    bidders = 0
    for player in range(game.players):
        if game.out[player] == 0:
            bidders |= bit(player)
    begin_auction(game, log, AuctionLot.DEED, square, first, bidders, rules.auction_opening)


@jit
def resume_auctions(game: GameState, rules: RuleSet, log: Log) -> bool:
    """A bankrupt's deeds are auctioned in board order; the player to the bankrupt's left opens.

    Source: 000 line 183; 001 line 232; 002 line 270.
    """
    item = top(game)
    if item.squares == 0 or rules.auctions == 0:
        pop(game)
        return False
    square = lowest(item.squares)
    item.squares &= item.squares - 1
    auction_deed(game, rules, log, square, next_alive(game, item.other))
    return False


@jit
def resume_auction(game: GameState, rules: RuleSet, log: Log) -> bool:
    """Ask the next bidder, or close the auction.

    A single remaining bidder who holds the standing bid has won; one without any bid may still
    open.
    """
    high = 0 if game.high_bidder == NOBODY else bit(game.high_bidder)
    if game.bidders == high:
        close_auction(game, rules, log)
        return False
    while (game.bidders & ~high) >> game.bidder & 1 == 0:
        game.bidder = (game.bidder + 1) % game.players
    return wait(game, Phase.AUCTION, game.bidder)


@jit
def close_auction(game: GameState, rules: RuleSet, log: Log) -> None:
    """The highest bidder pays the Bank and takes the lot; without a bid, the Bank keeps it."""
    pop(game)
    winner, bid, square, lot = game.high_bidder, game.bid, game.lot_square, game.lot
    asker = game.asker
    clear_auction(game)
    if winner == NOBODY:
        note(log, Event.UNSOLD, NOBODY, lot, square, 0)
        if lot == AuctionLot.HOUSE:
            game.denied_houses |= bit(asker)
        elif lot == AuctionLot.HOTEL:
            game.denied_hotels |= bit(asker)
        return
    pay(game, log, winner, NOBODY, bid, Reason.BID)
    if lot == AuctionLot.DEED:
        move_deed(game, log, square, winner)
    else:
        push(game, Task.PLACE, winner, NOBODY, NOBODY, 0, lot)


@jit
def clear_auction(game: GameState) -> None:
    """Clear the fields of an auction that is over."""
    game.lot = AuctionLot.DEED
    game.lot_square = NOBODY
    game.bid = 0
    game.opening = 0
    game.high_bidder = NOBODY
    game.bidder = NOBODY
    game.bidders = 0
    game.asker = NOBODY


@jit
def bidding_for_building(game: GameState) -> bool:
    """Return whether the actor is bidding for a scarce building."""
    return bool(game.phase == Phase.AUCTION and game.lot != AuctionLot.DEED)


@jit
def may_bid(game: GameState, bid: int) -> int:
    """A bid must be covered by cash in hand; the first must reach the opening price.

    Source: 000 line 218; 001 line 150; 002 lines 169 and 252.
    Differs: a bid above cash in hand is refused, so that nobody wins what cannot be paid for.
    """
    if bid < game.opening:
        return Why.BID_TOO_LOW
    if bid > game.cash[game.actor]:
        return Why.NO_CASH
    return Why.OK


@jit
def may_open(game: GameState, rules: RuleSet, _: int) -> int:
    """Bid the opening price, while no bid stands."""
    if game.high_bidder != NOBODY:
        return Why.BID_STANDS
    return may_bid(game, game.opening)


@jit
def open_bid(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Bid the opening price."""
    place_bid(game, log, game.opening)


@jit
def may_raise(game: GameState, rules: RuleSet, amount: int) -> int:
    """Bid ``amount`` over the standing bid, or over 0 while none stands."""
    return may_bid(game, game.bid + amount)


@jit
def raise_bid(game: GameState, rules: RuleSet, log: Log, amount: int) -> None:
    """Bid ``amount`` more than the standing bid."""
    place_bid(game, log, game.bid + amount)


@jit
def place_bid(game: GameState, log: Log, bid: int) -> None:
    """Place the actor's bid and move on to the next bidder."""
    game.bid = bid
    game.high_bidder = game.actor
    note(log, Event.BID, game.actor, NOBODY, game.lot_square, bid)
    game.bidder = (game.actor + 1) % game.players


@jit
def may_pass_auction(game: GameState, rules: RuleSet, _: int) -> int:
    """Nobody has to bid."""
    return Why.OK


@jit
def pass_auction(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Leave this auction for good."""
    game.bidders &= ~bit(game.actor)
    note(log, Event.PASS, game.actor, NOBODY, game.lot_square, 0)
    game.bidder = (game.actor + 1) % game.players
