"""The legal actions as a byte mask, a count and a random pick."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from monopoly_env.engine import masks
from monopoly_env.engine.actions import BASE, IDS, KINDS, N_ACTIONS, N_KINDS, SIZE, TEXTS

ROLL, MORTGAGE, GIVE = KINDS.index("roll"), KINDS.index("mortgage"), KINDS.index("give")


def bits_of(*texts: str) -> np.ndarray:
    """The legal actions as bits of each kind."""
    bits = np.zeros(N_KINDS, np.int64)
    for text in texts:
        kind = KINDS.index(text.partition(":")[0])
        bits[kind] |= 1 << (IDS[text] - int(BASE[kind]))
    return bits


def written(bits: np.ndarray) -> tuple[int, list[str]]:
    """How many actions ``write_mask`` counts, and which it writes over a mask full of dirt."""
    mask = np.full(N_ACTIONS, 7, np.int8)
    count = masks.write_mask(bits, mask)
    assert set(mask.tolist()) <= {0, 1}
    return count, [TEXTS[action] for action in np.flatnonzero(mask)]


@pytest.mark.parametrize(
    "texts",
    [
        ["roll"],
        ["propose:32"],  # the last of all
        ["roll", "build:boardwalk", "give:mediterranean", "give:card_chest", "propose:1"],
        ["raise:1", "raise:500", "to:go", "to:boardwalk"],
        [],
    ],
)
def test_a_mask_has_a_one_for_each_legal_action(texts: list[str]) -> None:
    assert written(bits_of(*texts)) == (len(texts), texts)


def test_every_single_action_has_its_place() -> None:
    for action, text in enumerate(TEXTS):
        mask = np.zeros(N_ACTIONS, np.int8)
        masks.write_mask(bits_of(text), mask)
        assert np.flatnonzero(mask).tolist() == [action]


def test_a_full_mask_is_full() -> None:
    bits = np.array([(1 << int(size)) - 1 for size in SIZE], np.int64)
    assert written(bits)[0] == N_ACTIONS


def test_a_mask_is_read_as_it_was_written() -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        mask = (random.random(N_ACTIONS) < 0.3).astype(np.int8)
        bits, again = np.zeros(N_KINDS, np.int64), np.zeros(N_ACTIONS, np.int8)
        masks.read_mask(mask, bits)
        assert masks.write_mask(bits, again) == mask.sum()
        assert (again == mask).all()


def test_the_nth_set_bit_is_counted_from_the_lowest() -> None:
    assert [masks.nth_set(0b1011000, n) for n in range(3)] == [3, 4, 6]


def test_a_pick_chooses_among_kinds_first() -> None:
    """One throw against 28 mortgages: half of the picks throw."""
    bits = np.zeros(N_KINDS, np.int64)
    bits[ROLL] = 1
    bits[MORTGAGE] = (1 << 28) - 1
    picks = Counter(masks.pick(bits, np.uint64(state)) for state in range(0, 40_000, 10))
    assert 1850 < picks[0] < 2150  # of 4,000; five standard deviations are 158
    assert len(picks) == 29


def test_a_pick_is_legal() -> None:
    legal = ["jail_pay", "mortgage:water", "mortgage:reading", "lift:boardwalk"]
    bits = bits_of(*legal)
    assert {TEXTS[masks.pick(bits, np.uint64(state))] for state in range(200)} == set(legal)


def test_random_numbers_stay_below_n_and_reach_every_one() -> None:
    assert {masks.random_below(np.uint64(state), 7) for state in range(200)} == set(range(7))
