"""The legal actions with numbers, and the question about them: in full or in few tokens."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from monopoly_env.bots.explain import Choice, by_kind, choices
from monopoly_env.engine.actions import ARGUMENTS
from monopoly_env.engine.board import COLORS, GROUP
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.render.text import question
from monopoly_env.view import View


class Numbered:
    """The legal actions of a view, numbered from 1 in the order of their ids."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.choices = choices(view)
        self.by_text = {choice.text: choice for choice in self.choices}

    def __len__(self) -> int:
        return len(self.choices)

    def choice(self, number: int) -> Choice | None:
        """Return the action with a number, or None."""
        return self.choices[number - 1] if 0 < number <= len(self.choices) else None

    @cached_property
    def swaps(self) -> frozenset[tuple[int, tuple[int, ...], tuple[int, ...]]]:
        """The exchanges among the possible offers: partner, deeds given and asked, without cash."""
        return frozenset((offer.partner, offer.give, offer.ask) for offer in self.view.menu)

    def question(self) -> str:
        """Return the question, with prices and rents of the deed that it is about."""
        view = self.view
        about = question(view.record, view.edition)
        square = _deed_in_question(view)
        facts = f"; {deed_facts(view, square)}" if square is not None else ""
        return f"You decide ({view.game.phase.name}){': ' if about else ''}{about}{facts}."

    def full_lines(self) -> Iterator[str]:
        """Yield one action per line: ``3. mortgage:reading: mortgage Reading Railroad (…)``."""
        for number, choice in enumerate(self.choices, 1):
            effect = f" ({choice.effect})" if choice.effect else ""
            yield f"{number}. {choice.text}: {choice.meaning}{effect}"

    def compact_lines(self) -> Iterator[str]:
        """Yield one kind per line: ``mortgage: 3 Reading (+$100), 4 Oriental (+$50)``."""
        number = 1
        single: list[str] = []
        listed: list[str] = []
        for kind, rows in by_kind(self.choices):
            numbered = list(enumerate(rows, number))
            number += len(rows)
            if ARGUMENTS[kind].name == "none":
                single += [f"{n} {row.kind}{_effect(row)}" for n, row in numbered]
            elif kind == "propose":
                listed += _offers(numbered)
            else:
                listed += [f"{kind}: {', '.join(_item(n, row) for n, row in numbered)}"]
        yield from ["; ".join(single)] * bool(single)
        yield from listed


def _deed_in_question(view: View) -> int | None:
    """Return the deed that is for sale or being auctioned, or None."""
    phase = Phase(int(view.record["phase"]))
    if phase is Phase.BUY:
        return int(view.record["agenda"][view.record["depth"] - 1]["square"])
    if phase is Phase.AUCTION and view.record["lot"] == AuctionLot.DEED:
        return int(view.record["lot_square"])
    return None


def deed_facts(view: View, square: int) -> str:
    """Return a deed's rents and costs: ``light blue, rent $6, with 1 to 4 houses 30/90/…``."""
    rules, names = view.rules, view.edition.names
    group = int(GROUP[square])
    bought = Phase(int(view.record["phase"])) is Phase.BUY  # then the question includes the price
    price = "" if bought else f", price {names.money(int(rules['price'][square]))}"
    if group >= COLORS:
        return f"{names.group(group)}{price}"
    bare, *houses, hotel = (int(rent) for rent in rules["rent"][square])
    return (
        f"{names.group(group)}{price}, rent {names.money(bare)}, with 1 to {len(houses)} {names.houses} "
        f"{'/'.join(map(str, houses))}, with a {names.hotel} {hotel}, "
        f"a {names.house} costs {names.money(int(rules['house_price'][square]))}"
    )


def _offers(numbered: list[tuple[int, Choice]]) -> Iterator[str]:
    """Yield the whole offers, one line per partner: what the seat gives for what it gets."""
    partners: dict[str, list[str]] = {}
    for number, row in numbered:
        partner, _, terms = row.shown.partition(" ")
        partners.setdefault(partner, []).append(f"{number} {terms}")
    for partner, offers in partners.items():
        yield f"offer to {partner}, give for get: {'; '.join(offers)}"


def _item(number: int, row: Choice) -> str:
    if row.kind == "raise":
        return f"{number} {row.effect.removeprefix('a bid of ')}"
    return f"{number} {row.shown}{_effect(row)}"


def _effect(row: Choice) -> str:
    """Return a short cost or gain: ``(-$100)``."""
    if not row.effect:
        return ""
    return f" ({row.effect.replace('pay ', '-').replace('receive ', '+').replace('a bid of ', 'bid ')})"
