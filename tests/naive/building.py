"""Houses and hotels: building them, selling them, and what happens when they run short."""

from __future__ import annotations

from monopoly_env.engine.board import COLORS, GROUP_IDS
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import AuctionLot, Phase

from . import auctions
from .table import HOTEL, Auction, Deed, Flow, Player, Table, ask

LOT_OF = {"house": AuctionLot.HOUSE, "hotel": AuctionLot.HOTEL}


# --- the state of a lot ---


def height(table: Table, deed: Deed) -> int:
    """Steps built on a lot; a hotel is one step above the houses it needs."""
    if deed.level == HOTEL:
        return int(table.rules.hotel_houses) + 1
    return deed.level


def next_kind(table: Table, deed: Deed) -> str:
    """What would be built next on a lot."""
    return "hotel" if deed.level == table.rules.hotel_houses else "house"


def price(table: Table, deed: Deed, kind: str) -> int:
    """What a building costs there."""
    prices = table.rules.hotel_price if kind == "hotel" else table.rules.house_price
    return int(prices[deed.square])


def built_group(table: Table, deed: Deed) -> bool:
    """Whether a building stands anywhere in a deed's group."""
    return any(other.level for other in table.group_of(deed))


def stock(table: Table, kind: str) -> int:
    """Buildings of a kind in the Bank."""
    return int(table.hotels if kind == "hotel" else table.houses)


def value_paid(table: Table, deed: Deed) -> int:
    """What the buildings of a lot have cost: a hotel includes the houses given for it."""
    rules, square = table.rules, deed.square
    if deed.level == HOTEL:
        return int(rules.hotel_price[square] + rules.hotel_houses * rules.house_price[square])
    return int(deed.level * rules.house_price[square])


def half_back(table: Table, deed: Deed) -> int:
    """What the Bank gives for all buildings of a lot: half the price of each, in whole dollars."""
    rules, square = table.rules, deed.square
    house, hotel = int(rules.house_price[square]) // 2, int(rules.hotel_price[square]) // 2
    return hotel + int(rules.hotel_houses) * house if deed.level == HOTEL else deed.level * house


# --- building ---


def could_be_built_on(table: Table, player: Player, deed: Deed) -> bool:
    """Whether a lot belongs to a complete group of a player without a mortgage."""
    if not deed.is_street or not table.owns_group(player, deed.group):
        return False
    return not any(other.mortgaged for other in table.group_of(deed))


def fits(table: Table, player: Player, deed: Deed, kind: str) -> bool:
    """Whether the rules of the board let a player put such a building on a lot."""
    group = table.group_of(deed)
    if not could_be_built_on(table, player, deed) or deed.level == HOTEL:
        return False
    if next_kind(table, deed) != kind:
        return False
    if table.rules.even_building:
        return height(table, deed) <= min(height(table, other) for other in group)
    return True


def may_build(table: Table, player: Player, deed: Deed) -> bool:
    """Whether a player may build on a lot now."""
    kind = next_kind(table, deed)
    if not fits(table, player, deed, kind) or kind in player.denied:
        return False
    if table.rules.limited_buildings and stock(table, kind) < 1:
        return False
    return player.cash >= price(table, deed, kind)


def places(table: Table, player: Player, kind: str) -> list[Deed]:
    """The lots that a player could put such a building on."""
    return [deed for deed in table.deeds_of(player) if fits(table, player, deed, kind)]


def build_options(table: Table, player: Player) -> set[str]:
    """What a player may build."""
    return {f"build:{d.name}" for d in table.deeds_of(player) if may_build(table, player, d)}


def put_up(table: Table, player: Player, deed: Deed) -> None:
    """A building goes from the Bank onto a lot; for a hotel the houses go back."""
    rules = table.rules
    if deed.level == rules.hotel_houses:
        deed.level = HOTEL
        table.hotels -= 1
        table.houses += rules.hotel_houses
    else:
        deed.level += 1
        table.houses -= 1
    table.note(Event.BUILD, player, square=deed.square, amount=deed.level)


