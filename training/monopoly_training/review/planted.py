"""Measures what a review finds: blunders that are planted into games, and moves that are sensible.

``python -m monopoly_training.review.planted --blunders 100`` plays games of four by the bot
veteran. In some positions a copy goes on with a blunder instead:

- sell: sells all houses of a group, one after another, with nobody to pay;
- decline: has the cash for the lot that completes a group, declines it, and bids nothing for it;
- give: hands another player the deed that completes that player's group, for $10;
- bid: bids at least four times the price, and half of the cash, for a lot that completes no group.

It counts as found if one of its actions is marked as a blunder. Of the sensible moves, those that
veteran makes in the first of these games, none should be.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import typer

from monopoly_env.agent import Agent, make_agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.engine.actions import IDS, KIND_OF, KINDS, VALUE_OF
from monopoly_env.engine.board import COLORS, GROUP, GROUP_SQUARES
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import members
from monopoly_env.value.weights import shipped_value
from monopoly_env.view import View
from monopoly_training.review.judge import Judged, judge_game
from monopoly_training.review.review import mark_of

PLAYERS = 4
SCRAPS = 10  # $ for a deed that completes a group
TOO_MUCH = 4  # times the price, and at least
HALF = 0.5  # of the cash in hand
MOST_ACTIONS = 3000  # of a game that is gone through
EACH = 2  # blunders of a kind that are planted into one game
CHANCE = 0.5  # that a position that fits is used
LEAST_HOUSES = 3
HOTEL = 5
SELL = KINDS.index("sell")
FIRST_SEED = 70_000_000
SENSIBLE = 5000  # decisions of veteran's after which no more games are judged for them


@dataclass
class Found:
    """What was planted, and what a review made of it."""

    planted: Counter[str] = field(default_factory=Counter)
    marked: Counter[str] = field(default_factory=Counter)
    sensible: int = 0  # decisions of veteran's that were judged
    false: int = 0  # of them: marked

    @property
    def as_json(self) -> dict[str, Any]:
        """The figures by name."""
        return {
            "planted": dict(self.planted),
            "marked": dict(self.marked),
            "sensible": self.sensible,
            "false": self.false,
            "false_part": self.false / max(self.sensible, 1),
        }


@dataclass
class Course:
    """A game with all its positions, as a review reads it."""

    game: Game
    states: list[Any] = field(default_factory=list)
    legal: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.states:
            self._note()

    def _note(self) -> None:
        self.states.append(self.game.state.copy())
        self.legal.append([] if self.game.over else self.game.legal_ids())

    def play(self, action: int | str) -> None:
        """One action."""
        self.game.play(action)
        self._note()

    def copy(self) -> Course:
        """A course that goes on by itself."""
        return Course(self.game.copy(), list(self.states), list(self.legal))

    def judged(self, first: int) -> list[Judged]:
        """What a review says from a moment on."""
        rows = judge_game(
            self.game.edition, shipped_value(), self.states, self.game.history, self.legal, first
        )
        return [one for one in rows if one is not None]


def plant_sell(course: Course) -> bool:
    """Sell all houses of the best-built group, in the window after a move."""
    game = course.game
    if game.phase is not Phase.END:
        return False
    group, count = best_built(game)
    if count < LEAST_HOUSES:
        return False
    for _ in range(count):
        sales = [a for a in game.legal_ids() if KIND_OF[a] == SELL and VALUE_OF[a] in group]
        if not sales:
            return False
        course.play(sales[0])
    course.play("end_turn")
    return True


def best_built(game: Game) -> tuple[Sequence[int], int]:
    """The actor's group with most houses, and how many they are; none with a hotel."""
    levels, owner = game.state["level"], game.state["owner"]
    best: tuple[int, ...] = ()
    most = 0
    for squares in GROUP_SQUARES[:COLORS]:
        whole = all(owner[square] == game.actor_seat for square in squares)
        houses = sum(int(levels[square]) for square in squares)
        if whole and houses > most and all(levels[square] < HOTEL for square in squares):
            best, most = squares, houses
    return best, most


def plant_decline(course: Course) -> bool:
    """Decline the lot that completes a group, and bid nothing for it."""
    game = course.game
    if game.phase is not Phase.BUY or "auction" not in game.legal_actions():
        return False
    square = int(game.state["agenda"][game.state["depth"] - 1]["square"])
    me, price = game.actor_seat, int(game.edition.rules[0]["price"][square])
    if GROUP[square] >= COLORS or not lacks_only(game, me, square):
        return False
    if game.cash[me] < price + 100:
        return False
    course.play("auction")
    _auction(course, me)
    return True


def plant_give(course: Course) -> bool:
    """Hand another player the deed that completes its group."""
    game = course.game
    if game.phase is not Phase.END or game.actor_seat != int(game.state["turn"]):
        return False
    me, owner = game.actor_seat, game.state["owner"]
    for partner in range(game.players):
        for square in members(int(game.state["owned"][me])):
            if partner == me or game.state["out"][partner] or GROUP[square] >= COLORS:
                continue
            loose = not any(game.state["level"][s] for s in GROUP_SQUARES[GROUP[square]])
            alone = sum(owner[s] == me for s in GROUP_SQUARES[GROUP[square]]) == 1
            if loose and alone and lacks_only(game, partner, square) and game.cash[partner] > 500:
                return _hand_over(course, partner, square)
    return False


