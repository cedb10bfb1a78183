"""Deals between two players: composing an offer, answering it, handing things over."""

from __future__ import annotations

from monopoly_env.engine.actions import CASH_STEPS
from monopoly_env.engine.board import CARD_CHANCE, SPACE_IDS
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import Deals

from . import auctions, building, debts, mortgages
from .table import Debt, Deed, Flow, Offer, Player, Table, ask

CARD_NAMES = ("card_chance", "card_chest")
Things = set[Deed | int]


def seat_left(table: Table, player: Player, argument: str) -> Player:
    """The player named left1, left2, … by another."""
    offset = int(argument.removeprefix("left"))
    return table.players[(player.seat + offset) % len(table.players)]


def things_of(table: Table, player: Player) -> Things:
    """What a player could hand over: lots of unbuilt groups, and Get Out of Jail Free cards."""
    deeds: Things = {
        deed
        for deed in table.deeds_of(player)
        if not deed.pending and not building.built_group(table, deed)
    }
    return deeds | {pile for pile in (0, 1) if table.kept[pile] is player}


def name_of(thing: Deed | int) -> str:
    """How a thing is written."""
    return CARD_NAMES[thing] if isinstance(thing, int) else thing.name


def thing_named(table: Table, name: str) -> Deed | int:
    """The thing that is written so."""
    if name in CARD_NAMES:
        return CARD_NAMES.index(name)
    return table.deeds[SPACE_IDS.index(name)]


def squares_of(things: Things) -> set[int]:
    """The things as numbers: squares, and the two cards after them."""
    return {CARD_CHANCE + t if isinstance(t, int) else t.square for t in things}


# --- when a deal may be begun ---


def is_creditor(table: Table, partner: Player, debt: Debt | None) -> bool:
    """Whether property may take the place of the cash that is owed to the partner."""
    return (
        debt is not None
        and bool(table.rules.property_for_debt)
        and debt.reason == Reason.RENT
        and debt.creditor is partner
    )


def purse(table: Table, partner: Player, debt: Debt | None) -> int:
    """The most cash that can be asked of the partner.

    A creditor who takes property for what is missing of his rent needs no cash for it.
    """
    if debt is not None and is_creditor(table, partner, debt):
        return max(partner.cash, debt.amount - debt.debtor.cash)
    return partner.cash


def may_deal(table: Table, player: Player, partner: Player, debt: Debt | None) -> bool:
    """Whether a player may begin an offer to another."""
    rules = table.rules
    if rules.deals != Deals.STEPS or partner.has_left():
        return False
    mine, theirs = things_of(table, player), things_of(table, partner)
    if debt is None:
        if player.offers_left == 0 or not (mine or theirs):
            return False
    else:
        if debt.deals >= rules.debt_trade_limit or not mine:
            return False
        if debts.can_pay(table, debt) and not is_creditor(table, partner, debt):
            return False
    if rules.gifts:
        return True
    return bool(mine or player.cash) and bool(theirs or purse(table, partner, debt))


def deal_options(table: Table, player: Player, debt: Debt | None) -> set[str]:
    """With whom a player may begin a deal."""
    n = len(table.players)
    return {
        f"deal:left{(partner.seat - player.seat) % n}"
        for partner in table.others(player)
        if may_deal(table, player, partner, debt)
    }


# --- composing and answering ---


def make_offer(table: Table, player: Player, partner: Player, debt: Debt | None) -> Flow[None]:
    """A player composes an offer, the other side answers it."""
    if debt is None:
        player.offers_left -= 1
    else:
        debt.deals += 1
    offer = table.offer = Offer(player, partner)
    while True:
        answer = yield from ask(player, Phase.DEAL, offer_options(table, offer, debt))
        if answer in ("offer", "cancel"):
            break
        put_in(table, offer, answer)
    if answer == "cancel":
        table.offer = None
        return
    table.note(Event.OFFER, player, partner)
    answer = yield from ask(partner, Phase.ANSWER, {"accept", "reject"})
    table.offer = None
    player.offers_made += 1
    if answer == "reject":
        table.note(Event.REJECT, partner, player)
        player.refused += 1
        partner.offers_rejected += 1
    else:
        partner.offers_accepted += 1
        table.note(Event.ACCEPT, partner, player)
        yield from hand_over(table, offer, debt)


