"""Buying from the Bank: the lander's choice, and auctions."""

from __future__ import annotations

from monopoly_env.engine.actions import CASH_STEPS
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import AuctionLot, Phase

from . import building, managing
from .table import Auction, Deed, Flow, Player, Table, ask


def take_deed(table: Table, deed: Deed, player: Player) -> None:
    """A deed goes to a player, from the Bank or from another player."""
    giver, deed.owner = deed.owner, player
    table.note(Event.DEED, player, giver, deed.square)


def offer_unowned(table: Table, player: Player, deed: Deed) -> Flow[None]:
    """Who lands on an unowned deed may buy it; otherwise it is auctioned."""
    rules = table.rules
    price = rules.price[deed.square]
    if player.laps < rules.buy_after_laps:
        return
    while True:
        options = {"auction" if rules.auctions else "pass"}
        if player.cash >= price:
            options.add("buy")
        options |= managing.raising_options(table, player)
        answer = yield from ask(player, Phase.BUY, options)
        if answer == "buy":
            table.pay(player, None, price, Reason.PRICE)
            take_deed(table, deed, player)
            return
        if answer == "auction":
            yield from auction_deed(table, deed, player)
            return
        if answer == "pass":
            return
        yield from managing.manage(table, player, answer)


def auction_deed(table: Table, deed: Deed, player: Player) -> Flow[None]:
    """A deed goes to the highest bidder; the bidding begins with a player's left."""
    bidders = table.others(player)
    if not player.has_left():
        bidders.append(player)
    auction = Auction("deed", deed.square, table.rules.auction_opening, bidders)
    winner = yield from hold(table, auction)
    if winner is not None:
        take_deed(table, deed, winner)


def hold(table: Table, auction: Auction) -> Flow[Player | None]:
    """Everybody bids in turn or leaves; the last one left pays his bid."""
    table.auction = auction
    lot = AuctionLot.DEED if auction.lot == "deed" else building.LOT_OF[auction.lot]
    table.note(Event.AUCTION, auction.queue[0], int(lot), auction.square)
    while auction.queue and auction.queue[0] is not auction.high:
        yield from bid_or_pass(table, auction)
    table.auction = None
    if auction.high is None:
        table.note(Event.UNSOLD, square=auction.square)
    else:
        table.pay(auction.high, None, auction.bid, Reason.BID)
    return auction.high


def bid_or_pass(table: Table, auction: Auction) -> Flow[None]:
    """One bidder's turn: he may raise cash first."""
    bidder = auction.queue[0]
    while True:
        answer = yield from ask(bidder, Phase.AUCTION, bid_options(table, auction, bidder))
        if answer == "pass":
            auction.queue.pop(0)
            table.note(Event.PASS, bidder)
            return
        if answer == "open" or answer.startswith("raise:"):
            step = answer.removeprefix("raise:")
            auction.bid = auction.opening if answer == "open" else auction.bid + int(step)
            auction.high = bidder
            auction.queue.append(auction.queue.pop(0))
            table.note(Event.BID, bidder, amount=auction.bid)
            return
        yield from managing.manage(table, bidder, answer)


def bid_options(table: Table, auction: Auction, bidder: Player) -> set[str]:
    """What a bidder may say."""
    options = {"pass"}
    if auction.high is None and bidder.cash >= auction.opening:
        options.add("open")
    for step in CASH_STEPS:
        bid = auction.bid + step
        if bid <= bidder.cash and (auction.high is not None or bid >= auction.opening):
            options.add(f"raise:{step}")
    return options | managing.raising_options(table, bidder)