def build(table: Table, player: Player, deed: Deed) -> Flow[None]:
    """A player asks for a building; if there are too few of the kind, others may want it too."""
    kind = next_kind(table, deed)
    if table.rules.limited_buildings:
        claimants = yield from claimants_for(table, player, kind)
        if len(claimants) > stock(table, kind):
            yield from auction_building(table, player, deed, kind, claimants)
            return
    table.pay(player, None, price(table, deed, kind), Reason.BUILDING)
    put_up(table, player, deed)


def claimants_for(table: Table, player: Player, kind: str) -> Flow[list[Player]]:
    """Who wants such a building, the player who asked for it first."""
    rivals = [
        rival
        for rival in table.others(player)
        if any(rival.cash >= price(table, d, kind) for d in places(table, rival, kind))
    ]
    claimants = [player]
    if stock(table, kind) < 1 + len(rivals):
        for rival in rivals:
            if (yield from ask(rival, Phase.CLAIM, {"claim", "pass"})) == "claim":
                table.note(Event.CLAIM, rival)
                claimants.append(rival)
    return claimants


def auction_building(
    table: Table, asker: Player, deed: Deed, kind: str, claimants: list[Player]
) -> Flow[None]:
    """One scarce building goes to the highest bidder, who places it."""
    opening = 1
    if table.rules.scarce_opens_at_price:
        opening = min(price(table, d, kind) for c in claimants for d in places(table, c, kind))
    auction = Auction(kind, deed.square, opening, list(claimants))
    winner = yield from auctions.hold(table, auction)
    if winner is None:
        asker.denied.add(kind)
        return
    lots = {f"build:{d.name}": d for d in places(table, winner, kind)}
    answer = yield from ask(winner, Phase.PLACE, set(lots))
    put_up(table, winner, lots[answer])


# --- selling ---


def can_break(table: Table) -> bool:
    """Whether the Bank has the houses that stand for a hotel."""
    if not table.rules.limited_buildings:
        return True
    return bool(table.houses >= table.rules.hotel_houses)


def may_sell(table: Table, player: Player, deed: Deed) -> bool:
    """Whether a player may sell a building of a lot now."""
    if deed.owner is not player or deed.level == 0:
        return False
    if table.rules.even_building:
        if height(table, deed) < max(height(table, other) for other in table.group_of(deed)):
            return False
    return deed.level != HOTEL or can_break(table)


def sell(table: Table, player: Player, deed: Deed) -> None:
    """A building goes back for half its price; a hotel leaves its houses."""
    rules = table.rules
    if deed.level == HOTEL:
        price_paid = rules.hotel_price[deed.square]
        deed.level = rules.hotel_houses
        table.hotels += 1
        table.houses -= rules.hotel_houses
    else:
        price_paid = rules.house_price[deed.square]
        deed.level -= 1
        table.houses += 1
    table.note(Event.SELL, player, square=deed.square, amount=deed.level)
    table.pay(None, player, price_paid // 2, Reason.BUILDING)


def may_sell_group(table: Table, player: Player, group: int) -> bool:
    """Whether a player may sell all buildings of a group at once."""
    deeds = table.groups[group]
    if not any(deed.owner is player and deed.level == HOTEL for deed in deeds):
        return False
    return bool(table.rules.sell_group_always) or not can_break(table)


def clear_lot(table: Table, player: Player, deed: Deed, reason: Reason = Reason.BUILDING) -> None:
    """All buildings of a lot go back for half their price."""
    if deed.level == 0:
        return
    amount = half_back(table, deed)
    if deed.level == HOTEL:
        table.hotels += 1
    else:
        table.houses += deed.level
    deed.level = 0
    table.note(Event.SELL, player, square=deed.square, amount=0)
    table.pay(None, player, amount, reason)


def sell_group(table: Table, player: Player, group: int) -> None:
    """All buildings of a group go back at once."""
    for deed in table.groups[group]:
        clear_lot(table, player, deed)


def sell_options(table: Table, player: Player) -> set[str]:
    """What a player may sell to the Bank."""
    single = {f"sell:{d.name}" for d in table.deeds_of(player) if may_sell(table, player, d)}
    whole = {
        f"sell_group:{GROUP_IDS[group]}"
        for group in range(COLORS)
        if may_sell_group(table, player, group)
    }
    return single | whole
