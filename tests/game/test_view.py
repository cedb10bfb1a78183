"""A view shows the decision, and nothing that is hidden."""

from __future__ import annotations

import numpy as np

from monopoly_env import Game
from monopoly_env.view import View


def test_a_view_hides_what_nobody_can_see() -> None:
    game = Game("classic", 3, 8)
    view = View.of(game)
    record = view.record
    assert record["rng"] == 0
    for pile in range(2):
        unseen = record["deck"][pile][: record["unseen"][pile]].tolist()
        assert unseen == sorted(unseen)
    assert view.game == game.wiped()


def test_a_view_shows_the_decision() -> None:
    game = Game("classic", 4, 7, rules={"deals": "menu"})
    view = View.of(game)
    assert view.seat == game.actor_seat
    assert view.legal_actions == game.legal_actions()
    assert view.mask.tolist() == game.legal_mask().tolist()
    assert view.menu == ()
    assert view.observation.dtype == np.float32


def test_a_view_shows_the_deal_menu() -> None:
    position = {
        "players": 2,
        "rules": {"deals": "menu"},
        "A": {"deeds": ["kentucky", "indiana"]},
        "B": {"deeds": ["illinois"]},
    }
    game = Game.from_position(position, seed=1)
    offers = View.of(game).menu
    assert offers
    for offer in offers:
        twin = game.copy()
        assert game.text(offer.action).startswith("propose:")
        twin.play(offer.action)
        state = twin.state
        assert offer.partner == state["partner"]
        assert sum(1 << square for square in offer.give) == state["deal_give"]
        assert sum(1 << square for square in offer.ask) == state["deal_ask"]
        assert offer.cash == state["deal_ask_cash"] - state["deal_give_cash"]


def test_a_view_outlives_the_decision() -> None:
    game = Game("classic", 2, 7)
    view = View.of(game)
    before = view.record["turns"], view.mask.sum()
    for _ in range(20):
        game.play(game.legal_ids()[0])
    assert (view.record["turns"], view.mask.sum()) == before
