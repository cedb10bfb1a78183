"""Debts, and what happens to who cannot pay them."""

from __future__ import annotations

from monopoly_env.engine.board import EVERYONE
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase

from . import auctions, building, deals, managing, mortgages
from .table import Debt, Deed, Flow, Player, Table, ask


def total(table: Table, debt: Debt) -> int:
    """What has to be paid in all."""
    if debt.everyone:
        return debt.amount * len(table.others(debt.debtor))
    return debt.amount


def raisable(table: Table, player: Player) -> int:
    """What selling all buildings and mortgaging everything would bring."""
    return sum(
        building.half_back(table, deed)
        + (0 if deed.mortgaged else int(table.rules.mortgage[deed.square]))
        for deed in table.deeds_of(player)
    )


def can_pay(table: Table, debt: Debt) -> bool:
    """Whether the debt can be met by selling buildings and mortgaging."""
    return debt.debtor.cash + raisable(table, debt.debtor) >= total(table, debt)


def settle(table: Table, debt: Debt) -> Flow[None]:
    """The debtor pays as soon as he has the cash; before that he must raise it, or give up."""
    debtor = debt.debtor
    while True:
        if debtor.has_left() or (debt.creditor is not None and debt.creditor.has_left()):
            return
        if pays(table, debt):
            return
        options = managing.raising_options(table, debtor) | deals.deal_options(table, debtor, debt)
        if not can_pay(table, debt):
            options.add("bankrupt")
        answer = yield from ask(debtor, Phase.DEBT, options)
        if answer == "bankrupt":
            yield from bankrupt(table, debt)
            return
        if answer.startswith("deal:"):
            partner = deals.seat_left(table, debtor, answer.removeprefix("deal:"))
            yield from deals.make_offer(table, debtor, partner, debt)
        else:
            yield from managing.manage(table, debtor, answer)


def pays(table: Table, debt: Debt) -> bool:
    """A debt is paid as soon as the cash is there; whether it is (now) paid."""
    if debt.paid or debt.debtor.cash < total(table, debt):
        return debt.paid
    debt.paid = True
    creditors = table.others(debt.debtor) if debt.everyone else [debt.creditor]
    for creditor in creditors:
        table.pay(debt.debtor, creditor, debt.amount, debt.reason)
    return True


def owe_everyone(table: Table, debtor: Player, amount: int, reason: Reason) -> Flow[None]:
    """A player owes the same to every other player."""
    if table.rules.creditors_in_turn:
        for creditor in table.others(debtor):
            yield from settle(table, Debt(debtor, creditor, amount, reason))
    else:
        yield from settle(table, Debt(debtor, None, amount, reason, everyone=True))


def everyone_owes(table: Table, creditor: Player, amount: int, reason: Reason) -> Flow[None]:
    """Every other player owes the same to one, settled from the creditor's left."""
    for debtor in table.others(creditor):
        yield from settle(table, Debt(debtor, creditor, amount, reason))


# --- bankruptcy ---


def bankrupt(table: Table, debt: Debt) -> Flow[None]:
    """A player gives up: all goes to the creditor, or to the Bank and under the hammer."""
    rules, debtor, creditor = table.rules, debt.debtor, debt.creditor
    estate = table.deeds_of(debtor)
    for deed in estate:
        building.clear_lot(table, debtor, deed, Reason.ESTATE)
    if debt.everyone or (creditor is not None and rules.bankrupt_mortgages):
        for deed in estate:
            if not deed.mortgaged:
                mortgages.mortgage(table, debtor, deed, Reason.ESTATE)
    leave(table, debtor, creditor, debt.everyone)
    hand_cash(table, debt)
    hand_cards(table, debtor, creditor)
    for deed in estate:
        if creditor is None:
            return_deed(table, deed, debtor)
        else:
            auctions.take_deed(table, deed, creditor)
    if len(table.active()) == 1:
        table.end()
    if creditor is None:
        for deed in estate if rules.auctions else ():
            yield from auctions.auction_deed(table, deed, debtor)
    else:
        yield from mortgages.settle_received(table, estate, rules.bankrupt_keep_percent)
    left = len(table.players) - len(table.active())
    if rules.end_bankruptcies and left >= rules.end_bankruptcies:
        table.end()


def hand_cash(table: Table, debt: Debt) -> None:
    """The cash goes to the creditor, or in equal parts to all, odd dollars from the left."""
    debtor = debt.debtor
    if not debt.everyone:
        table.pay(debtor, debt.creditor, debtor.cash, Reason.ESTATE)
        return
    creditors = table.others(debtor)
    share, odd = divmod(debtor.cash, len(creditors))
    for i, creditor in enumerate(creditors):
        table.pay(debtor, creditor, share + int(i < odd), Reason.ESTATE)


def hand_cards(table: Table, debtor: Player, creditor: Player | None) -> None:
    """Kept cards go to the creditor, or under their piles."""
    for pile in (0, 1):
        if table.kept[pile] is not debtor:
            continue
        if creditor is None:
            table.return_card(pile)
        else:
            table.kept[pile] = creditor
            table.note(Event.KEEP_CARD, creditor, debtor, pile)


def return_deed(table: Table, deed: Deed, debtor: Player) -> None:
    """A deed goes back to the Bank, without its mortgage."""
    deed.owner = None
    deed.mortgaged = False
    deed.pending = False
    table.note(Event.BANK_DEED, debtor, square=deed.square)


def leave(table: Table, debtor: Player, creditor: Player | None, everyone: bool) -> None:
    """The bankrupt is out; his claims and the claims on him are void."""
    debtor.out = 1 + len(table.players) - len(table.active())
    table.note(Event.OUT, debtor, EVERYONE if everyone else creditor)
    table.claims = [c for c in table.claims if debtor not in (c.owner, c.debtor)]
