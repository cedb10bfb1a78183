"""Train and test do not meet, and stay what they are."""

from __future__ import annotations

import pytest
from monopoly_training.language_models.splits import (
    SHARES,
    SPLITS,
    positions_of,
    seeds_of,
    split_of_position,
    split_of_seed,
)
from monopoly_training.suite.decisions import load_set

from monopoly_env.errors import InputError
from monopoly_env.seeds import check_seed


def test_no_seed_is_in_two_splits() -> None:
    for split in SPLITS:
        seeds = seeds_of(split, 1000)
        assert {split_of_seed(seed) for seed in (seeds[0], seeds[-1])} == {split}
        assert check_seed(seeds[-1])
    assert seeds_of("test", 5, first=7)[0] == seeds_of("test", 8)[7]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (("exam", 1), "split: must be one of train, validation, test"),
        (("test", 0), "games: must be from 1"),
        (("test", 10, 10**9 - 5), "games: must be from 1 to 5"),
    ],
)
def test_what_is_beyond_a_split_is_refused(given: tuple, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        seeds_of(*given)


def test_positions_of_the_suite_are_shared_out_by_their_names() -> None:
    names = [decision.id for decision in load_set().decisions]
    parts = [positions_of(split, names) for split in SPLITS]
    assert sorted(name for part in parts for name in part) == sorted(names)
    for split, part in zip(SPLITS, parts, strict=True):
        assert abs(100 * len(part) / len(names) - SHARES[split]) < 8
        assert positions_of(split, reversed(names)) == part[::-1]


def test_a_position_stays_in_its_split() -> None:
    """Written down: results of others depend on it."""
    known = ["validation", "train", "test", "train", "train"]
    assert [split_of_position(f"buy-00{n}") for n in range(1, 6)] == known
