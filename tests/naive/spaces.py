"""Moving, and what the spaces and the cards do."""

from __future__ import annotations

from itertools import count

from monopoly_env.engine.board import (
    CHANCE_SQUARES,
    CHEST_SQUARES,
    FREE_PARKING,
    GO,
    GO_TO_JAIL,
    GROUP_SQUARES,
    JAIL,
    RAILROAD,
    SPACES,
    TAX_SQUARES,
    UTILITY,
)
from monopoly_env.engine.decks import CardKind
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase, RentBy

from . import auctions, building, debts
from .table import HOTEL, Claim, Debt, Deed, Flow, Player, Table, ask, round_up

CARD_MULTIPLIER = 10  # the nearest-utility card: ten times a fresh throw


# --- moving ---


def advance(table: Table, player: Player, steps: int) -> None:
    """A token goes forward; reaching or passing GO pays the salary."""
    rules = table.rules
    reached_go = player.position + steps >= SPACES
    player.position = (player.position + steps) % SPACES
    table.note(Event.MOVE, player, square=player.position, amount=int(reached_go))
    if reached_go:
        player.laps = min(player.laps + 1, 100)
        bonus = rules.landing_bonus if player.position == GO else 0
        table.pay(None, player, rules.salary + bonus, Reason.SALARY)


def move_to(table: Table, player: Player, square: int) -> None:
    """A token goes forward to a space."""
    advance(table, player, (square - player.position) % SPACES)


def send_to_jail(table: Table, player: Player) -> None:
    """Directly to Jail, without salary; there is no further throw."""
    player.position = JAIL
    player.in_jail = True
    player.tries = 0
    table.again = 0
    table.note(Event.JAIL, player)


def leave_jail(table: Table, player: Player) -> None:
    """Out of Jail."""
    player.in_jail = False
    player.tries = 0
    table.note(Event.FREE, player)


# --- landing ---


def land(table: Table, player: Player, by: RentBy, thrown: int = 0) -> Flow[None]:
    """Resolve the space a player stands on; `thrown` is the throw that moved him there."""
    square = player.position
    if square in table.deeds:
        deed = table.deeds[square]
        if deed.owner is None:
            yield from auctions.offer_unowned(table, player, deed)
        elif deed.owner is not player and not deed.mortgaged:
            yield from rent_due(table, player, deed, by, thrown)
    elif square in CHANCE_SQUARES:
        yield from draw(table, player, 0)
    elif square in CHEST_SQUARES:
        yield from draw(table, player, 1)
    elif square in TAX_SQUARES:
        yield from tax(table, player, square)
    elif square == GO_TO_JAIL:
        send_to_jail(table, player)
    elif square == FREE_PARKING and table.pot:
        amount, table.pot = table.pot, 0
        player.cash += amount
        table.note(Event.PAY, None, player, int(Reason.JACKPOT), amount)


def tax(table: Table, player: Player, square: int) -> Flow[None]:
    """A tax space; where the board says so the lander chooses before anything is counted."""
    rules = table.rules
    amount = rules.tax[square]
    if rules.tax_percent[square]:
        answer = yield from ask(player, Phase.TAX, {"tax_flat", "tax_percent"})
        if answer == "tax_percent":
            amount = round_up(total_worth(table, player), rules.tax_percent[square])
    yield from debts.settle(table, Debt(player, None, amount, Reason.TAX))


def total_worth(table: Table, player: Player) -> int:
    """Cash, printed prices (mortgaged or not) and what the buildings have cost."""
    deeds = table.deeds_of(player)
    printed = sum(table.rules.price[deed.square] for deed in deeds)
    return int(player.cash + printed + sum(building.value_paid(table, deed) for deed in deeds))


def final_worth(table: Table, player: Player) -> int:
    """Worth as the short game counts it: mortgaged property at half its price."""
    worth = player.cash
    for deed in table.deeds_of(player):
        price = table.rules.price[deed.square]
        worth += price // 2 if deed.mortgaged else price + building.value_paid(table, deed)
    return int(worth)


# --- rent ---


def rent_due(table: Table, player: Player, deed: Deed, by: RentBy, thrown: int) -> Flow[None]:
    """The owner is due rent: it is collected at once, or waits to be asked for."""
    owner = deed.owner
    assert owner is not None
    amount, times = rent(table, owner, deed, by, thrown)
    taken = {claim.place for claim in table.claims}
    place = next(place for place in count() if place not in taken)
    claim = Claim(place, owner, player, deed.square, amount, times)
    if table.rules.rent_asked:
        table.claims.append(claim)
        yield from rent_window(table, claim)
    else:
        yield from collect(table, claim)


