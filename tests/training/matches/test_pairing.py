"""Who sits with whom: every choice of a format once, and Swiss rounds that bring peers together."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from monopoly_training.matches.pairing import Swiss, count_tables, fixed_tables
from monopoly_training.matches.schedule import batches, in_order, rotated


def test_each_format_has_its_tables():
    assert fixed_tables("table", 3, 3) == [(0, 1, 2)]
    assert fixed_tables("round_robin", 4, 2) == list(combinations(range(4), 2))
    assert fixed_tables("gauntlet", 4, 3) == [(0, 1, 2), (0, 1, 3), (0, 2, 3)]


@pytest.mark.parametrize("form", ["table", "round_robin", "gauntlet"])
def test_tables_are_counted_as_they_are_made(form):
    seats = 6 if form == "table" else 3
    assert count_tables(form, 6, seats) == len(fixed_tables(form, 6, seats))


def test_one_table_plays_the_games_of_an_evaluation():
    assert sorted(in_order([(0, 1, 2, 3)], range(5, 12), 3)) == sorted(rotated(4, 28, 5))


def test_every_table_plays_every_seed_in_every_rotation():
    tables = fixed_tables("round_robin", 5, 3)
    games = Counter(in_order(tables, range(10, 17), 4))
    assert set(games.values()) == {1}
    assert len(games) == 10 * 7 * 3
    for table in tables:
        seats = Counter(
            (bot, seat)
            for match in games
            if set(match.seating) == set(table)
            for seat, bot in enumerate(match.seating)
        )
        assert set(seats.values()) == {7}
        assert len(seats) == 9


def test_a_block_of_seeds_is_over_before_the_next_begins():
    seeds = [match.seed for match in in_order(fixed_tables("round_robin", 4, 2), range(9), 3)]
    assert [max(seeds[:36]), min(seeds[36:72]), max(seeds[36:72])] == [2, 3, 5]


def test_batches_cut_the_schedule_and_count_on():
    matches = rotated(2, 10, 0)
    first = batches(matches, 4)
    assert [match for batch in first for match in batch.matches] == matches
    second = batches(matches, 4, 2, len(first), len(matches))
    assert [(batch.number, batch.first) for batch in second] == [(3, 10), (4, 14), (5, 18)]


def test_swiss_rounds_seat_bots_by_standing():
    rates = np.array([0.1, 0.9, 0.5, 0.8, 0.2, 0.4])
    assert Swiss(6, 2).pair(rates) == [(1, 3), (2, 5), (0, 4)]


def test_in_swiss_rounds_nobody_meets_again_while_others_are_there():
    swiss = Swiss(8, 2)
    rates = np.linspace(1, 0, 8)
    pairs = [pair for _ in range(4) for pair in swiss.pair(rates)]
    assert len(set(pairs)) == len(pairs) == 16


def test_who_rests_in_swiss_rounds_takes_turns():
    swiss = Swiss(7, 3)
    rates = np.linspace(1, 0, 7)
    for _ in range(7):
        tables = swiss.pair(rates)
        assert len({bot for table in tables for bot in table}) == 6
    assert set(swiss.rounds.tolist()) == {6}
