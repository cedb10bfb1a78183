"""What the value says of positions, whoever asks: sums, symmetry, nothing hidden, nothing changed."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from value.seats import turned

from monopoly_env import Game, win_chances
from monopoly_env.editions.loader import editions
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import InputError, PositionError
from monopoly_env.value.weights import shipped_value
from monopoly_env.view import View


def played(edition="classic", players=4, seed=1, mode="standard", decisions=400):
    """A game that was played at random for a while."""
    game = Game(edition, players, seed, mode, rules={"max_players": 8}, journal=False)
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        if game.over:
            break
        game.play(int(rng.choice(game.legal_ids())))
    return game


@pytest.mark.parametrize("edition", editions())
@pytest.mark.parametrize("mode", ["standard", "short"])
def test_chances_are_sane_in_every_edition_mode_and_number_of_players(edition, mode):
    for players in range(2, 9):
        for seed in range(3):
            game = played(edition, players, seed, mode)
            chances = win_chances(game)
            assert chances.shape == (players,)
            assert chances.sum() == pytest.approx(1)
            assert np.all(chances >= 0)
            out = game.state["out"][:players] != 0
            assert np.all(chances[out] == 0)
            start = Game(edition, players, seed, mode, rules={"max_players": 8})
            if mode == "standard":  # the short game deals deeds
                assert np.all(np.abs(win_chances(start) - 1 / players) < 0.5 / players)


def test_turning_the_seats_turns_the_chances():
    for seed in range(10):
        game = played(seed=seed, players=5)
        while game.phase is not Phase.TURN:
            game.play(int(np.random.default_rng(seed).choice(game.legal_ids())))
            if game.over:
                break
        if game.over:
            continue
        games, value = game.state.reshape(1), shipped_value()
        before = value.chances(games, game.edition.rules)[0, :5]
        for shift in range(1, 5):
            after = value.chances(turned(games, shift), game.edition.rules)[0, :5]
            assert after == pytest.approx(np.roll(before, -shift), abs=1e-5)


def test_nothing_hidden_is_used_and_nothing_is_changed():
    game = played(seed=3)
    before = game.copy()
    chances = win_chances(game)
    assert game == before
    for seed in range(5):
        game.redraw(seed)
        assert np.array_equal(win_chances(game), chances)
    assert np.array_equal(win_chances(game.wiped()), chances)
    if not game.over:
        assert np.array_equal(win_chances(View.of(game)), chances)


def test_more_is_better():
    def chance(**a):
        position = {"players": 4, "turn": "A", "A": a, "B": {"deeds": ["oriental"]}}
        return win_chances(Game.from_position(position, seed=1))[0]

    assert chance(cash=3000) > chance(cash=1500) > chance(cash=100)
    orange = ["st_james", "tennessee", "new_york"]
    assert chance(deeds=orange) > chance(deeds=orange[:2]) > chance()


def test_a_game_that_is_over_is_won():
    game = Game(players=2, seed=1, rules={"max_turns": 1})
    while not game.over:
        game.play(game.legal_ids()[0])
    best = [row.rank == 1 for row in sorted(game.standings(), key=lambda row: row.player)]
    assert win_chances(game).tolist() == (np.array(best) / sum(best)).tolist()


def test_positions_come_as_mappings_and_files(tmp_path):
    game = played(seed=4)
    path = tmp_path / "position.yaml"
    path.write_text(game.to_yaml())
    assert win_chances(path) == pytest.approx(win_chances(game))
    with pytest.raises(PositionError, match="players"):
        win_chances({"players": 99})


def test_environments_and_bots_do_not_load_the_network():
    code = """
import sys, monopoly_env
env = monopoly_env.VectorEnv(2, opponents=["veteran"] * 3)
env.reset(seed=1)
assert "monopoly_env.value.network" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("value", ["value.safetensors", 5, {}, [], 0])
def test_what_is_no_value_is_named(value):
    with pytest.raises(InputError, match="value: must be what load_value gives, or None, not"):
        win_chances(Game(players=2, seed=1), value)
