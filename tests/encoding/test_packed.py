"""Packed rows say what the 1,309 numbers say, bit for bit, whatever is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from monopoly_env import load_edition
from monopoly_env.editions import editions
from monopoly_env.encoding import packed
from monopoly_env.encoding.blocks import OBSERVATION_SIZE, labels
from monopoly_env.encoding.packed import (
    FRACTION_CODES,
    FRACTIONS,
    PACKED,
    PACKED_SIZE,
    DecodePlan,
    check_packable,
    columns,
)
from monopoly_env.encoding.unpacking import unpack
from monopoly_env.envs.vector import VectorEnv
from monopoly_env.errors import InputError

LABELS = labels()
GAMES = 12


def assert_same(rows: Any, numbers: Any) -> None:
    """The rows are these numbers, bit for bit."""
    found = unpack(rows)
    assert found.dtype == np.float32
    different = np.argwhere(found.view(np.uint32) != np.ascontiguousarray(numbers).view(np.uint32))
    told = [(LABELS[c], float(numbers[r, c]), float(found[r, c])) for r, c in different[:5]]
    assert not told


def play(steps: int, seed: int = 5, **options: Any) -> set[str]:
    """Play both forms side by side, compare all they show; the phases that came up."""
    plain = VectorEnv(GAMES, **options)
    rows = VectorEnv(GAMES, observation="packed", **options)
    (seen, _), (packed_seen, _) = plain.reset(seed=seed), rows.reset(seed=seed)
    start = LABELS.index("phase.TURN")
    phases: set[str] = set()
    for key in range(steps):
        assert_same(packed_seen, seen)
        phases |= {
            LABELS[start + k] for k in np.flatnonzero(seen[:, start : start + 16].any(axis=0))
        }
        actions = plain.sample_actions(key)
        seen, _, _, _, infos = plain.step(actions)
        packed_seen, _, _, _, others = rows.step(actions)
        if "final_obs" in infos:
            ended = np.flatnonzero(infos["_final_obs"])
            last = np.stack([infos["final_obs"][k] for k in ended])
            assert_same(np.stack([others["final_obs"][k] for k in ended]), last)
    return phases


@pytest.mark.parametrize("edition", sorted(editions()))
def test_every_edition(edition: str) -> None:
    """All seats, deals composed in steps, games to the end and beyond."""
    loaded = load_edition(edition, rules={"max_decisions": 260})
    assert play(300, edition=loaded, num_players=loaded.min_players + 1, seats="all")


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("deals", ["off", "menu", "steps"])
def test_every_table(players: int, deals: str) -> None:
    settings = {"deals": deals, "any_players": True, "rules": {"max_decisions": 170}}
    assert play(200, num_players=players, seats="all", **settings)


@pytest.mark.parametrize("deals", ["menu", "steps"])
def test_a_learner_among_bots(deals: str) -> None:
    play(200, opponents=["random", "strategist", "background"], deals=deals)


def test_every_phase_comes_up() -> None:
    """Debts, auctions, claims and deals are among what was compared."""
    poor = {"start_cash": 300, "houses": 3, "hotels": 1, "rent_asked": 1}
    rules = poor | {"free_parking_jackpot": 1, "time_limit_rounds": 30, "salary": 20}
    found = play(1500, seats="all", rules=rules) | play(400, seats="all", deals="menu")
    assert {f"phase.{name}" for name in ("DEBT", "AUCTION", "DEAL", "ANSWER", "RENT")} <= found


def test_columns_and_shapes() -> None:
    env = VectorEnv(3, observation="packed", narrow=True, deals="off", seats="all")
    plain = VectorEnv(3, narrow=True, deals="off", seats="all")
    rows, seen = env.reset(seed=1)[0], plain.reset(seed=1)[0]
    assert env.columns is not None
    plan = DecodePlan(env.columns)
    assert rows.shape == (3, PACKED_SIZE) == (3, 832)
    assert (unpack(rows, plan) == seen).all()
    assert (unpack(rows[0], plan) == seen[0]).all()
    assert unpack(rows[:, None]).shape == (3, 1, OBSERVATION_SIZE)
    assert unpack(np.asfortranarray(rows), plan).tobytes() == seen.tobytes()
    assert env.action_space.shape == plain.action_space.shape


def test_rows_of_another_kind() -> None:
    for odd in (np.zeros((2, 831), np.uint8), np.zeros((2, 832), np.int8), np.uint8(3)):
        with pytest.raises(InputError, match=r"^rows: must be uint8"):
            unpack(odd)  # type: ignore[arg-type]
    apart = np.zeros((2, 833), np.uint8)[:, 1:]
    assert unpack(apart).shape == unpack(apart[:, ::1]).shape == (2, OBSERVATION_SIZE)
    odd_start = np.zeros(2 * PACKED_SIZE + 1, np.uint8)[1:].reshape(2, PACKED_SIZE)
    assert (unpack(odd_start) == unpack(apart)).all()
    assert unpack(np.zeros((0, PACKED_SIZE), np.uint8)).shape == (0, OBSERVATION_SIZE)


def test_the_layout() -> None:
    """What each number is made of lies in the row, and codes reach into their tables."""
    assert PACKED_SIZE <= 832
    ends = [one.byte + 4 for one in columns() if one.numbers is None]
    assert max(ends) == packed.NUMBERS_END
    for one in columns():
        assert 0 <= one.byte < PACKED_SIZE - one.width
        assert (one.numbers is None) == (one.width == 4)
        if one.width == 4:
            assert one.byte % 4 == 0
    names = PACKED.names
    assert names is not None
    assert names[-1] == "padding_"
    assert (
        VectorEnv(1, observation="packed").reset(seed=0)[0][0, packed.PLACE["version"]]
        == packed.PACKED_VERSION
    )


def test_fractions() -> None:
    for whole in range(1, 21):
        for part in range(whole + 1):
            value = np.float32(part) / np.float32(whole)
            assert FRACTIONS[FRACTION_CODES[part, whole]] == value
            assert np.float32(part / whole) == value


def test_every_small_number_of_the_rules() -> None:
    """From a share of its range back to the number."""
    for k in packed.SMALL:
        for value in range(packed.HIGHEST[k] + 1):
            share = np.float32(packed.scaled(packed.SWITCHES[k], value))
            assert int(share * float(packed.HIGHEST[k]) + 0.5) == value


@pytest.mark.parametrize(
    ("key", "value", "told"), [("rent", 40_000, "rents"), ("price", 13_000, "prices")]
)
def test_amounts_out_of_reach(key: str, value: int, told: str) -> None:
    """One line says which, and what to do."""
    edition = load_edition("classic")
    changed = edition.rules.copy()
    changed[key][0, 1] = value

    class Dear:
        id = "dear"
        rules = changed

    with pytest.raises(
        InputError, match=f"observation: dear has {told} up to .*; use 'flat' or 'dict'"
    ):
        check_packable(Dear())  # type: ignore[arg-type]
    check_packable(edition)
