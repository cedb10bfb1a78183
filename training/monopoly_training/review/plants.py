"""Four kinds of planted blunders, and what they cost when games are played on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np

from monopoly_env.engine.actions import IDS, KIND_OF, KINDS, VALUE_OF
from monopoly_env.engine.board import COLORS, GROUP, GROUP_SQUARES
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import members
from monopoly_env.value.weights import shipped_value
from monopoly_training.review.judge import Judged, judge_game
from monopoly_training.review.line_rollouts import LineTester
from monopoly_training.review.review import BLUNDER

SCRAPS = 10  # $ for a deed that completes a group
TOO_MUCH = 4  # times the price, and at least
HALF = 0.5  # of the cash in hand
LEAST_HOUSES = 3
HOTEL = 5
SELL = KINDS.index("sell")
# Games after the plant, and as many after the alternative: the next number only while it is unclear
PLAYED_ON = (50, 100, 200, 400)
CLEAR = 3.0  # standard errors from the cost of a blunder
TO_THE_END = 200  # rounds; the few games not over by then are valued
OTHER_DICE = 1000  # the first sample; reviews use those before it


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
        """Play one action."""
        self.game.play(action)
        self._note()

    def copy(self) -> Course:
        """Return an independent copy."""
        return Course(self.game.copy(), list(self.states), list(self.legal))

    def costs_a_blunder(self, moment: int) -> bool:
        """Return whether the actions from a moment on cost their player as much as a blunder.

        Games are played to their end after these actions and after veteran's own choice, with the
        same dice, until the mean difference is clear of the cost of a blunder.
        """
        tester = LineTester(self.game.edition, shipped_value())
        tester.put(self.states[moment])
        seat, done = self.game.history[moment][0], [a for _, a in self.game.history[moment:]]
        lines = [tuple(done), (tester.own_choice(),)]
        differences: list[float] = []
        for games in PLAYED_ON:
            first, last = OTHER_DICE + len(differences), OTHER_DICE + games
            ends = tester.chances(lines, first, last, TO_THE_END)[:, :, seat]
            differences.extend(ends[1] - ends[0])
            error = np.std(differences, ddof=1) / sqrt(games)
            if abs(np.mean(differences) - BLUNDER) > CLEAR * error:
                break
        return bool(np.mean(differences) >= BLUNDER)

    def judged(self, first: int) -> list[Judged]:
        """Return the review's judgments from a moment on."""
        rows = judge_game(
            self.game.edition, shipped_value(), self.states, self.game.history, self.legal, first
        )
        return [one for one in rows if one is not None]


def plant_sell(course: Course) -> bool:
    """Sell all houses of the most developed group, in the window after a move."""
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
    """Return the actor's group with the most houses, and their number; no group with a hotel."""
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
    """Give a deed away for SCRAPS, if it can be offered now."""
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
    """Return whether a deed is the last of its group that a player lacks."""
    owner = game.state["owner"]
    return all(owner[s] == seat for s in GROUP_SQUARES[GROUP[square]] if s != square)


PLANTS: dict[str, Callable[[Course], bool]] = {
    "sell": plant_sell,
    "decline": plant_decline,
    "give": plant_give,
    "bid": plant_bid,
}

PHASES = {"sell": Phase.END, "decline": Phase.BUY, "give": Phase.END, "bid": Phase.AUCTION}
