"""Checks for game seeds: whole numbers from 0 to 2**63 - 1."""

from __future__ import annotations

import secrets

from monopoly_env.errors import InputError, show
from monopoly_env.integers import as_int

SEEDS = 2**63


def check_seed(seed: object) -> int:
    """Return a seed as an int. Raises: InputError that names the parameter ``seed``."""
    number = as_int(seed)
    if number is None or not 0 <= number < SEEDS:
        InputError.at("seed").fail(f"must be a whole number from 0 to 2**63 - 1, not {show(seed)}")
    return number


def check_or_draw_seed(seed: object) -> int:
    """Return a seed as an int, or a random one for None."""
    return secrets.randbelow(SEEDS) if seed is None else check_seed(seed)
