"""What dice and cards an action can bring, and actions with given ones."""

from __future__ import annotations

from collections import Counter

import pytest

from monopoly_env import Game, IllegalAction
from monopoly_env.chance import THROWS
from monopoly_env.engine.cards import CARD_IDS
from monopoly_env.engine.journal import Event
from monopoly_env.errors import InputError
from monopoly_env.replay import replay
from tests.engine.chi_square import chi_square, limit
from tests.game.random_play import played


def came(game: Game) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
    """The throws and cards of the last action, as its journal has them."""
    events = game.journal()
    dice = tuple((e.square, e.amount) for e in events if e.kind is Event.THROW)
    return dice, tuple(CARD_IDS[e.square] for e in events if e.kind is Event.CARD)


def to_throw(seed: int, decisions: int) -> Game:
    """A game in play, where somebody is about to throw."""
    game = played(decisions, players=3, seed=seed)
    while not game.over and "roll" not in game.legal_actions():
        game.play(game.legal_ids()[-1])
    return game


@pytest.mark.parametrize("seed", range(4))
def test_every_outcome_comes_as_it_says_and_they_sum_to_one(seed: int) -> None:
    game = to_throw(seed, 150)
    before = game.copy()
    outcomes = game.chance_outcomes()
    assert sum(one.probability for one in outcomes) == pytest.approx(1)
    assert len({(one.dice, one.cards) for one in outcomes}) == len(outcomes) >= 36
    for one in outcomes[::5]:
        tried = game.copy()
        tried.play("roll", dice=one.dice, card=one.cards)
        assert came(tried) == (one.dice, one.cards)
        assert tried.status() == 0
    assert game == before


def test_what_is_hidden_changes_nothing() -> None:
    game = to_throw(3, 200)
    other = game.copy()
    other.redraw(5)
    assert game.chance_outcomes() == other.chance_outcomes()


def test_throws_come_as_often_as_they_say() -> None:
    """Redrawn games, against the probabilities; one outcome a class, rare ones together."""
    game = to_throw(1, 120)
    expected = {(one.dice, one.cards): one.probability for one in game.chance_outcomes()}
    seen = Counter[object]()
    n = 6000
    for seed in range(n):
        tried = game.copy()
        tried.redraw(seed)
        tried.play("roll")
        seen[came(tried)] += 1
    assert set(seen) <= set(expected)
    often = [key for key, chance in expected.items() if n * chance > 8]
    counts = [seen[key] for key in often]
    shares = [expected[key] for key in often]
    if sum(shares) < 1 - 1e-9:
        counts.append(n - sum(counts))
        shares.append(1 - sum(shares))
    assert chi_square(counts, shares) < limit(len(counts) - 1)


def test_an_action_without_dice_and_cards_has_one_empty_outcome() -> None:
    game = Game.from_position({"players": 2, "A": {"jail": 1, "cash": 500}}, seed=1)
    (one,) = game.chance_outcomes("jail_pay")
    assert (one.dice, one.cards, one.probability) == ((), (), 1)


def test_a_card_may_bring_another_throw_or_card() -> None:
    """Chance sends A to a utility that B has: it throws again for the rent."""
    position = {"players": 2, "turn": "A", "B": {"deeds": ["electric", "water"]}}
    game = Game.from_position(position, seed=1)
    outcomes = game.chance_outcomes()
    assert max(len(one.dice) for one in outcomes) == 2
    game.play("roll", dice=[(3, 4), (6, 6)], card="ch_utility")
    assert came(game) == (((3, 4), (6, 6)), ("ch_utility",))
    assert game.hand("B").cash == 1500 + 10 * 12


def test_two_cards_of_one_action() -> None:
    game = Game.from_position({"players": 2, "A": {"at": "marvin"}}, seed=1)
    game.play("roll", dice=(3, 4), card=["ch_back3", "cc_inherit"])
    assert came(game)[1] == ("ch_back3", "cc_inherit")


def test_kept_and_drawn_cards_do_not_come() -> None:
    game = Game.from_position({"players": 2, "B": {"cards": ["card_chance"]}}, seed=1)
    cards = {card for one in game.chance_outcomes() for card in one.cards}
    assert "ch_goojf" not in cards
    assert "cc_goojf" in cards
    game.play("roll", dice=(3, 4), card="ch_dividend")
    while "roll" not in game.legal_actions():
        game.play(game.legal_ids()[-1])
    later = {card for one in game.chance_outcomes() for card in one.cards}
    assert "ch_dividend" not in later


def test_what_follows_is_the_games_own_and_the_record_begins_there() -> None:
    game = Game(players=2, seed=7)
    other = game.copy()
    game.play("roll", dice=(1, 2))
    other.play("roll", dice=[(1, 2)])
    assert game == other
    for _ in range(30):
        game.play(game.legal_ids()[0])
        other.play(other.legal_ids()[0])
    assert game == other
    assert replay(game.record()) == game


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"dice": 7}, "dice: must be a throw"),
        ({"dice": (0, 7)}, "dice: must be from 1 to 6, not 0"),
        ({"dice": [(1, 2, 3)]}, "dice: must be two dice"),
        ({"dice": [(1, 2), (3, 4)]}, "dice: this action makes 1 throws, not 2"),
        ({"card": "ch_gold"}, "card: there is no card 'ch_gold'; did you mean 'ch_go'"),
        ({"card": 3}, "card: must be the id of a card"),
        ({"dice": (1, 2), "card": "ch_go"}, "card: this action draws 0 cards, not 1"),
        ({"dice": (3, 4), "card": ["ch_go", "ch_go"]}, "card: ch_go cannot be drawn next"),
    ],
    ids=str,
)
def test_what_cannot_come_is_one_line_and_changes_nothing(given: dict, problem: str) -> None:
    game = Game(players=2, seed=7)
    before = game.copy()
    with pytest.raises(InputError, match=problem):
        game.play("roll", **given)
    assert game == before


def test_illegal_actions_are_refused_as_ever() -> None:
    game = Game(players=2, seed=7)
    for call in (lambda: game.play("buy", dice=(1, 2)), lambda: game.chance_outcomes("buy")):
        with pytest.raises(IllegalAction, match="not possible in this phase"):
            call()


def test_there_are_36_throws() -> None:
    assert len(set(THROWS)) == 36
