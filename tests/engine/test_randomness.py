"""Dice, decks, dealt deeds and who begins are what they are said to be, over millions of draws.

A fair generator fails one of these tests once in a million times, and seeds are fixed. Beside
each test stands the smallest fault that it has to notice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from monopoly_env import Game
from monopoly_env.compiler.jit import JIT, jit
from monopoly_env.editions import load_edition
from monopoly_env.engine import decks, dice, new_game
from monopoly_env.engine.board import DEEDS
from monopoly_env.engine.decks import CardKind
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.state import new_games
from tests.engine.chi_square import chi_square, limit

pytestmark = [
    pytest.mark.promise("chance"),
    pytest.mark.skipif(not JIT, reason="millions of draws take hours in plain Python"),
]

THROWS = 10_000_000
SHUFFLES = 2_000_000
GAMES = 200_000
CARDS = 16

Counts = npt.NDArray[np.int64]


def test_the_limit_of_chi_square_is_that_of_tables() -> None:
    """Chances of one in a million; the approximation is a little high for few degrees of freedom."""
    assert limit(35) == pytest.approx(90.6, rel=0.005)
    assert 30.7 < limit(3) < 33


# Dice


@jit
def count_throws(games: Any, journals: Any, seed: int, throws: int, pairs: Any, next_: Any) -> None:
    """Count throws by their pips, and by those of the throw before."""
    game, log = games[0], journals[0]
    game.rng = np.uint64(seed)
    before = 0
    for _ in range(throws):
        dice.throw(game, log, 0)
        pips = 6 * (game.dice[0] - 1) + game.dice[1] - 1
        pairs[pips] += 1
        next_[before, pips] += 1
        before = pips


@pytest.fixture(scope="module")
def throws() -> tuple[Counts, Counts]:
    """How often each pair of pips fell: [6, 6]; and each of the 36 after each other: [36, 36]."""
    pairs, next_ = np.zeros(36, np.int64), np.zeros((36, 36), np.int64)
    count_throws(new_games(1), new_journals(1, on=False), 2026, THROWS, pairs, next_)
    return pairs.reshape(6, 6), next_


def sums(pairs: Counts) -> Counts:
    """How often each total fell, from 2 to 12."""
    totals = np.add.outer(np.arange(6), np.arange(6))
    return np.bincount(totals.ravel(), pairs.ravel()).astype(np.int64)


SUM_SHARES = np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]) / 36


def test_each_face_of_each_die_is_equally_likely(throws: tuple[Counts, Counts]) -> None:
    pairs, _ = throws
    for axis in (0, 1):
        assert chi_square(pairs.sum(axis=axis)) < limit(5)


def test_each_pair_and_each_sum_has_its_share(throws: tuple[Counts, Counts]) -> None:
    pairs, _ = throws
    assert pairs.sum() == THROWS
    assert chi_square(pairs) < limit(35)
    assert chi_square(sums(pairs), SUM_SHARES) < limit(10)


def test_a_throw_says_nothing_of_the_next_one(throws: tuple[Counts, Counts]) -> None:
    assert chi_square(throws[1]) < limit(36 * 36 - 1)


def test_dice_with_a_bias_of_one_percent_would_be_seen() -> None:
    """One die shows a six 1% too often; then both do."""
    face = np.ones(6) / 6
    biased = face * [0.998, 0.998, 0.998, 0.998, 0.998, 1.01]
    generator = np.random.default_rng(1)
    one = generator.multinomial(THROWS, np.outer(biased, face).ravel()).reshape(6, 6)
    assert chi_square(one.sum(axis=1)) > 2 * limit(5)
    assert chi_square(one) > 2 * limit(35)
    both = generator.multinomial(THROWS, np.outer(biased, biased).ravel()).reshape(6, 6)
    assert chi_square(sums(both), SUM_SHARES) > 2 * limit(10)


def test_throws_that_repeat_too_often_would_be_seen(throws: tuple[Counts, Counts]) -> None:
    """One throw in 200 is that of before."""
    _, next_ = throws
    repeated = next_ - next_ // 200
    repeated[np.diag_indices(36)] += THROWS // 200 // 36
    assert chi_square(repeated) > 2 * limit(36 * 36 - 1)


# Shuffled decks


@jit
def count_places(games: Any, seed: int, shuffles: int, places: Any, next_: Any) -> None:
    """Count where each card of a fresh deck comes to lie, and which two lie on top."""
    game = games[0]
    game.rng = np.uint64(seed)
    cards = np.arange(CARDS).astype(np.int8)
    for _ in range(shuffles):
        for place in range(CARDS):
            cards[place] = place
        dice.shuffle(game, cards, CARDS)
        for place in range(CARDS):
            places[cards[place], place] += 1
        next_[cards[0], cards[1]] += 1


def chi_square_of_places(places: Counts) -> float:
    """Chi-square of a table whose rows and columns all have the same sum; (n - 1)^2 degrees."""
    n = places.sum() / len(places)  # orders counted
    deviations = places - n / len(places)
    return float((deviations**2).sum() * (len(places) - 1) / n)


@pytest.fixture(scope="module")
def shuffled() -> tuple[Counts, Counts]:
    """How often each card lay in each place, and under which one the second lay: [16, 16]."""
    places, next_ = np.zeros((2, CARDS, CARDS), np.int64)
    count_places(new_games(1), 7, SHUFFLES, places, next_)
    return places, next_


def test_each_card_is_equally_likely_in_each_place(shuffled: tuple[Counts, Counts]) -> None:
    places, _ = shuffled
    assert (places.sum(axis=0) == SHUFFLES).all()
    assert chi_square_of_places(places) < limit((CARDS - 1) ** 2)


def test_the_top_card_says_nothing_of_the_next_one(shuffled: tuple[Counts, Counts]) -> None:
    _, next_ = shuffled
    apart = next_[~np.eye(CARDS, dtype=bool)]
    assert next_.trace() == 0
    assert chi_square(apart) < limit(len(apart) - 1)


def test_a_card_that_lies_on_top_five_percent_too_often_would_be_seen(
    shuffled: tuple[Counts, Counts],
) -> None:
    places = shuffled[0].copy()
    moved = places[3, 0] // 20
    places[3, :2] += [moved, -moved]
    places[4, :2] += [-moved, moved]
    assert chi_square_of_places(places) > 2 * limit((CARDS - 1) ** 2)


def test_a_shuffle_that_swaps_with_any_place_would_be_seen() -> None:
    """The classic mistake: each place is swapped with any of all, not with one not yet settled."""
    generator = np.random.default_rng(3)
    orders = np.tile(np.arange(CARDS), (50_000, 1))
    rows = np.arange(len(orders))
    for place in range(CARDS):
        other = generator.integers(0, CARDS, len(orders))
        kept = orders[:, place].copy()
        orders[:, place] = orders[rows, other]
        orders[rows, other] = kept
    places = np.array([np.bincount(column, minlength=CARDS) for column in orders.T]).T
    assert chi_square_of_places(places) > 5 * limit((CARDS - 1) ** 2)


# Games of seeds that count up


@jit
def count_beginnings(
    games: Any, rules_: Any, journals: Any, players: int, first: int, count: int,
    tops: Any, places: Any, starters: Any, owners: Any, pairs: Any,
) -> None:  # fmt: skip
    """Count how games begin: top cards, places of cards, who begins, who is dealt which deed."""
    game, rules, log = games[0], rules_[0], journals[0]
    for seed in range(first, first + count):
        new_game.new_game(game, rules, log, players, seed)
        for pile in range(2):
            for place in range(CARDS):
                places[pile, game.deck[pile, place], place] += 1
        tops[game.deck[0, 0], game.deck[1, 0]] += 1
        starters[game.starter] += 1
        for square in range(40):
            if game.owner[square] >= 0:
                owners[square, game.owner[square]] += 1
        dice.throw(game, log, 0)
        pairs[game.dice[0] - 1, game.dice[1] - 1] += 1


class Beginnings:
    """How ``GAMES`` games began, whose seeds count up from 0."""

    def __init__(self, mode: str, players: int) -> None:
        self.rules = load_edition("classic", mode).rules
        self.tops = np.zeros((40, 40), np.int64)
        self.places = np.zeros((2, 40, CARDS), np.int64)
        self.starters = np.zeros(players, np.int64)
        self.owners = np.zeros((40, players), np.int64)
        self.pairs = np.zeros((6, 6), np.int64)
        count_beginnings(
            new_games(1), self.rules, new_journals(1, on=False), players, 0, GAMES,
            self.tops, self.places, self.starters, self.owners, self.pairs,
        )  # fmt: skip


@pytest.fixture(scope="module", params=[2, 5, 8])
def begun(request: pytest.FixtureRequest) -> Beginnings:
    return Beginnings("short", request.param)


def test_seeds_that_count_up_deal_every_card_to_every_place(begun: Beginnings) -> None:
    for pile in range(2):
        cards = begun.rules[0]["deck"][pile]
        assert chi_square_of_places(begun.places[pile, cards]) < limit((CARDS - 1) ** 2)


def test_the_two_decks_say_nothing_of_each_other(begun: Beginnings) -> None:
    chance, chest = begun.rules[0]["deck"]
    assert chi_square(begun.tops[np.ix_(chance, chest)]) < limit(CARDS * CARDS - 1)


def test_every_seat_begins_equally_often(begun: Beginnings) -> None:
    assert chi_square(begun.starters) < limit(len(begun.starters) - 1)


def test_the_first_throws_of_seeds_that_count_up_are_fair(begun: Beginnings) -> None:
    assert chi_square(begun.pairs) < limit(35)


def test_every_deed_is_dealt_to_every_seat_equally_often(begun: Beginnings) -> None:
    """With a chance of one in a million, one of all these counts is more than 6.2 sigma off."""
    dealt = begun.owners[list(DEEDS)]
    share = int(begun.rules[0]["deal_count"]) / len(DEEDS)
    assert (dealt.sum(axis=0) == GAMES * share * len(DEEDS)).all()
    sigmas = (dealt - GAMES * share) / np.sqrt(GAMES * share * (1 - share))
    assert np.abs(sigmas).max() < 6.2


# Drawing


@pytest.mark.parametrize("pile", [0, 1])
def test_cards_are_drawn_without_replacement_and_come_again_in_the_same_order(pile: int) -> None:
    """A card that was drawn goes under its pile; the one that is kept leaves it.

    Source: 000 lines 233 and 291; 001 lines 166 and 168.
    """
    for seed in range(300):
        game = Game(players=2, seed=seed)
        state, rules = game.state, game.edition.rules[0]
        first = [decks.draw_top(state, rules, pile, 0) for _ in range(CARDS)]
        again = [decks.draw_top(state, rules, pile, 0) for _ in range(CARDS - 1)]
        kept = [card for card in first if rules["card_kind"][card] == CardKind.KEEP]
        assert sorted(first) == sorted(rules["deck"][pile].tolist())
        assert again == [card for card in first if card not in kept]
