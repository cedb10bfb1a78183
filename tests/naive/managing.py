"""What players may do with their property beside the decision at hand."""

from __future__ import annotations

from monopoly_env.engine.board import GROUP_IDS, SPACE_IDS

from . import building, deals, mortgages
from .table import Deed, Flow, Player, Table

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
    may_mortgage = mortgages.mortgage_options(table, player)
    if table.auction is None or table.auction.lot == "deed":
        return building.sell_options(table, player) | may_mortgage
    return {option for option in may_mortgage if open_while_bidding(table, player, option)}


def open_while_bidding(table: Table, player: Player, option: str) -> bool:
    """Who bids for a building sells none, and keeps the groups that he could build on."""
    deed = table.deeds[SPACE_IDS.index(option.removeprefix("mortgage:"))]
    return not building.could_be_built_on(table, player, deed)


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