def rent(table: Table, owner: Player, deed: Deed, by: RentBy, thrown: int) -> tuple[int, int]:
    """The rent, as an amount or as so many times a fresh throw."""
    rules = table.rules
    number = sum(other.owner is owner for other in table.group_of(deed))
    if deed.group == RAILROAD:
        return rules.railroad_rent[number - 1] * (2 if by == RentBy.RAILROAD_CARD else 1), 0
    if deed.group == UTILITY:
        if by == RentBy.UTILITY_CARD:
            return 0, CARD_MULTIPLIER
        times = rules.utility_multiplier[number - 1]
        if by == RentBy.DICE and not rules.utility_fresh_throw:
            return times * thrown, 0
        return 0, times
    amount = rules.rent[deed.square][deed.level]
    if deed.level == 0 and number == len(table.group_of(deed)):
        mortgage = any(other.mortgaged for other in table.group_of(deed))
        if not mortgage or rules.double_rent_beside_mortgage:
            amount *= 2
    return amount, 0


def collect(table: Table, claim: Claim) -> Flow[None]:
    """The debtor pays the rent, throwing for it where the rent says so."""
    amount = claim.amount
    if claim.times:
        amount = claim.times * sum(table.throw(claim.debtor))
    yield from debts.settle(table, Debt(claim.debtor, claim.owner, amount, Reason.RENT))


def rent_window(table: Table, claim: Claim) -> Flow[None]:
    """The owner asks for the rent, or not yet."""
    answer = yield from ask(claim.owner, Phase.RENT, {"ask_rent", "pass"})
    if answer == "ask_rent":
        table.claims.remove(claim)
        yield from collect(table, claim)


def rent_windows(table: Table) -> Flow[None]:
    """Before a throw every open claim can be asked for again."""
    for claim in sorted(table.claims, key=lambda claim: claim.place):
        if claim in table.claims:
            yield from rent_window(table, claim)


def close_claims(table: Table) -> None:
    """A later player has begun to throw; claims past their deadline close."""
    for claim in table.claims:
        claim.followers += 1
    deadline = table.rules.rent_deadline
    table.claims = [claim for claim in table.claims if claim.followers < deadline]


# --- cards ---


def draw(table: Table, player: Player, pile: int) -> Flow[None]:
    """Take the top card, put it under the pile or keep it, and do what it says."""
    card = table.piles[pile].pop(0)
    table.unseen[pile] = max(0, table.unseen[pile] - 1)
    table.note(Event.CARD, player, pile, card)
    if table.rules.card_kind[card] == CardKind.KEEP:
        table.kept[pile] = player
        table.note(Event.KEEP_CARD, player, None, pile)
        return
    table.piles[pile].append(card)
    yield from do_card(table, player, card)


def do_card(table: Table, player: Player, card: int) -> Flow[None]:
    """Do what a card says."""
    rules = table.rules
    kind, amount = rules.card_kind[card], rules.card_amount[card]
    if kind == CardKind.MOVE_TO:
        move_to(table, player, rules.card_square[card])
        yield from land(table, player, RentBy.MOVED)
    elif kind == CardKind.NEAREST_RAILROAD:
        move_to(table, player, next_of(player, RAILROAD))
        yield from land(table, player, RentBy.RAILROAD_CARD)
    elif kind == CardKind.NEAREST_UTILITY:
        move_to(table, player, next_of(player, UTILITY))
        yield from land(table, player, RentBy.UTILITY_CARD)
    elif kind == CardKind.BACK:
        player.position = (player.position - amount) % SPACES
        table.note(Event.MOVE, player, square=player.position)
        yield from land(table, player, RentBy.MOVED)
    elif kind == CardKind.GO_TO_JAIL:
        send_to_jail(table, player)
    elif kind == CardKind.COLLECT:
        table.pay(None, player, amount, Reason.CARD)
    elif kind == CardKind.PAY:
        yield from debts.settle(table, Debt(player, None, amount, Reason.CARD))
    elif kind == CardKind.COLLECT_EACH:
        yield from debts.everyone_owes(table, player, amount, Reason.CARD)
    elif kind == CardKind.PAY_EACH:
        yield from debts.owe_everyone(table, player, amount, Reason.CARD)
    elif kind == CardKind.REPAIRS:
        amount = repairs(table, player, amount, rules.card_hotel[card])
        yield from debts.settle(table, Debt(player, None, amount, Reason.CARD))
    else:
        raise ValueError(f"card {card} is of an unknown kind")


def next_of(player: Player, group: int) -> int:
    """The next space of a group, going forward from where the player stands."""
    return min(GROUP_SQUARES[group], key=lambda square: (square - player.position - 1) % SPACES)


def repairs(table: Table, player: Player, house: int, hotel: int) -> int:
    """So much for each house and so much for each hotel."""
    levels = [deed.level for deed in table.deeds_of(player)]
    return sum(hotel if level == HOTEL else level * house for level in levels)
