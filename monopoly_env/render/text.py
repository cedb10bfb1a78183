"""A position as compact text, with the edition's names: who has what, and what is decided."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Any

from monopoly_env.editions import Names
from monopoly_env.engine.board import DEEDS, GROUP_SQUARES, NOBODY
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.events import buildings_text
from monopoly_env.notation import LETTERS

if TYPE_CHECKING:
    from monopoly_env.game import Game

WIDTH = 100
INDENT = " " * 6


def game_text(game: Game) -> str:
    """The whole position: a head line, the players, the Bank, the decision at hand."""
    lines = [head_text(game)]
    for seat in range(game.players):
        lines += player_lines(game, seat)
    lines += bank_lines(game)
    lines += decision_lines(game)
    return "\n".join(lines)


def head_text(game: Game) -> str:
    """Which game, and how far it is."""
    state = game.state
    mode = "" if game.edition.mode == "standard" else f" ({game.edition.mode})"
    return f"{game.edition.title}{mode}: turn {state['turns']}, round {state['rounds'] + 1}"


def player_lines(game: Game, seat: int) -> list[str]:
    """One player: cash, place, worth, and the deeds by group."""
    hand, names, state = game.hand(seat), game.edition.names, game.state
    who = f"{hand.player} {names.token(seat)}"
    if hand.out:
        return [f"{who}: out of the game"]
    where = names.space(int(state["position"][seat]))
    if hand.in_jail:
        where += f" (in Jail, {hand.jail_tries} throws failed)"
    marker = "* " if hand.player == game.turn and not game.over else "  "
    line = f"{marker}{who}: {names.money(hand.cash)}, worth {names.money(hand.worth)}, at {where}"
    return [line, *_wrapped(_holdings(state, names, seat))]


def bank_lines(game: Game) -> list[str]:
    """What the Bank has left."""
    state, names = game.state, game.edition.names
    unowned = [square for square in DEEDS if state["owner"][square] == NOBODY]
    parts = [
        f"{state['houses']} {names.houses}",
        f"{state['hotels']} {names.hotels}",
        f"{len(unowned)} of {len(DEEDS)} deeds",
    ]
    if state["pot"]:
        parts.append(f"{names.money(state['pot'])} under {names.space(20)}")
    return ["  the Bank: " + ", ".join(parts)]


def decision_lines(game: Game) -> list[str]:
    """Who decides what, and the legal kinds of action with their number."""
    if game.over:
        won = " and ".join(game.winners)
        return [f"The game is over{' at a limit' if game.truncated else ''}: {won} won."]
    kinds = Counter(text.partition(":")[0] for text in game.legal_actions())
    legal = ", ".join(kind if n == 1 else f"{kind} ({n})" for kind, n in kinds.items())
    about = question(game)
    line = f"{game.actor} decides ({game.phase.name}){': ' + about if about else ''}"
    head = textwrap.wrap(line, WIDTH, subsequent_indent=INDENT)
    return [*head, *_wrapped([f"legal: {legal}"])]


def question(game: Game) -> str:
    """What a decision is about, in a few words; empty for the windows of a turn."""
    state, names, phase = game.state, game.edition.names, game.phase
    item = state["agenda"][state["depth"] - 1]
    if phase is Phase.BUY:
        square = int(item["square"])
        price = names.money(game.edition.rules[0]["price"][square])
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
        return deal_text(state, names)
    if phase in (Phase.CLAIM, Phase.PLACE):
        return f"the last {names.hotel if item['flag'] == AuctionLot.HOTEL else names.houses}"
    if phase is Phase.POWER:
        return f"double {state['again']}"
    return ""


def deal_text(state: Any, names: Names) -> str:
    """Both sides of an offer."""
    sides = []
    for key in ("give", "ask"):
        items = int(state[f"deal_{key}"])
        parts = [names.space(square) for square in range(42) if items >> square & 1]
        cash = int(state[f"deal_{key}_cash"])
        sides.append(", ".join([*parts, *([names.money(cash)] if cash else [])]) or "nothing")
    proposer, partner = LETTERS[state["proposer"]], LETTERS[state["partner"]]
    return f"{proposer} gives {partner} {sides[0]} for {sides[1]}"


def _auction(state: Any, names: Names) -> str:
    lots = {AuctionLot.HOUSE: f"one {names.house}", AuctionLot.HOTEL: f"one {names.hotel}"}
    lot = lots.get(AuctionLot(int(state["lot"]))) or names.space(int(state["lot_square"]))
    if state["high_bidder"] == NOBODY:
        return f"{lot}, from {names.money(state['opening'])}"
    return f"{lot}, {names.money(state['bid'])} bid by {LETTERS[state['high_bidder']]}"


def _creditor(seat: int) -> str:
    return "the Bank" if seat == NOBODY else LETTERS[seat] if seat >= 0 else "each other player"


def _holdings(state: Any, names: Names, seat: int) -> list[str]:
    """A player's deeds by group, with what stands on them, and the kept cards."""
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
    """Parts behind one another, indented, in lines that fit a screen."""
    return textwrap.wrap("; ".join(parts), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
