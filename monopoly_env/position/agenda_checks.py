"""Checks that an agenda written by hand fits the rest of its position.

The engine trusts the agenda. One that contradicts the position could cause an endless loop.
"""

from __future__ import annotations

from collections.abc import Callable

from monopoly_env.engine.board import EVERYONE, NOBODY, SPACE_IDS, SPACES
from monopoly_env.engine.phases import AuctionLot, RentBy, Task
from monopoly_env.engine.state import RENT_CLAIMS
from monopoly_env.errors import Location
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import Record, members

MOST_PIPS = 12  # maximum of a throw

# The required fields of an agenda item, by task.
NEEDS: dict[Task, tuple[str, ...]] = {
    Task.TURN: ("player",),
    Task.THROWN: ("player",),
    Task.END: ("player",),
    Task.BETWEEN: ("player",),
    Task.MOVE: ("player",),
    Task.LAND: ("player",),
    Task.BUY: ("player", "square"),
    Task.TAX: ("player", "square"),
    Task.RENT: ("player",),
    Task.DEBT: ("player",),
    Task.AUCTION: ("square",),
    Task.AUCTIONS: ("other",),
    Task.CLAIM: ("player", "square"),
    Task.PLACE: ("player",),
    Task.DEAL: ("player", "other"),
    Task.POWER: ("player",),
    Task.TELEPORT: ("player",),
    Task.ATTACK: ("player",),
}


def check_agenda(game: Record, location: Location) -> None:
    """Check that each item has its fields and fits. Raises: the error of ``location``."""
    for index in range(int(game["depth"])):
        item, here = game["agenda"][index], location / str(index + 1)
        task = Task(int(item["kind"]))
        for name in NEEDS.get(task, ()):
            if item[name] == NOBODY:
                (here / name).fail(f"is missing: {task.name} needs it")
        if task > Task.BETWEEN and "player" in NEEDS.get(task, ()):
            _check_in_game(game, int(item["player"]), here / "player")
        if task in CHECKS:
            CHECKS[task](game, item, here)


def _check_in_game(game: Record, seat: int, location: Location) -> None:
    if not 0 <= seat < game["players"]:
        location.fail("must be a player")
    if game["out"][seat]:
        location.fail(f"{LETTERS[seat]} is out of the game")


def _check_frame(game: Record, item: Record, location: Location) -> None:
    if item["player"] != game["turn"]:
        (location / "player").fail(f"must be {LETTERS[game['turn']]}, whose turn it is")


def _check_move(_: Record, item: Record, location: Location) -> None:
    if item["amount"] > MOST_PIPS:
        (location / "amount").fail(f"must be a throw of two dice, up to {MOST_PIPS}")


def _check_landing(game: Record, item: Record, location: Location) -> None:
    _check_move(game, item, location)
    if item["flag"] > max(RentBy):
        (location / "flag").fail(f"must be from 0 to {int(max(RentBy))}")


def _check_sale(game: Record, item: Record, location: Location) -> None:
    """Check that a deed for sale belongs to the Bank."""
    if game["owner"][item["square"]] != NOBODY:
        (location / "square").fail("must be a deed that nobody owns: it is for sale")


def _check_rent(game: Record, item: Record, location: Location) -> None:
    index = int(item["flag"])
    if index >= RENT_CLAIMS or game["claims"][index]["owner"] != item["player"]:
        (location / "flag").fail(
            "must be the number of an open claim of the player, counted from 0"
        )


def _check_debt(game: Record, item: Record, location: Location) -> None:
    if item["other"] not in (NOBODY, EVERYONE):
        _check_in_game(game, int(item["other"]), location / "other")


def _check_deeds(game: Record, item: Record, location: Location) -> None:
    """Check that pending deeds belong to players and are mortgaged."""
    for square in _deeds(item, location):
        mortgaged = int(game["mortgaged"]) >> square & 1
        if game["owner"][square] == NOBODY or not mortgaged:
            (location / "squares").fail(f"{SPACE_IDS[square]} must be a player's and mortgaged")


