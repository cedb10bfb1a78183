"""A position in few tokens: short names, one line per player, complete groups as one word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from monopoly_env.editions import Edition, Names
from monopoly_env.engine.board import GROUP_SQUARES, JAIL, NOBODY
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.events import Happening, buildings_text
from monopoly_env.notation import LETTERS
from monopoly_env.view import View

RECENT = 16  # number of events shown
COMMON = 3  # a last word shared by this many spaces is dropped

# Events that are left out: those that the position shows anyway, and offers between others.
UNTOLD = (Event.TURN, Event.THROW, Event.MOVE)
PLAIN_PAYMENTS = (Reason.PRICE, Reason.MORTGAGE, Reason.LIFT, Reason.BUILDING)
OF_OTHERS = (Event.BID, Event.PASS, Event.CARD, Event.LIFT, Event.MORTGAGE)
BETWEEN_OTHERS = (Event.OFFER, Event.REJECT)


def short_edition(edition: Edition) -> Edition:
    """Return the edition with short names and plain numbers: ``Vermont``, ``$1500``."""
    names = replace(edition.names, spaces=short_spaces(edition.names), thousands="")
    return replace(edition, names=names)


def short_spaces(names: Names) -> tuple[str, ...]:
    """Return the names of the spaces without common last words, if still unambiguous."""
    last = Counter(name.rpartition(" ")[2] for name in dict.fromkeys(names.spaces))
    heads = [
        name.rpartition(" ")[0] if last[name.rpartition(" ")[2]] >= COMMON else ""
        for name in names.spaces
    ]
    known = Counter([*heads, *names.spaces])
    return tuple(
        head if head and known[head] == 1 else name
        for head, name in zip(heads, names.spaces, strict=True)
    )


def position_lines(view: View) -> Iterator[str]:
    """Yield the turn, the players and the Bank."""
    names, state = view.edition.names, view.record
    yield f"Turn {state['turns']}, round {state['rounds'] + 1}. You are {LETTERS[view.seat]}."
    for seat in range(int(state["players"])):
        yield _player(view, seat)
    pot = f"; {names.money(state['pot'])} under {names.space(20)}" if state["pot"] else ""
    yield (
        f"Bank: {state['houses']} {names.houses}, {state['hotels']} {names.hotels}{pot}; "
        f"unowned: {', '.join(_unowned(view)) or 'nothing'}"
    )


def _unowned(view: View) -> Iterator[str]:
    """Yield the unowned deeds; complete groups by name."""
    names, owner = view.edition.names, view.record["owner"]
    for group, squares in enumerate(GROUP_SQUARES):
        left = [square for square in squares if owner[square] == NOBODY]
        if len(left) == len(squares):
            yield f"all {names.group(group)}"
        else:
            yield from map(names.space, left)


def _player(view: View, seat: int) -> str:
    hand, names = view.game.hand(seat), view.edition.names
    who = f"{hand.player} (you)" if seat == view.seat else hand.player
    if hand.out:
        return f"{who} bankrupt"
    at = int(view.record["position"][seat])
    where = (
        "in Jail"
        if hand.in_jail
        else "at Jail, visiting"
        if at == JAIL
        else f"at {names.space(at)}"
    )
    held = [*_groups(view, seat), *(names.jail_card for _ in hand.cards)]
    deeds = f": {'; '.join(held)}" if held else ""
    return f"{who} {names.money(hand.cash)}, worth {names.money(hand.worth)}, {where}{deeds}"


def _groups(view: View, seat: int) -> Iterator[str]:
    """Yield a player's deeds by group: ``orange 2/3 St. James, Tennessee``."""
    state, names = view.record, view.edition.names
    for group, squares in enumerate(GROUP_SQUARES):
        own = [square for square in squares if state["owner"][square] == seat]
        states = {_state(view, square) for square in own}
        if len(own) == len(squares) and len(states) == 1:
            (same,) = states
            yield f"all {names.group(group)}" + (f" ({same} each)" if same else "")
        elif own:
            deeds = ", ".join(f"{names.space(s)} {_state(view, s)}".rstrip() for s in own)
            yield f"{names.group(group)} {len(own)}/{len(squares)} {deeds}"


def _state(view: View, square: int) -> str:
    """Return a deed's buildings, or ``mortgaged``."""
    if int(view.record["mortgaged"]) >> square & 1:
        return "mortgaged"
    level = int(view.record["level"][square])
    return buildings_text(view.edition.names, level) if level else ""


def event_lines(events: Iterable[Happening], seat: int) -> Iterator[str]:
    """Yield the notable events as one line; consecutive events of a player are joined."""
    shown = [event for event in events if _is_shown(event, seat)]
    more = f"({len(shown) - RECENT} earlier events) " if len(shown) > RECENT else ""
    text, last = "", ""
    for event in shown[-RECENT:]:
        who, _, rest = event.text.partition(" ")
        if who == last and len(who) == 1:
            text += f", {rest}"
        else:
            text += f"{'; ' if text else ''}{event.text}"
        last = who
    yield f"Since then: {more}{text}." if text else "Since then: nothing of note."


def _is_shown(event: Happening, seat: int) -> bool:
    if event.kind in UNTOLD:
        return False
    if event.kind is Event.PAY and event.square in PLAIN_PAYMENTS:
        return False
    if event.kind in BETWEEN_OTHERS:
        return seat in (event.player, event.other)
    return event.kind not in OF_OTHERS or event.player == seat
