"""Measure how many planted blunders a review finds, and how many sensible moves it marks.

``python -m monopoly_training.review.planted --blunders 100`` plays games of four by the bot
veteran. In some positions a copy goes on with a blunder instead:

- sell: sells all houses of a group, one after another, with nobody to pay;
- decline: has the cash for the lot that completes a group, declines it, and bids nothing for it;
- give: hands another player the deed that completes that player's group, for $10;
- bid: bids at least four times the price, and half of the cash, for a lot that completes no group.

Blunders are planted as the games allow, up to 40% of a kind.

Not all of these cost something: a player about to win anyway can sell its houses. Therefore veteran
plays many games to the end with the same dice, after the planted action and after its own choice;
the action counts as a blunder if it lost as much as the mark stands for. This does not depend on
the value that a review judges by.

A blunder counts as found if one of its actions is marked as one. Of the sensible moves, which are
veteran's in the first of these games, none should be marked.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
import typer

from monopoly_env.agent import Agent, make_agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.game import Game
from monopoly_env.view import View
from monopoly_training.review.plants import PHASES, PLANTS, Course
from monopoly_training.review.review import mark_of

PLAYERS = 4
MOST_GAMES = 1000
MOST_ACTIONS = 3000  # of a game that is examined
EACH = 4  # plants of a kind per game
CHANCE = {"sell": 0.5, "decline": 1.0, "give": 0.5, "bid": 1.0}  # of using a suitable position
MOST_OF_A_KIND = 0.4  # of all blunders
FIRST_SEED = 70_000_000
SENSIBLE = 2000  # veteran's decisions that are judged, and the rest of the last game


@dataclass
class Found:
    """Counts of planted blunders and of what a review marked."""

    planted: Counter[str] = field(default_factory=Counter)
    harmless: Counter[str] = field(default_factory=Counter)  # cost too little to count
    marked: Counter[str] = field(default_factory=Counter)
    sensible: int = 0  # decisions of veteran that were judged
    false: int = 0  # those of them that were marked

    @property
    def as_json(self) -> dict[str, Any]:
        """Counts by name."""
        return {
            "planted": dict(self.planted),
            "harmless": dict(self.harmless),
            "marked": dict(self.marked),
            "sensible": self.sensible,
            "false": self.false,
            "false_part": self.false / max(self.sensible, 1),
        }


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
            if game.phase is not PHASES[kind] or rng.random() >= CHANCE[kind]:
                continue
            copy = course.copy()
            if PLANTS[kind](copy):
                planted[kind] += 1
                if not copy.costs_a_blunder(moment):
                    found.harmless[kind] += 1
                    continue
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


def measure(blunders: int, seed: int = FIRST_SEED) -> Found:
    """Plant at least so many blunders. The same seed, the same result."""
    found, most = Found(), ceil(MOST_OF_A_KIND * blunders)
    for number in range(MOST_GAMES):
        if found.planted.total() >= blunders:
            break
        game_of(seed + number, list(PLANTS), found, most)
    return found


def lines(found: Found) -> Iterator[str]:
    """Return the counts as text."""
    for kind in PLANTS:
        left_out = f"; {found.harmless[kind]} more cost less than a blunder"
        yield f"{kind:<8} {found.marked[kind]} of {found.planted[kind]} marked{left_out}"
    yield f"all      {sum(found.marked.values())} of {sum(found.planted.values())} marked"
    part = found.false / max(found.sensible, 1)
    yield f"veteran's own decisions: {found.false} of {found.sensible:,} marked, {part:.2%}"


def main() -> None:
    """Measure and print the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--blunders", type=int, default=100)
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.blunders, given.seed)
    typer.echo(json.dumps(found.as_json) if given.json else "\n".join(lines(found)))


if __name__ == "__main__":
    main()