def _deeds(item: Record, location: Location) -> tuple[int, ...]:
    """Return the squares of an item, which must not include Jail cards."""
    squares = int(item["squares"])
    if squares >> SPACES:
        (location / "squares").fail("must be deeds")
    return members(squares)


def _check_auctions(game: Record, item: Record, location: Location) -> None:
    for square in _deeds(item, location):
        if game["owner"][square] != NOBODY:
            (location / "squares").fail(f"{SPACE_IDS[square]} must be a deed that nobody owns")


def _check_auction(game: Record, item: Record, location: Location) -> None:
    """Check that the auction's fields are consistent, and that the bid can be paid."""
    lot, high, bidders = int(game["lot"]), int(game["high_bidder"]), int(game["bidders"])
    if game["lot_square"] != item["square"]:
        (location / "square").fail("must be the lot_square of the auction")
    if lot == AuctionLot.DEED:
        _check_sale(game, item, location)
    else:
        _check_in_game(game, int(game["asker"]), location / "asker")
    for seat in members(bidders):
        _check_in_game(game, seat, location / "bidders")
    if game["bidder"] == NOBODY:
        (location / "bidder").fail("is missing")
    if (high == NOBODY) != (game["bid"] == 0):
        (location / "bid").fail("must be 0 while there is no high_bidder, and more with one")
    if high != NOBODY and not bidders >> high & 1:
        (location / "high_bidder").fail("must be one of the bidders")
    if high != NOBODY and game["cash"][high] < game["bid"]:
        (location / "bid").fail(f"is more than {LETTERS[high]} has")


def _check_claim(game: Record, item: Record, location: Location) -> None:
    for name in ("squares", "amount"):
        for seat in members(item[name]):
            _check_in_game(game, seat, location / name)
    if game["owner"][item["square"]] != item["player"]:
        (location / "square").fail("must be the player's")
    _check_lot(game, item, location)


def _check_lot(_: Record, item: Record, location: Location) -> None:
    if item["flag"] not in (AuctionLot.HOUSE, AuctionLot.HOTEL):
        (location / "flag").fail("must be 1 for a house, 2 for a hotel")


def _check_deal(game: Record, item: Record, location: Location) -> None:
    for name, field in (("player", "proposer"), ("other", "partner")):
        _check_in_game(game, int(item[name]), location / name)
        if item[name] != game[field]:
            (location / name).fail(f"must be the {field} of the deal")
    sides = (("deal_give", int(item["player"])), ("deal_ask", int(item["other"])))
    for field, seat in sides:
        for thing in members(game[field]):
            if _holder(game, thing) != seat:
                (location / field).fail(f"must be what {LETTERS[seat]} has")
    if game["deal_give_cash"] > game["cash"][item["player"]]:
        (location / "deal_give_cash").fail(f"is more than {LETTERS[item['player']]} has")


def _holder(game: Record, thing: int) -> int:
    """Return the owner of a deed, or the holder of a Jail card (40 and 41)."""
    return int(game["owner"][thing] if thing < SPACES else game["card_holder"][thing - SPACES])


CHECKS: dict[Task, Callable[[Record, Record, Location], None]] = {
    Task.TURN: _check_frame,
    Task.THROWN: _check_frame,
    Task.END: _check_frame,
    Task.BETWEEN: _check_frame,
    Task.MOVE: _check_move,
    Task.LAND: _check_landing,
    Task.BUY: _check_sale,
    Task.RENT: _check_rent,
    Task.DEBT: _check_debt,
    Task.DEED: _check_deeds,
    Task.AUCTION: _check_auction,
    Task.AUCTIONS: _check_auctions,
    Task.CLAIM: _check_claim,
    Task.PLACE: _check_lot,
    Task.DEAL: _check_deal,
}
