"""The content of a picture: the public facts of a position, with the edition's names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from monopoly_env.editions import STANDARD, Edition, Names
from monopoly_env.engine.board import (
    DEEDS,
    GROUP,
    GROUP_IDS,
    HOTEL,
    JAIL,
    NOBODY,
    SPACE_IDS,
    SPACES,
    TAX_SQUARES,
)
from monopoly_env.hands import Hand, read_hand
from monopoly_env.notation import LETTERS
from monopoly_env.render.decision import Decision, decision_of


@dataclass(frozen=True, slots=True)
class SquareScene:
    """One square. ``group`` is the id of its group, or None if it cannot be bought."""

    id: str
    name: str
    group: str | None
    note: str  # the price or the tax
    owner: int  # a seat, or -1
    mortgaged: bool
    houses: int
    hotel: bool
    tokens: tuple[int, ...]  # seats, except those in Jail
    on_board: bool = True  # a smaller board leaves the others blank


@dataclass(frozen=True, slots=True)
class PlayerScene:
    """One player."""

    seat: int
    letter: str
    name: str
    cash: str
    worth: str
    place: str
    cards: int  # number of Jail cards
    in_jail: bool
    out: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """One position."""

    title: str
    clock: str
    squares: tuple[SquareScene, ...]
    jailed: tuple[int, ...]
    players: tuple[PlayerScene, ...]
    dice: tuple[int, int]  # zeros before the first throw
    turn: int  # a seat; -1 when the game is over
    actor: int
    decks: tuple[tuple[str, int], ...]  # names and cards left
    houses: int
    hotels: int
    pot: str  # money under Free Parking; may be empty
    decision: Decision
    events: tuple[str, ...] = field(default=())


def scene_of(games: Any, edition: Edition, events: tuple[str, ...] = ()) -> Scene:
    """Return the content of a picture; ``events`` are sentences of the game's journal."""
    state, names = games[0], edition.names
    hands = [read_hand(games, edition.rules, seat) for seat in range(int(state["players"]))]
    mode = "" if edition.mode == STANDARD else f" ({edition.mode.replace('_', ' ')})"
    decision = decision_of(games, edition)
    over = decision.actor < 0
    route = frozenset(edition.route)
    return Scene(
        title=f"{edition.title}{mode}",
        clock=f"turn {state['turns']}, round {state['rounds'] + 1}",
        squares=tuple(
            _square(state, edition, square, hands, square in route) for square in range(SPACES)
        ),
        jailed=tuple(seat for seat, hand in enumerate(hands) if hand.in_jail and not hand.out),
        players=tuple(_player(state, names, seat, hand) for seat, hand in enumerate(hands)),
        dice=(int(state["dice"][0]), int(state["dice"][1])),
        turn=-1 if over else int(state["turn"]),
        actor=decision.actor,
        decks=tuple((names.deck(pile), int(state["deck_size"][pile])) for pile in range(2)),
        houses=int(state["houses"]),
        hotels=int(state["hotels"]),
        pot=names.money(int(state["pot"])) if state["pot"] else "",
        decision=decision,
        events=events,
    )


def _square(
    state: Any, edition: Edition, square: int, hands: list[Hand], on_board: bool
) -> SquareScene:
    level = int(state["level"][square])
    here = SPACE_IDS[square]
    return SquareScene(
        id=here,
        name=edition.names.space(square),
        group=GROUP_IDS[GROUP[square]] if square in DEEDS else None,
        note=_note(edition, square),
        owner=int(state["owner"][square]) if square in DEEDS else NOBODY,
        mortgaged=bool(int(state["mortgaged"]) >> square & 1),
        houses=level if level < HOTEL else 0,
        hotel=level == HOTEL,
        tokens=tuple(
            seat
            for seat, hand in enumerate(hands)
            if hand.at == here and not hand.out and not hand.in_jail
        ),
        on_board=on_board,
    )


def _note(edition: Edition, square: int) -> str:
    """Return the price of a deed, or the amount of a tax."""
    rules, money = edition.rules[0], edition.names.money
    if square in DEEDS:
        return money(int(rules["price"][square]))
    if square in TAX_SQUARES:
        tax, percent = int(rules["tax"][square]), int(rules["tax_percent"][square])
        return " or ".join([*([f"{percent}%"] if percent else []), money(tax)])
    return ""


def _player(state: Any, names: Names, seat: int, hand: Hand) -> PlayerScene:
    place = names.space(int(state["position"][seat]))
    if hand.in_jail:
        place = f"in {names.space(JAIL)}" if not hand.jail_tries else _tries(hand.jail_tries)
    return PlayerScene(
        seat=seat,
        letter=LETTERS[seat],
        name=names.token(seat),
        cash=names.money(hand.cash),
        worth=names.money(hand.worth),
        place="bankrupt" if hand.out else place,
        cards=len(hand.cards),
        in_jail=hand.in_jail,
        out=hand.out,
    )


def _tries(count: int) -> str:
    return f"in Jail, {count} failed throw{'s' if count > 1 else ''}"
