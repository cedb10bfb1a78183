"""The section ``layout`` of an edition file, which makes a smaller board of the forty spaces.

    layout:
      route: [go, mediterranean, baltic, ...]   # the spaces that tokens visit, in order
      mortgages: false                          # the Bank lends nothing on deeds
      menu_unit: 50                             # the deal menu rounds up to multiples of $50

Ids, actions and observations are those of the whole board; nobody comes to a space off the route.
"""

from __future__ import annotations

from typing import Any

from monopoly_env.engine.board import (
    GO_TO_JAIL,
    JAIL,
    NOBODY,
    SPACE,
    SPACE_IDS,
    SPACES,
    Space,
)
from monopoly_env.engine.cards import CARD_IDS, CardKind
from monopoly_env.errors import Location, show

SHORTEST = 12  # spaces: no throw goes further than once round
MOST_UNIT = 100  # $


def read_layout(raw: object, location: Location) -> dict[str, Any]:
    """Convert the section to the layout fields of a RULES record."""
    given = location.mapping(raw, "key", ("route", "mortgages", "menu_unit"))
    layout: dict[str, Any] = {}
    if "route" in given:
        layout["route"] = _route(given["route"], location / "route")
    if "mortgages" in given:
        if not isinstance(given["mortgages"], bool):
            here = location / "mortgages"
            here.fail(f"must be true or false, not {show(given['mortgages'])}")
        layout["no_mortgages"] = int(not given["mortgages"])
    if "menu_unit" in given:
        layout["menu_unit"] = (location / "menu_unit").whole(given["menu_unit"], 0, MOST_UNIT)
    return layout


def _route(raw: object, location: Location) -> list[int]:
    """Return the space after each space; NOBODY off the route."""
    ids = location.texts(raw)
    for id_ in ids:
        if id_ not in SPACE_IDS:
            location.fail_unknown(id_, "space", SPACE_IDS)
    squares = [SPACE_IDS.index(id_) for id_ in ids]
    if squares != sorted(set(squares)) or squares[:1] != [0]:
        location.fail("must begin with go and go on in board order, each space once")
    if len(squares) < SHORTEST:
        location.fail(f"must have {SHORTEST} spaces or more, not {len(squares)}")
    if JAIL not in squares:
        location.fail("must pass jail, as three doubles lead there")
    if len(squares) == SPACES:
        return [0] * SPACES
    route = [NOBODY] * SPACES
    for here, following in zip(squares, [*squares[1:], squares[0]], strict=True):
        route[here] = following
    return route


def route_of(rules: Any) -> tuple[int, ...]:
    """Return the spaces that tokens visit, in order, from a RULES array of length 1."""
    following = rules["route"][0].tolist()
    if not following[0]:
        return tuple(range(SPACES))
    return tuple(square for square in range(SPACES) if following[square] != NOBODY)


def write_layout(rules: Any, layout: dict[str, Any]) -> None:
    """Write a layout into a RULES array of length 1."""
    for name, value in layout.items():
        rules[name][0] = value


def settle_layout(rules: Any, location: Location) -> None:
    """Clear mortgage values if there are no mortgages, and check where cards lead.

    Raises: the error of ``location``, for a card that leads off the route.
    """
    if rules["no_mortgages"][0]:
        rules["mortgage"][0] = 0  # so that bots and standings do not count on them
    route = route_of(rules)
    if len(route) == SPACES:
        return
    for pile in range(2):
        for card in rules["deck"][0, pile, : rules["deck_size"][0, pile]].tolist():
            if not _stays_on(route, rules, card):
                location.fail(f"the card {CARD_IDS[card]} leads to a space off the route")


def _stays_on(route: tuple[int, ...], rules: Any, card: int) -> bool:
    """Return whether a card's destination, if it has one, is on the route."""
    kind = int(rules["card_kind"][0, card])
    if kind == CardKind.MOVE_TO:
        return int(rules["card_square"][0, card]) in route
    kinds = {int(SPACE[square]) for square in route if square != GO_TO_JAIL}
    needed = {
        CardKind.NEAREST_RAILROAD: Space.RAILROAD,
        CardKind.NEAREST_UTILITY: Space.UTILITY,
    }
    return kind not in needed or needed[CardKind(kind)] in kinds
