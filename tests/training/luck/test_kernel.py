"""The luck of a throw: its mean over all throws and cards is nothing, whatever judges."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.luck.kernel import (
    Judge,
    landing,
    luck_of_throw,
    new_luck_work,
    pile_at,
)

from monopoly_env import Game
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import copy_records
from monopoly_env.engine.dice import below
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.value.weights import shipped_value


@jit
def pips_of(games):
    return below(games[0], 36)


@jit
def pile_of(games, rules_, one, other):
    return pile_at(landing(games[0], rules_[0], one, other))


@jit
def measure(games, rules_, journals, judge, networks, works, luck):
    luck[:] = 0.0
    luck_of_throw(games[0], rules_[0], journals[0], judge, networks[0], works[0], luck)


def generators():
    """A state of the generator for each of the 36 throws."""
    games, found = Game(players=2, seed=1).state.reshape(1).copy(), {}
    state = 0
    while len(found) < 36:
        state += 1
        games["rng"] = state
        found.setdefault(pips_of(games), state)
    return [found[pips] for pips in range(36)]


GENERATORS = generators()


def positions():
    """Positions before a throw: ordinary ones, in Jail, before a third double, poor, near the end."""
    rng = np.random.default_rng(5)
    for seed, edition, rules in ((1, "classic", {}), (2, "kanto2014", {"utility_fresh_throw": 1})):
        game = Game(edition, 4, seed, rules=rules, journal=False)
        for count in range(700):
            if game.over:
                break
            if game.phase is Phase.TURN and count % 97 < 3:
                yield game.copy()
            game.play(int(rng.choice(game.legal_ids())))
    start = {"players": 3, "turn": "A", "A": {"cash": 20, "deeds": ["boardwalk"]}}
    yield Game.from_position({**start, "A": {"jail": 2}}, seed=1)
    yield Game.from_position({**start, "A": {"jail": 0}, "B": {"deeds": ["electric"]}}, seed=2)
    yield Game.from_position({**start, "A": {"at": "chance_3", "cash": 5}}, seed=3)


@pytest.mark.parametrize("judge", list(Judge))
def test_the_mean_over_all_throws_and_cards_is_nothing(judge):
    work, journals, networks = new_luck_work(), new_journals(1, on=False), shipped_value().networks
    drawn = luck_seen = 0
    for game in positions():
        rules, mean, most = game.edition.rules, np.zeros(8), 0.0
        for pips, state in enumerate(GENERATORS):
            games = copy_records(game.state.reshape(1))
            games["rng"] = state
            one, other = sorted((1 + pips // 6, 1 + pips % 6))
            pile = pile_of(games, rules, one, other)
            cards = int(games["unseen"][0, pile]) if pile >= 0 else 0
            for top in range(max(cards, 1)):
                tried = copy_records(games)
                if cards:
                    deck = tried["deck"][0, pile]
                    deck[[0, top]] = deck[[top, 0]]
                    drawn += 1
                luck = np.zeros(8)
                before = tried.tobytes()
                measure(tried, rules, journals, judge, networks, work, luck)
                assert tried.tobytes() == before
                assert abs(luck.sum()) < 1e-9  # what one seat gains others lose
                mean += luck / (36 * max(cards, 1))
                most = max(most, np.abs(luck).max())
        assert np.abs(mean).max() < 1e-9
        luck_seen += most > 0.001
    assert drawn > 100
    assert luck_seen > 5


def test_laid_dice_are_no_luck():
    start = {"players": 2, "turn": "A", "hidden": {"dice": [[6, 6]]}}
    game = Game.from_position(start, seed=1)
    luck = np.ones(8)
    measure(
        game.state.reshape(1), game.edition.rules, new_journals(1, on=False), Judge.FORMULA,
        shipped_value().networks, new_luck_work(), luck,
    )  # fmt: skip
    assert not luck.any()
