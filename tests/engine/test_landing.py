"""What each space asks for, and how often tokens come to rest there.

The frequencies are compared with a Markov chain computed here from the rules. Its game never ends: nobody buys, everybody is rich, inmates always throw. The decks are shuffled
before every throw, so that draws are independent, as the chain assumes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from monopoly_env.compiler.jit import jit
from monopoly_env.editions import load_edition
from monopoly_env.engine import flow, new_game
from monopoly_env.engine.actions import IDS
from monopoly_env.engine.decks import return_card
from monopoly_env.engine.journal import Reason, new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import new_games
from tests.engine.positions import payments, play, position

IN_JAIL = 40  # a place of its own, beside the visitors' Jail
ROLL, PASS, END_TURN = IDS["roll"], IDS["pass"], IDS["end_turn"]


# Each kind of space


@pytest.mark.parametrize(
    ("start", "throw"),
    [("go", (1, 2)), ("go", (2, 3)), ("connecticut", (1, 2)), ("short_line", (1, 3))],
)
def test_an_unowned_deed_is_offered_to_who_lands(start: str, throw: tuple[int, int]) -> None:
    game = play(position(A={"at": start}, dice=[throw]), "A roll")
    assert (game.actor, game.phase) == ("A", Phase.BUY)


def test_another_players_open_deed_earns_rent_and_a_mortgaged_one_nothing() -> None:
    assert play(position(B={"deeds": ["baltic"]}, dice=[(1, 2)]), "A roll").cash == (1496, 1504)
    assert play(position(B={"deeds": ["baltic*"]}, dice=[(1, 2)]), "A roll").cash == (1500, 1500)


def test_an_own_deed_asks_for_nothing() -> None:
    game = play(position(A={"deeds": ["baltic"]}, dice=[(1, 2)]), "A roll")
    assert (game.cash, game.phase) == ((1500, 1500), Phase.END)


@pytest.mark.parametrize(
    ("start", "throw", "corner", "cash"),
    [
        ("park_place", (1, 2), "go", 1700),
        ("go", (4, 6), "jail", 1500),
        ("jail", (4, 6), "free_parking", 1500),
    ],
)
def test_corners_are_for_resting(
    start: str, throw: tuple[int, int], corner: str, cash: int
) -> None:
    game = play(position(A={"at": start}, dice=[throw]), "A roll")
    assert (game.hand("A").at, game.cash, game.actor) == (corner, (cash, 1500), "B")


def test_a_first_lap_without_buying_is_a_house_rule() -> None:
    """At the start nobody has passed GO yet."""
    for laps, phase in ((0, Phase.TURN), (1, Phase.BUY)):
        game = position(
            dice=[(1, 2)], rules={"buy_after_laps": 1}, engine={"laps": {"A": laps, "B": 0}}
        )
        assert play(game, "A roll").phase is phase


@pytest.mark.parametrize(
    ("start", "throw"), [("go", (3, 4)), ("new_york", (1, 2)), ("bno", (5, 6))]
)
def test_three_spaces_draw_from_chance(start: str, throw: tuple[int, int]) -> None:
    game = play(position(A={"at": start}, dice=[throw], chance=["ch_dividend"]), "A roll")
    assert payments(game) == [("bank", "A", 50, Reason.CARD)]


@pytest.mark.parametrize(
    ("start", "throw", "cash"),
    [("short_line", (3, 4), 1800), ("electric", (2, 3), 1600), ("water", (1, 4), 1600)],
)  # the first by way of GO
def test_three_spaces_draw_from_the_community_chest(
    start: str, throw: tuple[int, int], cash: int
) -> None:
    game = play(position(A={"at": start}, dice=[throw], chest=["cc_inherit"]), "A roll")
    assert game.cash == (cash, 1500)


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


def chain(most_doubles: int = 3, most_tries: int = 3) -> np.ndarray:
    """The long-run share of throws that end on each of the 41 places.

    The last of ``most_doubles`` in a row leads to Jail; the last of ``most_tries`` there leads out.
    """
    # before a throw: 40 squares × doubles thrown so far, then Jail × throws failed there
    states = [(square, doubles) for square in range(40) for doubles in range(most_doubles)]
    states += [(IN_JAIL, tries) for tries in range(most_tries)]
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
                    if double or count == most_tries - 1:
                        arrive(state, 10 + total, 0, chance)
                    else:
                        ends[state, IN_JAIL] += chance
                        step[state, index[IN_JAIL, count + 1]] += chance
                elif double and count == most_doubles - 1:
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


@pytest.fixture(scope="module")
def landed() -> np.ndarray:
    """The share of throws that end on each of the 41 places, in batches: float64[100, 41]."""
    rules = load_edition(
        "classic",
        rules={"auctions": False, "start_cash": 1_000_000, "max_turns": 10**9, "deals": "off",
               "max_decisions": 2 * 10**9},
    ).rules  # fmt: skip
    games, journals = new_games(1), new_journals(1, on=False)
    batches, throws = 100, 10_000
    shares = np.zeros((batches, 41))
    for batch in range(batches):
        counts = np.zeros(41, np.int64)
        wander(games, rules, journals, 1000 + batch, throws, counts)
        shares[batch] = counts / throws
    return shares


def sigmas(landed: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """How many standard errors the engine is off, by place."""
    error = landed.std(axis=0, ddof=1) / np.sqrt(len(landed))
    return np.abs(landed.mean(axis=0) - expected) / np.where(error > 0, error, 1)


@pytest.mark.promise("rules")
def test_landing_frequencies(landed: np.ndarray) -> None:
    expected = chain()
    assert abs(expected.sum() - 1) < 1e-9
    assert expected[30] == 0
    assert landed[:, 30].sum() == 0
    off = sigmas(landed, expected)
    assert off.max() < 4, {int(k): float(off[k]) for k in np.argsort(-off)[:3]}


@pytest.mark.promise("rules")
@pytest.mark.parametrize(
    "wrong", [{"most_doubles": 4}, {"most_doubles": 2}, {"most_tries": 2}, {"most_tries": 4}]
)
def test_a_number_of_the_rules_that_is_off_by_one_would_be_seen(
    landed: np.ndarray, wrong: dict[str, int]
) -> None:
    assert sigmas(landed, chain(**wrong)).max() > 12


@pytest.mark.promise("rules")
def test_a_card_that_moves_elsewhere_would_be_seen(
    landed: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two cards of 16, drawn at one Chance space of three, lead to the railroad behind."""
    right = after_landing

    def wrong(square: int) -> dict[int, float]:
        found = dict(right(square))
        if square == 22:
            found[25] -= 2 / 16
            found[15] = found.get(15, 0) + 2 / 16
        return found

    monkeypatch.setitem(globals(), "after_landing", wrong)
    assert sigmas(landed, chain()).max() > 8
