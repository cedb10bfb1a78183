"""Where tokens come to rest: the engine against a Markov chain computed here from the rules.

The game never ends: nobody buys, everybody is rich, inmates always throw. The decks are shuffled
before every throw, so that draws are independent, as the chain assumes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.editions import load_edition
from monopoly_env.engine import flow, new_game
from monopoly_env.engine.actions import IDS
from monopoly_env.engine.decks import return_card
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import new_games

IN_JAIL = 40  # a place of its own, beside the visitors' Jail
ROLL, PASS, END_TURN = IDS["roll"], IDS["pass"], IDS["end_turn"]


# The chain, from the rules


def after_landing(square: int) -> dict[int, float]:
    """Where one is once the space is resolved, with what chance."""
    if square == 30:
        return {IN_JAIL: 1.0}
    if square in (2, 17, 33):
        return {0: 1 / 16, IN_JAIL: 1 / 16, square: 14 / 16}
    if square in (7, 22, 36):
        railroad = min((r for r in (5, 15, 25, 35) if r > square), default=5)
        utility = min((u for u in (12, 28) if u > square), default=12)
        found: dict[int, float] = {}
        moves = [0, 24, 11, 5, 39, utility, railroad, railroad, IN_JAIL] + 6 * [square]
        for place in moves:
            found[place] = found.get(place, 0) + 1 / 16
        for place, share in after_landing(square - 3).items():  # three back may draw again
            found[place] = found.get(place, 0) + share / 16
        return found
    return {square: 1.0}


def chain() -> np.ndarray:
    """The long-run share of throws that end on each of the 41 places."""
    # before a throw: 40 squares × doubles thrown so far, then Jail × throws failed there
    states = [(square, doubles) for square in range(40) for doubles in range(3)]
    states += [(IN_JAIL, tries) for tries in range(3)]
    index = {state: number for number, state in enumerate(states)}
    step = np.zeros((len(states), len(states)))
    ends = np.zeros((len(states), 41))

    def arrive(state: int, square: int, doubles: int, chance: float) -> None:
        for place, share in after_landing(square % 40).items():
            ends[state, place] += chance * share
            after = (IN_JAIL, 0) if place == IN_JAIL else (place, doubles)
            step[state, index[after]] += chance * share

    for state, (place, count) in enumerate(states):
        for first in range(1, 7):
            for second in range(1, 7):
                double, total, chance = first == second, first + second, 1 / 36
                if place == IN_JAIL:
                    if double or count == 2:
                        arrive(state, 10 + total, 0, chance)
                    else:
                        ends[state, IN_JAIL] += chance
                        step[state, index[IN_JAIL, count + 1]] += chance
                elif double and count == 2:
                    ends[state, IN_JAIL] += chance
                    step[state, index[IN_JAIL, 0]] += chance
                else:
                    arrive(state, place + total, count + 1 if double else 0, chance)
    share = np.full(len(states), 1 / len(states))
    for _ in range(2000):
        share = share @ step
    return share @ ends


# The engine


@jit
def wander(games: Any, rules_: Any, journals: Any, seed: int, throws: int, landed: Any) -> None:
    """Throw ``throws`` times with two players and count where each throw ends."""
    game, rules, log = games[0], rules_[0], journals[0]
    new_game.new_game(game, rules, log, 2, seed)
    flow.proceed(game, rules, log)
    made = 0
    while made < throws:
        phase = game.phase
        if phase == Phase.TURN:
            for pile in range(2):
                if game.card_holder[pile] >= 0:
                    return_card(game, rules, log, pile)
            new_game.shuffle_decks(game)
            player = game.actor
            flow.step(game, rules, log, ROLL)
            while game.phase == Phase.BUY:
                flow.step(game, rules, log, PASS)
            made += 1
            place = IN_JAIL if game.in_jail[player] != 0 else int(game.position[player])
            landed[place] += 1
        elif phase == Phase.END:
            flow.step(game, rules, log, END_TURN)
        else:
            flow.step(game, rules, log, PASS)


def test_landing_frequencies() -> None:
    rules = load_edition(
        "classic",
        rules={"auctions": False, "start_cash": 1_000_000, "max_turns": 10**9, "deals": "off",
               "max_decisions": 2 * 10**9},
    ).rules  # fmt: skip
    games, journals = new_games(1), new_journals(1, on=False)
    batches, throws = 100, 10_000
    shares = np.zeros((batches, 41))
    for batch in range(batches):
        landed = np.zeros(41, np.int64)
        wander(games, rules, journals, 1000 + batch, throws, landed)
        shares[batch] = landed / throws
    expected = chain()
    assert abs(expected.sum() - 1) < 1e-9
    error = shares.std(axis=0, ddof=1) / np.sqrt(batches)
    sigma = (shares.mean(axis=0) - expected) / np.where(error > 0, error, 1)
    assert expected[30] == 0
    assert shares[:, 30].sum() == 0
    assert np.abs(sigma).max() < 4, {
        int(k): float(sigma[k]) for k in np.argsort(-np.abs(sigma))[:3]
    }