def put_in(table: Table, offer: Offer, text: str) -> None:
    """One more thing, or more cash, goes into the offer."""
    name, _, argument = text.partition(":")
    if name == "give":
        offer.give.add(thing_named(table, argument))
    elif name == "ask":
        offer.ask.add(thing_named(table, argument))
    elif name == "give_cash":
        offer.give_cash += int(argument)
    elif name == "ask_cash":
        offer.ask_cash += int(argument)
    else:
        raise ValueError(f"{text} is no part of an offer")


def offer_options(table: Table, offer: Offer, debt: Debt | None) -> set[str]:
    """What the proposer may do next."""
    proposer, partner = offer.proposer, offer.partner
    options = {"cancel"}
    options |= {f"give:{name_of(t)}" for t in things_of(table, proposer) - offer.give}
    options |= {f"ask:{name_of(t)}" for t in things_of(table, partner) - offer.ask}
    for step in CASH_STEPS:
        if offer.ask_cash == 0 and offer.give_cash + step <= proposer.cash:
            options.add(f"give_cash:{step}")
        if offer.give_cash == 0 and offer.ask_cash + step <= purse(table, partner, debt):
            options.add(f"ask_cash:{step}")
    if may_offer(table, offer, debt):
        options.add("offer")
    return options


def may_offer(table: Table, offer: Offer, debt: Debt | None) -> bool:
    """Whether the offer as composed may be made."""
    gives = bool(offer.give or offer.give_cash)
    asks = bool(offer.ask or offer.ask_cash)
    if table.rules.gifts:
        if not (gives or asks):
            return False
    elif not (gives and asks):
        return False
    cash = offer.proposer.cash + offer.ask_cash - offer.give_cash
    partner_cash = offer.partner.cash + offer.give_cash - offer.ask_cash
    due = 0
    if debt is not None:
        due = debts.total(table, debt)
        if cash >= due:  # it is paid before anything else
            cash -= due
            if debt.everyone:
                partner_cash += debt.amount
            elif debt.creditor is offer.partner:
                partner_cash += due
            due = 0
    if cash < 0 or partner_cash < 0:  # what is agreed is paid in cash
        return False
    due += interest_on(table, offer.ask)  # what cash does not cover is owed, and raised
    if cash + raised_after(table, offer.proposer, offer.give, offer.ask) < due:
        return False
    partner_cash += raised_after(table, offer.partner, offer.ask, offer.give)
    return partner_cash >= interest_on(table, offer.give)


def interest_on(table: Table, things: Things) -> int:
    """What keeping all mortgages among these things costs."""
    percent = table.rules.deal_keep_percent
    return sum(
        mortgages.interest(table, thing, percent)
        for thing in things
        if isinstance(thing, Deed) and thing.mortgaged
    )


def raised_after(table: Table, player: Player, gives: Things, gets: Things) -> int:
    """What a player's property would bring at the Bank after the deal."""
    raised = debts.raisable(table, player)
    for things, sign in ((gives, -1), (gets, 1)):
        for thing in things:
            if isinstance(thing, Deed) and not thing.mortgaged:
                raised += sign * table.rules.mortgage[thing.square]
    return int(raised)


def hand_over(table: Table, offer: Offer, debt: Debt | None) -> Flow[None]:
    """Both sides hand over what was agreed; received mortgages are settled at once."""
    proposer, partner = offer.proposer, offer.partner
    table.pay(proposer, partner, offer.give_cash, Reason.DEAL)
    table.pay(partner, proposer, offer.ask_cash, Reason.DEAL, netted=debt is not None)
    for receiver, things in ((partner, offer.give), (proposer, offer.ask)):
        for square in sorted(squares_of(things)):
            take_thing(table, square, receiver)
    if debt is not None:
        debts.pays(table, debt)
    deeds = [thing for thing in offer.give | offer.ask if isinstance(thing, Deed)]
    yield from mortgages.settle_received(table, deeds, table.rules.deal_keep_percent)


def take_thing(table: Table, square: int, receiver: Player) -> None:
    """A deed or a kept card goes to the other side."""
    if square < CARD_CHANCE:
        auctions.take_deed(table, table.deeds[square], receiver)
        return
    pile = square - CARD_CHANCE
    giver, table.kept[pile] = table.kept[pile], receiver
    table.note(Event.KEEP_CARD, receiver, giver, pile)
