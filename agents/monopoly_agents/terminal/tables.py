"""Terminal output for human players, at least eighty columns wide."""

from __future__ import annotations

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from monopoly_env import Game
from monopoly_env.bots.explain import Choice, by_kind
from monopoly_env.engine.actions import ARGUMENTS
from monopoly_env.engine.board import DEEDS, GROUP, GROUP_SQUARES, NOBODY, SPACES
from monopoly_env.engine.journal import Event
from monopoly_env.events import Happening, buildings_text
from monopoly_env.notation import LETTERS
from monopoly_env.render.text import bank_lines, head_text, question
from monopoly_env.view import View

INDENT = 3


def new_console() -> Console:
    """Create a console that prints text literally, since names may look like markup."""
    return Console(markup=False, emoji=False, highlight=False)


# --- events ---


def show_events(console: Console, events: Iterable[Happening]) -> None:
    """Print events, one paragraph per turn."""
    paragraph: list[str] = []
    for event in events:
        if event.kind == Event.TURN:
            _show_paragraph(console, paragraph)
            paragraph = []
            console.print(Text(event.text, style="bold"))
        else:
            paragraph.append(event.text)
    _show_paragraph(console, paragraph)


def _show_paragraph(console: Console, sentences: list[str]) -> None:
    if sentences:
        console.print(Padding(Text("; ".join(sentences) + "."), (0, 0, 0, INDENT), expand=False))


# --- holdings ---


def players_table(game: Game, me: int | None = None) -> Table:
    """Return a table with one line per player; ``*`` marks whose turn it is."""
    names = game.edition.names
    table = Table(
        box=SIMPLE_HEAD,
        pad_edge=False,
        title=head_text(game.state, game.edition),
        title_justify="left",
    )
    for head in ("", "player", "cash", "worth", "at", "deeds"):
        right = head in ("cash", "worth")
        table.add_column(head, justify="right" if right else "left", no_wrap=right)
    for seat, hand in enumerate(game.hands()):
        you = ", you" if seat == me else ""
        who = Text(f"{hand.player} {names.token(seat)}{you}", style="bold" if you else "")
        marker = "*" if hand.player == game.turn and not game.over else ""
        if hand.out:
            table.add_row(marker, who, "", "", "bankrupt", "")
            continue
        where = names.space(int(game.state["position"][seat])) + (", in Jail" * hand.in_jail)
        cash, worth = names.money(hand.cash), names.money(hand.worth)
        table.add_row(marker, who, cash, worth, where, _deeds(game, seat))
    return table


def _deeds(game: Game, seat: int) -> str:
    """Return a player's deeds by group, with the buildings on complete groups."""
    state, names = game.state, game.edition.names
    parts = []
    for group, squares in enumerate(GROUP_SQUARES):
        owned = [square for square in squares if state["owner"][square] == seat]
        levels = [int(state["level"][square]) for square in owned]
        if owned:
            built = f" ({'-'.join(map(str, levels))})" if any(levels) else ""
            parts.append(f"{names.group(group)} {len(owned)}/{len(squares)}{built}")
    jail_cards = int((state["card_holder"] == seat).sum())
    if jail_cards:
        parts.append(f"{jail_cards} × {names.jail_card}")
    return ", ".join(parts)


def board_table(game: Game) -> Table:
    """Return a table of the forty spaces: owners, buildings and tokens."""
    names, state = game.edition.names, game.state
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in ("space", "group", "price", "owner", "", "here"):
        table.add_column(head, justify="right" if head == "price" else "left")
    for square in range(SPACES):
        here = [
            LETTERS[seat]
            for seat in range(game.players)
            if state["position"][seat] == square and not state["out"][seat]
        ]
        group, price = "", ""
        if square in DEEDS:
            group = names.group(int(GROUP[square]))
            price = names.money(game.edition.rules[0]["price"][square])
        owner = int(state["owner"][square])
        letter = "" if owner == NOBODY else LETTERS[owner]
        table.add_row(
            names.space(square), group, price, letter, _improvements(game, square), " ".join(here)
        )
    return table


def _improvements(game: Game, square: int) -> str:
    """Return the buildings of a space, or "mortgaged"."""
    level = int(game.state["level"][square])
    if level:
        return buildings_text(game.edition.names, level)
    return "mortgaged" if int(game.state["mortgaged"]) >> square & 1 else ""


def show_board(console: Console, game: Game) -> None:
    """Print the board, the players and the Bank."""
    console.print(board_table(game))
    console.print(players_table(game))
    for line in bank_lines(game.state, game.edition):
        console.print(line.strip())


# --- decisions ---


def show_decision(console: Console, view: View, explained: list[Choice]) -> None:
    """Print the question and the numbered legal actions, grouped by kind."""
    about = question(view.record, view.edition)
    head = f"{LETTERS[view.seat]} decides ({view.game.phase.name})"
    console.print(Text(f"{head}: {about}" if about else head, style="bold"))
    number = 1
    for kind, rows in by_kind(explained):
        console.print(Padding(_kind_line(kind, rows, number), (0, 0, 0, INDENT), expand=False))
        number += len(rows)


def _kind_line(kind: str, rows: list[Choice], first: int) -> Text:
    """Format the actions of one kind with their numbers."""
    if ARGUMENTS[kind].name == "none":
        row = rows[0]
        return Text(f"{first} {row.text}: {row.meaning}{_bracketed(row.effect)}")
    items = (
        f"{number} {row.shown}{_bracketed(row.effect)}" for number, row in enumerate(rows, first)
    )
    return Text(f"{kind}: " + " · ".join(items))


def _bracketed(text: str) -> str:
    return f" ({text})" if text else ""
