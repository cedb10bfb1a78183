"""A position as compact text, with the edition's names: holdings and the current decision."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable
from typing import Any

from monopoly_env.editions import STANDARD, Edition, Names
from monopoly_env.engine.board import DEEDS, GROUP_SQUARES, NOBODY
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.events import buildings_text, lot_text, offer_text
from monopoly_env.hands import read_hand, winners_in
from monopoly_env.notation import LETTERS, letter_of
from monopoly_env.render.board_text import map_lines

WIDTH = 100
INDENT = " " * 6


def game_text(games: Any, edition: Edition, legal: Iterable[str]) -> str:
    """Return the first of ``games`` as text: map, players, Bank and current decision.

    ``legal`` are the legal actions as text.
    """
    state = games[0]
    board = map_lines(state, edition)
    return "\n".join([head_text(state, edition), *board, *table_lines(games, edition, legal)])


def table_lines(games: Any, edition: Edition, legal: Iterable[str]) -> list[str]:
    """Return the part of :func:`game_text` below the map."""
    state = games[0]
    lines: list[str] = []
    for seat in range(int(state["players"])):
        lines += player_lines(games, edition, seat)
    lines += bank_lines(state, edition)
    return lines + decision_lines(games, edition, legal)


def head_text(state: Any, edition: Edition) -> str:
    """Return the edition and the turn number; ``state`` is a GAME record."""
    mode = "" if edition.mode == STANDARD else f" ({edition.mode.replace('_', ' ')})"
    return f"{edition.title}{mode}: turn {state['turns']}, round {state['rounds'] + 1}"


def player_lines(games: Any, edition: Edition, seat: int) -> list[str]:
    """Return one player's cash, worth, space, and deeds by group."""
    state, names = games[0], edition.names
    hand = read_hand(games, edition.rules, seat)
    who = f"{hand.player} {names.token(seat)}"
    if hand.out:
        return [f"{who}: out of the game"]
    where = names.space(int(state["position"][seat]))
    if hand.in_jail:
        where += f" (in Jail, {hand.jail_tries} throw{'s' * (hand.jail_tries != 1)} failed)"
    marker = "* " if seat == state["turn"] and state["phase"] != Phase.OVER else "  "
    line = f"{marker}{who}: {names.money(hand.cash)}, worth {names.money(hand.worth)}, at {where}"
    return [line, *_wrapped(_holdings(state, names, seat))]


def bank_lines(state: Any, edition: Edition) -> list[str]:
    """Return the Bank's stock."""
    names = edition.names
    deeds = [square for square in edition.route if square in DEEDS]
    unowned = [square for square in deeds if state["owner"][square] == NOBODY]
    parts = [
        f"{state['houses']} {names.houses}",
        f"{state['hotels']} {names.hotels}",
        f"{len(unowned)} of {len(deeds)} deeds",
    ]
    if state["pot"]:
        parts.append(f"{names.money(state['pot'])} under {names.space(20)}")
    return ["  the Bank: " + ", ".join(parts)]


def decision_lines(games: Any, edition: Edition, legal: Iterable[str]) -> list[str]:
    """Return the actor, the decision, and the legal kinds of action with their counts."""
    state = games[0]
    phase = Phase(int(state["phase"]))
    if phase is Phase.OVER:
        won = " and ".join(winners_in(games, edition.rules))
        return [f"The game is over{' at a limit' if state['truncated'] else ''}: {won} won."]
    kinds = Counter(text.partition(":")[0] for text in legal)
    listed = ", ".join(kind if n == 1 else f"{kind} ({n})" for kind, n in kinds.items())
    about = question(state, edition)
    line = f"{letter_of(state['actor'])} decides ({phase.name}){': ' + about if about else ''}"
    head = textwrap.wrap(line, WIDTH, subsequent_indent=INDENT)
    return [*head, *_wrapped([f"legal: {listed}"])]


def question(state: Any, edition: Edition) -> str:
    """Return the subject of a decision in a few words; empty for the windows of a turn."""
    names, phase = edition.names, Phase(int(state["phase"]))
    item = state["agenda"][state["depth"] - 1]
    if phase is Phase.BUY:
        square = int(item["square"])
        price = names.money(edition.rules[0]["price"][square])
        return f"{names.space(square)} for {price}"
    if phase is Phase.AUCTION:
        return _auction(state, names)
    if phase is Phase.DEBT:
        return f"owes {names.money(item['amount'])} to {_creditor(int(item['other']))}"
    if phase is Phase.RENT:
        return f"{LETTERS[item['other']]} is on {names.space(int(item['square']))}"
    if phase is Phase.DEED:
        square = (int(item["squares"]) & -int(item["squares"])).bit_length() - 1
        return f"{names.space(square)} is mortgaged"
    if phase in (Phase.DEAL, Phase.ANSWER):
        return offer_text(state, names)
    if phase in (Phase.CLAIM, Phase.PLACE):
        return f"the last {names.hotel if item['flag'] == AuctionLot.HOTEL else names.houses}"
    if phase is Phase.POWER:
        return f"double {state['again']}"
    return ""


def _auction(state: Any, names: Names) -> str:
    lot = lot_text(state, names)
    if state["high_bidder"] == NOBODY:
        return f"{lot}, from {names.money(state['opening'])}"
    return f"{lot}, {names.money(state['bid'])} bid by {LETTERS[state['high_bidder']]}"


def _creditor(seat: int) -> str:
    return "the Bank" if seat == NOBODY else LETTERS[seat] if seat >= 0 else "each other player"


def _holdings(state: Any, names: Names, seat: int) -> list[str]:
    """Return a player's deeds by group, with buildings, and Jail cards."""
    parts = []
    for group, squares in enumerate(GROUP_SQUARES):
        deeds = [_deed(state, names, s) for s in squares if state["owner"][s] == seat]
        if deeds:
            size = f" {len(deeds)}/{len(squares)}" if len(deeds) < len(squares) else ""
            parts.append(f"{names.group(group)}{size}: {', '.join(deeds)}")
    return parts + [
        names.space(40 + pile) for pile in range(2) if state["card_holder"][pile] == seat
    ]


def _deed(state: Any, names: Names, square: int) -> str:
    name, level = names.space(square), int(state["level"][square])
    if int(state["mortgaged"]) >> square & 1:
        return f"{name} (mortgaged)"
    return f"{name} ({buildings_text(names, level)})" if level else name


def _wrapped(parts: list[str]) -> list[str]:
    """Return the parts joined, indented and wrapped to the width of a screen."""
    return textwrap.wrap("; ".join(parts), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