def _hand_over(course: Course, partner: int, square: int) -> bool:
    """Give a deed away for scraps, if the rules let it be offered now."""
    give = next(
        text
        for text, action in IDS.items()
        if text.startswith("give:") and VALUE_OF[action] == square
    )
    for text in (f"deal:{LETTERS[partner]}", give, f"ask_cash:{SCRAPS}", "offer"):
        if text not in course.game.legal_actions():
            return False
        course.play(text)
    if course.game.phase is not Phase.ANSWER:
        return False
    course.play("accept")
    return True


def plant_bid(course: Course) -> bool:
    """Bid far too much for a lot that completes no group."""
    game = course.game
    if game.phase is not Phase.AUCTION or game.state["lot"] != AuctionLot.DEED:
        return False
    square = int(game.state["lot_square"])
    price = int(game.edition.rules[0]["price"][square])
    if GROUP[square] < COLORS and any(lacks_only(game, p, square) for p in range(game.players)):
        return False
    legal = game.legal_actions()
    bid = int(game.state["bid"]) + 500
    least = max(TOO_MUCH * price, HALF * game.cash[game.actor_seat])
    if "raise:500" not in legal or bid < least:
        return False
    course.play("raise:500")
    _auction(course, None)
    return True


def _auction(course: Course, seat: int | None) -> None:
    """Play an auction to its end: ``seat``, or everybody, passes; the others bid once."""
    asked: set[int] = set()
    while course.game.phase is Phase.AUCTION:
        who, legal = course.game.actor_seat, course.game.legal_actions()
        bids = [text for text in legal if text in ("open", "raise:10")]
        if seat is not None and who != seat and who not in asked and bids:
            asked.add(who)
            course.play(bids[0])
        else:
            course.play("pass")


def lacks_only(game: Game, seat: int, square: int) -> bool:
    """Whether a deed is the last one that a player lacks of its group."""
    owner = game.state["owner"]
    return all(owner[s] == seat for s in GROUP_SQUARES[GROUP[square]] if s != square)


PLANTS: dict[str, Callable[[Course], bool]] = {
    "sell": plant_sell,
    "decline": plant_decline,
    "give": plant_give,
    "bid": plant_bid,
}

PHASES = {"sell": Phase.END, "decline": Phase.BUY, "give": Phase.END, "bid": Phase.AUCTION}


def game_of(seed: int, kinds: Sequence[str], found: Found, wanted: int) -> None:
    """Play a game, plant blunders into copies of it, and count what is marked."""
    game = Game(players=PLAYERS, seed=seed, rules={"windows": "own"})
    course, rng, planted = Course(game), np.random.default_rng(seed), Counter[str]()
    agents: list[Agent] = [make_agent("veteran") for _ in range(PLAYERS)]
    for seat, agent in enumerate(agents):
        agent.reset(bot_seed(seed, seat))
    while not game.over and len(game.history) < MOST_ACTIONS:
        moment = len(game.history)
        for kind in kinds:
            if found.planted[kind] >= wanted or planted[kind] >= EACH:
                continue
            if game.phase is not PHASES[kind] or rng.random() >= CHANCE:
                continue
            copy = course.copy()
            if PLANTS[kind](copy):
                planted[kind] += 1
                found.planted[kind] += 1
                judged = copy.judged(moment)
                seat = game.actor_seat
                found.marked[kind] += any(
                    one.seat == seat and mark_of(one) == "blunder" for one in judged
                )
        course.play(agents[game.actor_seat].decide(View.of(game)))
    if found.sensible >= SENSIBLE:  # enough: they take most of the time
        return
    for one in course.judged(0):
        found.sensible += 1
        found.false += mark_of(one) == "blunder"


def measure(blunders: int, seed: int = FIRST_SEED, most_games: int = 1000) -> Found:
    """Plant so many blunders, as many of each kind. The same seed, the same result."""
    found, each = Found(), -(-blunders // len(PLANTS))
    for number in range(most_games):
        kinds = [kind for kind in PLANTS if found.planted[kind] < each]
        if not kinds:
            break
        game_of(seed + number, kinds, found, each)
    return found


def lines(found: Found) -> Iterator[str]:
    """The figures as text."""
    for kind in PLANTS:
        yield f"{kind:<8} {found.marked[kind]} of {found.planted[kind]} marked"
    yield f"all      {sum(found.marked.values())} of {sum(found.planted.values())} marked"
    part = found.false / max(found.sensible, 1)
    yield f"veteran's own decisions: {found.false} of {found.sensible:,} marked, {part:.2%}"


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--blunders", type=int, default=100)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.blunders, given.seed)
    typer.echo(json.dumps(found.as_json) if given.json else "\n".join(lines(found)))


if __name__ == "__main__":
    main()
