"""The texts that a model reads once: its task, the answer format, the main rules, the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from monopoly_env.editions import Edition, Names
from monopoly_env.engine.board import COLORS, GROUP_SQUARES, RAILROAD, UTILITY
from monopoly_env.engine.movement import on_route
from monopoly_env.engine.rules import Deals
from monopoly_env.notation import LETTERS


def instructions(seat: int, questions: int, street: str) -> str:
    """Return the task and the answer format: a system prompt of about 70 tokens.

    ``street`` is a street name for the example.
    """
    asking = (
        f' To ask about an action first, legal or not: {{"why": "build {street}"}} or {{"why": 2}}, '
        f"at most {questions} time{'s' * (questions != 1)} a decision."
        if questions
        else ""
    )
    return (
        f"You play Monopoly as {LETTERS[seat]}. The last player who is not bankrupt wins. Choose one "
        "of your numbered actions. Think briefly, then end with one line of JSON that has its "
        f'number: {{"action": 2}}, or of several in order: {{"actions": [4, 5, 1]}}.{asking}\n'
    )


def guide(edition: Edition, players: int) -> str:
    """Return the main rules, and the board with prices and rents: about 700 tokens."""
    rules, names = edition.rules[0], edition.names
    return "\n".join([*_rules(rules, names, players), "", *_board(rules, names), ""])


def _rules(rules: Any, names: Names, players: int) -> Iterator[str]:
    """Yield sentences with the numbers in which editions differ."""
    money = names.money
    yield (
        f"{players} players begin with {money(int(rules['start_cash']))} each, and get "
        f"{money(int(rules['salary']))} for passing {names.space(0)}."
    )
    auctions = "is auctioned to all" if rules["auctions"] else "stays with the Bank"
    yield f"A player who lands on an unowned deed may buy it; a deed that is not bought {auctions}."
    even = ", evenly over the group" if rules["even_building"] else ""
    yield (
        f"A player with a complete color group, without mortgages, may build on it{even}: "
        f"{int(rules['hotel_houses'])} {names.houses}, then a {names.hotel}. Its bare lots earn double "
        f"rent. Buildings sell for half. The Bank has {int(rules['houses'])} {names.houses} and "
        f"{int(rules['hotels'])} {names.hotels}."
    )
    if not rules["no_mortgages"]:
        yield (
            "A mortgaged deed earns nothing; to lift a mortgage costs "
            f"{int(rules['lift_percent'])}% more than it brought."
        )
    yield (
        f"Out of Jail: a double within {int(rules['jail_tries'])} throws, "
        f"{money(int(rules['jail_fine']))}, or a {names.jail_card} card. Owners in Jail collect rent."
    )
    yield _deals(rules)
    raising = "selling" if rules["no_mortgages"] else "selling and mortgaging"
    yield f"A player who cannot pay a debt after {raising} is bankrupt and loses everything."
    if rules["time_limit_rounds"]:
        yield (
            f"After {int(rules['time_limit_rounds'])} rounds the richest wins: cash, deeds at their "
            f"price, {names.houses} at cost."
        )


def _deals(rules: Any) -> str:
    """Return a sentence about the form of deals."""
    deals = Deals(int(rules["deals"]))
    if deals is Deals.OFF:
        return "There are no deals between players."
    how = (
        "whole offers from a list"
        if deals is Deals.MENU
        else "offers that are composed step by step"
    )
    return f"Players deal in deeds and cash by {how}, up to {int(rules['trade_limit'])} a turn."


def _board(rules: Any, names: Names) -> Iterator[str]:
    """Yield each group with its deeds: price, then rents."""
    yield (
        f"Deeds, as price: rent bare/with 1 to {int(rules['hotel_houses'])} {names.houses}/with a "
        f"{names.hotel}:"
    )
    hotel = int(rules["hotel_houses"])
    for group in range(COLORS):
        squares = [square for square in GROUP_SQUARES[group] if on_route(rules, square)]
        if not squares:
            continue
        cost = names.money(int(rules["house_price"][squares[0]]))
        deeds = "; ".join(_street(rules, names, square, hotel) for square in squares)
        yield f"{names.group(group)} ({names.house} {cost}): {deeds}"
    rents = "/".join(str(rent) for rent in rules["railroad_rent"].tolist())
    if railroads := _priced(rules, names, RAILROAD):
        yield f"{names.group(RAILROAD)}: {railroads}; rent by how many one has: {rents}"
    times = " or ".join(str(times) for times in rules["utility_multiplier"].tolist())
    if utilities := _priced(rules, names, UTILITY):
        yield f"{names.group(UTILITY)}: {utilities}; rent: {times} times a throw"


def _street(rules: Any, names: Names, square: int, hotel: int) -> str:
    rents = [int(rent) for rent in rules["rent"][square]]
    shown = "/".join(str(rent) for rent in [*rents[: hotel + 1], rents[-1]])
    return f"{names.space(square)} {int(rules['price'][square])}: {shown}"


def _priced(rules: Any, names: Names, group: int) -> str:
    """Return the deeds of a group with their prices."""
    return ", ".join(
        f"{names.space(square)} {int(rules['price'][square])}"
        for square in GROUP_SQUARES[group]
        if on_route(rules, square)
    )
