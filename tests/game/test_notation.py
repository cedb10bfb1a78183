"""Text and ids are two ways of writing the same actions."""

from __future__ import annotations

import pytest

from monopoly_env.engine.actions import N_ACTIONS, TEXTS
from monopoly_env.engine.why import Why
from monopoly_env.notation import (
    LETTERS,
    NotAnAction,
    action_texts,
    format_action,
    format_actions,
    letter_of,
    parse_action,
    seat_of,
)


@pytest.mark.parametrize("players", range(2, 9))
def test_every_action_is_read_as_it_is_written(players: int) -> None:
    for actor in range(players):
        texts = [format_action(action, actor, players) for action in range(N_ACTIONS)]
        assert len(set(texts)) == N_ACTIONS
        assert [parse_action(text, actor, players) for text in texts] == list(range(N_ACTIONS))


def test_seats_are_letters_in_text_and_relative_in_ids() -> None:
    left = TEXTS.index("deal:left1")
    assert format_action(left, 0, 4) == "deal:B"
    assert format_action(left, 3, 4) == "deal:A"
    assert parse_action("deal:A", 3, 4) == left
    assert format_actions([left, left + 1], 1, 3) == ["deal:C", "deal:A"]


def test_a_seat_beyond_the_table_has_no_letter() -> None:
    assert [text for text in action_texts(0, 2) if text.startswith("deal:")] == [
        "deal:B", "deal:left2", "deal:left3", "deal:left4", "deal:left5", "deal:left6",
        "deal:left7",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason", "says"),
    [
        ("attack:reading", Why.NOT_A_STREET, "not a street"),
        ("sell:reading", Why.NOT_A_STREET, "not a street"),
        ("build:go", Why.NOT_A_STREET, "not a street"),
        ("sell_group:railroad", Why.NOT_A_STREET, "not a street"),
        ("mortgage:go", Why.NOT_A_DEED, "no deed"),
        ("give:free_parking", Why.NOT_A_DEED, "no deed"),
        ("raise:3", Why.NOT_A_STEP, "steps of 1, 2, 5"),
        ("propose:33", Why.NO_MENU, "no such offer"),
        ("deal:D", Why.NO_SUCH_SEAT, "no player sits there"),
        ("deal:A", Why.NO_SUCH_SEAT, "A is the actor"),
        ("build:boardwalc", Why.NO_SUCH_ACTION, "did you mean 'boardwalk'?"),
        ("biuld:boardwalk", Why.NO_SUCH_ACTION, "did you mean 'build'?"),
        ("raise:much", Why.NO_SUCH_ACTION, "a whole number"),
        ("raise:-1", Why.NO_SUCH_ACTION, "a whole number"),
        ("deal:b", Why.NO_SUCH_ACTION, "seats are letters"),
        ("deal:AB", Why.NO_SUCH_ACTION, "seats are letters"),
        ("roll:", Why.NO_SUCH_ACTION, "roll takes no argument"),
        ("build", Why.NO_SUCH_ACTION, "build needs one, such as build:boardwalk"),
        ("Roll", Why.NO_SUCH_ACTION, "did you mean 'roll'?"),
        ("", Why.NO_SUCH_ACTION, "no action ''"),
        ("x" * 10_000, Why.NO_SUCH_ACTION, "no action 'xxx"),
    ],
)
def test_text_that_no_action_has_gets_a_reason(text: str, reason: Why, says: str) -> None:
    with pytest.raises(NotAnAction) as caught:
        parse_action(text, 0, 3)
    assert caught.value.reason is reason
    assert says in str(caught.value)
    assert len(str(caught.value)) < 500


def test_every_reason_has_a_sentence() -> None:
    assert all(str(why) for why in Why)


def test_letters_and_seats() -> None:
    assert [seat_of(letter) for letter in LETTERS] == list(range(8))
    assert [letter_of(seat) for seat in range(-1, 8)] == [None, *LETTERS]
    for wrong in ("", "AB", "a", "I", "D"):
        with pytest.raises(ValueError, match="no player"):
            seat_of(wrong, 3)
    for wrong_id in (-1, N_ACTIONS):
        with pytest.raises(IndexError):
            format_action(wrong_id, 0, 4)
