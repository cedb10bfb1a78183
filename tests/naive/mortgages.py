"""Mortgages: taking one, lifting it, and receiving a deed that has one."""

from __future__ import annotations

from collections.abc import Iterable

from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase

from . import building, debts
from .table import Debt, Deed, Flow, Player, Table, ask, round_up


def may_mortgage(table: Table, player: Player, deed: Deed) -> bool:
    """Whether a player may mortgage a deed now."""
    if deed.owner is not player or deed.mortgaged:
        return False
    if table.rules.mortgage_beside_buildings:
        return deed.level == 0
    return not building.built_group(table, deed)


def mortgage(table: Table, player: Player, deed: Deed, reason: Reason = Reason.MORTGAGE) -> None:
    """The deed is turned over and the Bank pays its mortgage value."""
    deed.mortgaged = True
    table.note(Event.MORTGAGE, player, square=deed.square)
    table.pay(None, player, table.rules.mortgage[deed.square], reason)


def lift_cost(table: Table, deed: Deed) -> int:
    """The mortgage and the interest on it."""
    value = int(table.rules.mortgage[deed.square])
    return value + round_up(value, table.rules.lift_percent)


def may_lift(table: Table, player: Player, deed: Deed) -> bool:
    """Whether a player may lift the mortgage on a deed now."""
    mine = deed.owner is player and deed.mortgaged and not deed.pending
    return mine and player.cash >= lift_cost(table, deed)


def lift(table: Table, player: Player, deed: Deed) -> None:
    """The owner pays the mortgage and the interest, and turns the deed up."""
    deed.mortgaged = False
    table.note(Event.LIFT, player, square=deed.square)
    table.pay(player, None, lift_cost(table, deed), Reason.LIFT)


def mortgage_options(table: Table, player: Player) -> set[str]:
    """What a player may mortgage."""
    return {f"mortgage:{d.name}" for d in table.deeds_of(player) if may_mortgage(table, player, d)}


def lift_options(table: Table, player: Player) -> set[str]:
    """Whose mortgage a player may lift."""
    return {f"lift:{d.name}" for d in table.deeds_of(player) if may_lift(table, player, d)}


def interest(table: Table, deed: Deed, percent: int) -> int:
    """What keeping a received mortgage costs at once."""
    return round_up(int(table.rules.mortgage[deed.square]), percent)


def settle_received(table: Table, deeds: Iterable[Deed], percent: int) -> Flow[None]:
    """Who received mortgaged deeds lifts each mortgage, or keeps it and pays interest."""
    received = sorted((d for d in deeds if d.mortgaged), key=lambda deed: deed.square)
    for deed in received:
        deed.pending = True
    for deed in received:
        if not deed.pending:  # it has gone to the Bank meanwhile
            continue
        receiver = deed.owner
        assert receiver is not None
        options = {f"keep:{deed.name}"}
        if receiver.cash >= lift_cost(table, deed):
            options.add(f"lift:{deed.name}")
        answer = yield from ask(receiver, Phase.DEED, options)
        deed.pending = False
        if answer.startswith("lift:"):
            lift(table, receiver, deed)
        else:
            amount = interest(table, deed, percent)
            yield from debts.settle(table, Debt(receiver, None, amount, Reason.INTEREST))
