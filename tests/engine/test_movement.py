"""Moving a token, and the salary at GO."""

from __future__ import annotations

import pytest

from monopoly_env.engine.journal import Event
from tests.engine.positions import EDITIONS, events, play, position


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("throw", "square"), [((1, 2), "go"), ((4, 6), "chance_1")]
)  # onto, and past
def test_go_reached_or_passed_pays_the_salary(
    edition: str, throw: tuple[int, int], square: str
) -> None:
    game = position(A={"at": "park_place"}, dice=[throw], chance=["ch_goojf"], edition=edition)
    play(game, "A roll")
    assert (game.hand("A").at, game.cash) == (square, (1700, 1500))


def test_standing_on_go_pays_nothing_more() -> None:
    assert play(position(dice=[(4, 6)]), "A roll").cash == (1500, 1500)


def test_a_bonus_for_landing_on_go_is_a_house_rule() -> None:
    double: dict[str, object] = {"landing_bonus": 200}
    onto = position(A={"at": "park_place"}, dice=[(1, 2)], rules=double)
    assert play(onto, "A roll").cash == (1900, 1500)
    past = position(A={"at": "park_place"}, dice=[(1, 4)], chest=["cc_goojf"], rules=double)
    assert play(past, "A roll").cash == (1700, 1500)


@pytest.mark.parametrize("edition", EDITIONS)
def test_go_can_be_passed_and_reached_in_one_turn(edition: str) -> None:
    """To the Community Chest beyond GO, and back to GO by its card. Source: 001 line 146."""
    game = position(A={"at": "park_place"}, dice=[(1, 4)], chest=["cc_go"], edition=edition)
    play(game, "A roll")
    assert (game.hand("A").at, game.cash) == ("go", (1900, 1500))


def test_moving_back_past_go_pays_nothing() -> None:
    """No card of these decks leads back over GO; from the Community Chest on 2 one could."""
    game = position(A={"at": "bno"}, dice=[(5, 6)], chance=["ch_back3"], chest=["cc_goojf"])
    play(game, "A roll")
    assert (game.hand("A").at, game.cash) == ("chest_3", (1500, 1500))
    assert events(game, Event.MOVE) == [("A", "bank", 36, 0), ("A", "bank", 33, 0)]
    assert game.hand("A").cards == ("card_chest",)  # the space is resolved


def test_a_move_says_whether_go_was_passed() -> None:
    game = play(position(A={"at": "park_place"}, dice=[(1, 2)]), "A roll")
    assert events(game, Event.MOVE) == [("A", "bank", 0, 1)]
    game = play(position(dice=[(4, 6)]), "A roll")
    assert events(game, Event.MOVE) == [("A", "bank", 10, 0)]


def test_laps_are_counted_at_go() -> None:
    game = position(A={"at": "park_place"}, dice=[(1, 2)], engine={"laps": {"A": 3, "B": 0}})
    assert play(game, "A roll").state["laps"][:2].tolist() == [4, 0]
    far = position(A={"at": "park_place"}, dice=[(1, 2)], engine={"laps": {"A": 100, "B": 0}})
    assert play(far, "A roll").state["laps"][:2].tolist() == [100, 0]


def test_two_tokens_may_stand_on_one_space() -> None:
    game = play(position(B={"at": "jail"}, dice=[(4, 6)]), "A roll")
    assert game.hand("A").at == game.hand("B").at == "jail"
