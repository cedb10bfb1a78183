"""The compiled network and its twin in NumPy say the same."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.value.examples import rows_by_table
from monopoly_training.value.heldout import FROZEN, FROZEN_BOARDS, load_positions

from monopoly_env import win_chances
from monopoly_env.editions import load_edition
from monopoly_env.editions.loader import editions
from monopoly_env.engine.board import COLORS, GROUP_BITS, GROUP_IDS, SPACE_IDS
from monopoly_env.game import Game
from monopoly_env.value.features import (
    FEATURES,
    NAMES,
    TABLE_FEATURES,
    TABLE_NAMES,
    order_of_groups,
    place_of,
)
from monopoly_env.value.network import (
    BOARDS,
    PRINTED,
    new_work,
    set_for,
    set_of,
    with_set,
    write_all_features,
)
from monopoly_env.value.reference import chances_of
from monopoly_env.value.weights import Value, shipped_value


def test_every_feature_has_a_name_of_its_own():
    assert len(set(NAMES)) == len(NAMES) == FEATURES
    assert len(set(TABLE_NAMES)) == len(TABLE_NAMES) == TABLE_FEATURES


@pytest.mark.parametrize("edition", editions())
def test_color_groups_of_printed_editions_are_in_the_order_of_the_board(edition):
    order = order_of_groups(load_edition(edition).rules[0])
    assert [place_of(order, group) for group in range(COLORS)] == list(range(COLORS))


@pytest.mark.parametrize("number", range(5))
def test_color_groups_of_generated_boards_are_in_the_order_of_their_prices(number):
    """The first columns are those of the cheapest group, whichever color that is."""
    edition = load_edition(f"random:test:{number}")
    rules = edition.rules
    prices = [
        np.mean(
            [rules["price"][0, square] for square in range(40) if GROUP_BITS[group] >> square & 1]
        )
        for group in range(COLORS)
    ]
    by_price = np.argsort(prices, kind="stable").tolist()
    order = order_of_groups(rules[0])
    assert [place_of(order, group) for group in by_price] == list(range(COLORS))
    cheapest = [SPACE_IDS[square] for square in range(40) if GROUP_BITS[by_price[0]] >> square & 1]
    game = Game.from_position({"players": 2, "A": {"deeds": cheapest}}, edition=edition.id)
    seats = np.zeros((1, 8, FEATURES), np.float32)
    table, alive = np.zeros((1, TABLE_FEATURES), np.float32), np.zeros((1, 8), np.int8)
    write_all_features(game.state.reshape(1), rules, new_work(), seats, table, alive)
    found = dict(zip(NAMES, seats[0, 0].tolist(), strict=True))
    assert found["brown_part"] == found["brown_complete"] == 1
    assert sum(found[f"{group}_part"] for group in GROUP_IDS[:COLORS]) == 1
    assert dict(zip(TABLE_NAMES, table[0].tolist(), strict=True))["brown_unowned"] == 0


@pytest.mark.parametrize("edition", editions())
def test_printed_editions_have_weights_of_their_own(edition):
    assert set_for(load_edition(edition, "short").rules[0]) == PRINTED
    assert set_for(load_edition("random:test:3").rules[0]) == BOARDS
    assert set_for(load_edition("random:test:3:dial=0").rules[0]) == PRINTED


def test_each_set_of_weights_judges_its_boards():
    value, position = shipped_value(), {"players": 3, "A": {"deeds": ["boardwalk", "park_place"]}}
    none = {name: array * 0 for name, array in set_of(value.networks, PRINTED).items()}
    for which, kept in ((PRINTED, "classic"), (BOARDS, "random:test:3")):
        networks = with_set(value.networks, 1 - which, none)
        one = Value(networks, "", {})
        for edition in ("classic", "random:test:3"):
            game = Game.from_position(position, edition=edition)
            found = one.chances(game.state.reshape(1), game.edition.rules)[0, :3]
            usual = value.chances(game.state.reshape(1), game.edition.rules)[0, :3]
            expected = usual if edition == kept else np.full(3, 1 / 3)
            assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("path", [FROZEN, FROZEN_BOARDS])
def test_compiled_chances_are_those_of_numpy(path):
    positions, value, work = load_positions(path), shipped_value(), new_work()
    compared = 0
    for table, rows in rows_by_table(positions):
        states, rules = positions.states[rows[:20]], table.load().rules
        seats = np.zeros((len(states), 8, FEATURES), np.float32)
        shared = np.zeros((len(states), TABLE_FEATURES), np.float32)
        alive = np.zeros((len(states), 8), np.int8)
        write_all_features(states, rules, work, seats, shared, alive)
        assert np.isfinite(seats).all()
        assert np.isfinite(shared).all()
        open_ = alive.any(axis=1)
        in_double = (features.astype(np.float64) for features in (seats, shared))
        by_numpy = chances_of(value.networks, *in_double, alive, set_for(rules[0]))
        compiled = value.chances(states, rules)
        assert np.abs(by_numpy - compiled)[open_].max(initial=0) < 1e-4
        compared += int(open_.sum())
    assert compared > 1000


def test_a_rule_that_no_printed_edition_varies_does_not_upset_the_value():
    """A larger salary is a common house rule; the value saw only one."""
    position = {"players": 4, "A": {"deeds": ["park_place", "boardwalk"]}}
    usual = win_chances(Game.from_position(position))
    for salary in (150, 199, 201, 400):
        found = win_chances(Game.from_position(position, rules={"salary": salary}))
        assert found == pytest.approx(usual, abs=0.01), salary
