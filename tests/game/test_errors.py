"""Errors about input: where, what is wrong, and the remedy, in one line."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env import errors
from monopoly_env.errors import EditionError, InputError, RecordError
from monopoly_env.seeds import SEEDS, check_or_draw_seed, check_seed


def test_every_error_about_input_is_a_value_error() -> None:
    kinds = [kind for name, kind in vars(errors).items() if name.endswith("Error")]
    assert len(kinds) == 9
    assert all(issubclass(kind, InputError) for kind in kinds)
    assert issubclass(InputError, ValueError)


def test_a_location_names_the_way_to_a_value() -> None:
    location = RecordError.at("games.jsonl") / "result" / "worth"
    with pytest.raises(RecordError, match=r"^games\.jsonl: result\.worth: is missing$"):
        location.fail("is\nmissing")
    with pytest.raises(EditionError, match=r"^rules: salry: there is no such rule; did you mean"):
        EditionError.at("rules").fail_unknown("salry", "rule", ["salary", "houses"])


@pytest.mark.parametrize("seed", [0, 7, SEEDS - 1, np.int64(7), np.uint64(7)])
def test_seeds(seed: object) -> None:
    assert check_seed(seed) == check_or_draw_seed(seed) == seed
    assert type(check_seed(seed)) is int


@pytest.mark.parametrize("seed", [-1, SEEDS, "7", 7.0, True, None])
def test_what_is_no_seed(seed: object) -> None:
    with pytest.raises(
        InputError, match=r"^seed: must be a whole number from 0 to 2\*\*63 - 1, not"
    ):
        check_seed(seed)


def test_seeds_are_drawn_for_none() -> None:
    drawn = {check_or_draw_seed(None) for _ in range(8)}
    assert len(drawn) == 8
    assert all(0 <= seed < SEEDS for seed in drawn)
