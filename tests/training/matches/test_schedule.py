"""Schedules: every seed from every seat, the same games for the same arguments."""

from __future__ import annotations

from collections import Counter

from monopoly_training.matches.schedule import by_seating, rotated, rotations, shuffled


def test_each_seed_is_played_in_every_rotation():
    matches = rotated(3, 12, 50)
    assert {match.seed for match in matches} == {50, 51, 52, 53}
    for seed in range(50, 54):
        seatings = [match.seating for match in matches if match.seed == seed]
        assert seatings == rotations(3) == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]


def test_everybody_has_every_seat_equally_often():
    seats = Counter(
        (agent, seat) for m in rotated(4, 40, 0) for seat, agent in enumerate(m.seating)
    )
    assert set(seats.values()) == {10}
    assert len(seats) == 16


def test_a_number_of_games_that_does_not_divide_is_kept():
    matches = rotated(4, 6, 9)
    assert len(matches) == 6
    assert [match.seed for match in matches] == [9, 9, 9, 9, 10, 10]


def test_random_seats_come_from_the_seed_alone():
    matches = shuffled(4, 200, 7)
    assert matches == shuffled(4, 200, 7)
    assert matches != shuffled(4, 200, 8)
    assert [match.seed for match in matches] == list(range(7, 207))
    assert all(sorted(match.seating) == [0, 1, 2, 3] for match in matches)
    assert len({match.seating for match in matches}) == 24


def test_matches_of_one_seating_go_together():
    groups = by_seating(rotated(2, 5, 0))
    assert groups == {(0, 1): [0, 2, 4], (1, 0): [1, 3]}
