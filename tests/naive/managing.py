"""What players may do with their property beside the decision at hand."""

from __future__ import annotations

from monopoly_env.engine.board import GROUP_IDS, SPACE_IDS

from . import building, deals, mortgages
from .table import HOTEL, Auction, Deed, Flow, Player, Table

MANAGING = ("build", "sell", "sell_group", "mortgage", "lift", "deal")


def window_options(table: Table, player: Player) -> set[str]:
    """All that is open before a throw, after a turn and between turns."""
    return (
        building.build_options(table, player)
        | raising_options(table, player)
        | mortgages.lift_options(table, player)
        | deals.deal_options(table, player, None)
    )


def raising_options(table: Table, player: Player) -> set[str]:
    """The ways to raise cash at the Bank."""
    options = building.sell_options(table, player) | mortgages.mortgage_options(table, player)
    auction = table.auction
    if auction is None or auction.lot == "deed":
        return options
    return {option for option in options if open_while_bidding(table, player, auction, option)}


def open_while_bidding(table: Table, player: Player, auction: Auction, option: str) -> bool:
    """Who bids for a building keeps the groups it could stand on as they are.

    Nor may the building under the hammer be used up by breaking a hotel down.
    """
    name, _, argument = option.partition(":")
    if name == "sell_group":
        group = GROUP_IDS.index(argument)
    else:
        deed = table.deeds[SPACE_IDS.index(argument)]
        group = deed.group
        if name == "sell" and deed.level == HOTEL and auction.lot == "house":
            if not building.can_break(table, taken=1):
                return False
    return all(deed.group != group for deed in building.places(table, player, auction.lot))


def manage(table: Table, player: Player, text: str) -> Flow[None]:
    """Do what a player said in a window."""
    name, _, argument = text.partition(":")
    if name == "deal":
        partner = deals.seat_left(table, player, argument)
        yield from deals.make_offer(table, player, partner, None)
    elif name == "sell_group":
        building.sell_group(table, player, GROUP_IDS.index(argument))
    else:
        deed: Deed = table.deeds[SPACE_IDS.index(argument)]
        if name == "build":
            yield from building.build(table, player, deed)
        elif name == "sell":
            building.sell(table, player, deed)
        elif name == "mortgage":
            mortgages.mortgage(table, player, deed)
        elif name == "lift":
            mortgages.lift(table, player, deed)
        else:
            raise ValueError(f"{text} is no way to manage property")
