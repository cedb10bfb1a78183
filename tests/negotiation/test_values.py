"""What an offer does to everybody's chance to win: by the value, and by paired rollouts."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env import Game, Terms, deal_values, rollouts, win_chances
from monopoly_env.errors import InputError
from monopoly_env.negotiation.changes import changes, packages, tradable_items
from monopoly_env.view import View
from tests.negotiation.test_terms import BALTIC, BOARDWALK, PARK, POSITION

OFFER = Terms(0, 1, (), (BOARDWALK,), -400)


def game() -> Game:
    return Game.from_position(POSITION, seed=1)


def test_the_value_is_that_of_the_positions_after_the_two_answers() -> None:
    values = deal_values(game(), OFFER)
    played = game()
    for action in OFFER.actions():
        played.play(action)
    for answer, chances in (("reject", values.before), ("accept", values.after)):
        after = played.copy()
        after.play(answer)
        # the position differs only in the count of offers, which the value does not see
        np.testing.assert_allclose(chances, win_chances(after), atol=1e-6)
    assert abs(values.change.sum()) < 1e-9
    assert values.joint == pytest.approx(-values.change[2])
    assert np.isnan(values.standard_error).all()


def test_who_completes_a_group_gains_and_third_parties_lose() -> None:
    values = deal_values(game(), OFFER, samples=400)
    assert values.samples == 400
    assert values.change[0] > 5 * values.standard_error[0]
    assert values.change[2] < -5 * values.standard_error[2]
    assert abs(values.change.sum()) < 1e-6


def test_errors_are_those_of_paired_differences() -> None:
    """Far smaller than of two separate means: the same dice are thrown after both answers."""
    values = deal_values(game(), OFFER, samples=300, seed=5)
    both = [game(), game()]
    for answered, answer in zip(both, ("accept", "reject"), strict=True):
        for action in (*OFFER.actions(), answer):
            answered.play(action)
    alone = rollouts(both, "veteran", samples=300, horizon=12, seed=5)
    assert (values.standard_error < np.hypot(*alone.standard_error)[:3]).all()
    other = deal_values(game(), OFFER, samples=300, seed=6)
    spread = np.hypot(values.standard_error, other.standard_error)
    assert (np.abs(values.change - other.change) < 5 * spread).all()


def test_rollouts_and_the_value_agree_about_who_gains() -> None:
    quick, sampled = deal_values(game(), OFFER), deal_values(game(), OFFER, samples=300)
    assert (np.sign(quick.change) == np.sign(sampled.change)).all()


def test_the_offer_may_be_data_or_the_one_that_waits() -> None:
    by_data = deal_values(POSITION, {"to": "B", "ask": ["boardwalk"], "give_cash": 400})
    assert by_data.terms == OFFER
    played = game()
    for action in OFFER.actions():
        played.play(action)
    waiting = deal_values(View.of(played))
    assert waiting.terms == OFFER
    np.testing.assert_allclose(waiting.change, by_data.change, atol=1e-9)


def test_nothing_changes_in_the_game() -> None:
    asked = game()
    deal_values(asked, OFFER, samples=4)
    assert asked == game()


def test_values_as_data_name_every_seat() -> None:
    row = deal_values(game(), OFFER).as_dict()
    assert list(row["seats"]) == ["A", "B", "C"]
    assert row["seats"]["A"]["standard_error"] is None
    assert row["terms"]["ask"] == ["boardwalk"]


@pytest.mark.parametrize(
    ("offer", "problem"),
    [
        (None, "none waits for an answer"),
        ({"to": "B", "ask": ["baltic"], "give_cash": 1}, "it belongs to another player"),
    ],
)
def test_what_cannot_be_valued_is_said(offer: object, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        deal_values(game(), offer)


def test_a_deal_in_debt_is_the_debtor_s() -> None:
    debt = {
        "players": 3,
        "turn": "A",
        "A": {"deeds": ["park_place"], "cash": 10},
        "B": {"deeds": ["boardwalk"], "cash": 900},
        "engine": {
            "agenda": [
                {"task": "END", "player": "A"},
                {"task": "DEBT", "player": "A", "amount": 250},
            ]
        },
    }
    offer = {"from": "A", "to": "B", "give": ["park_place"], "ask_cash": 300}
    values = deal_values(debt, offer)
    assert values.change[1] > 0
    with pytest.raises(InputError, match="A is in debt, and makes the offers"):
        deal_values(debt, {**offer, "from": "B", "to": "A", "give": ["boardwalk"], "ask_cash": 5})


# Many at once


def test_many_deals_at_once_are_valued_as_one_by_one() -> None:
    offers = [OFFER, Terms(0, 2, (BALTIC,), (), 60), Terms(1, 2, (BOARDWALK,), (), 300)]
    rows = changes(game(), offers)
    for row, offer in zip(rows, offers, strict=True):
        np.testing.assert_allclose(row, deal_values(game(), offer).change, atol=1e-6)
    assert changes(game(), []).shape == (0, 3)


def test_mortgaged_deeds_cost_their_interest() -> None:
    position = {**POSITION, "B": {"deeds": ["boardwalk*"], "cash": 800}}
    start = Game.from_position(position, seed=1)
    (row,) = changes(start, [OFFER])
    dearer = changes(start, [Terms(0, 1, (), (BOARDWALK,), -420)])
    assert row[0] > dearer[0, 0]


def test_packages_are_what_two_seats_could_swap() -> None:
    assert tradable_items(game(), 0) == (BALTIC, PARK)
    offers = packages(game(), 0, 1)
    assert len(offers) == 3 * 2 - 1
    assert Terms(0, 1, (PARK,), (BOARDWALK,), -50) in offers
