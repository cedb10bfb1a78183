"""Sentences of the journal: what is offered for what, and what is bid for."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.engine.journal import Event
from monopoly_env.replay import transcript
from tests.game.random_play import play_randomly

POSITION = {
    "players": 4,
    "turn": "A",
    "A": {"deeds": ["virginia", "reading"], "cash": 500, "cards": ["card_chance"]},
    "D": {"deeds": ["oriental"], "cash": 300},
}


@pytest.mark.parametrize(
    ("steps", "sentence"),
    [
        (
            "give:virginia give_cash:20 give_cash:20 ask:oriental",
            "A offers D: Virginia Avenue and $40 for Oriental Avenue",
        ),
        ("give:reading ask_cash:100", "A offers D: Reading Railroad for $100"),
        (
            "give:virginia give:reading give:card_chance ask:oriental",
            (
                "A offers D: Reading Railroad, Virginia Avenue and Get Out of Jail Free (Chance) "
                "for Oriental Avenue"
            ),
        ),
    ],
)
def test_an_offer_in_steps_says_its_terms(steps: str, sentence: str) -> None:
    game = Game.from_position(POSITION, seed=1)
    for action in ["deal:D", *steps.split(), "offer"]:
        game.play(action)
    assert [str(event) for event in game.journal()] == [sentence]
    assert f"D decides (ANSWER): {sentence}" in " ".join(str(game).split())
    assert sentence in "\n".join(transcript(game.record()))


def test_an_offer_of_the_menu_says_the_same() -> None:
    game = Game(players=3, seed=3, rules={"deals": "menu"})
    offers = 0
    for _ in play_randomly(game, 2000):
        for event in game.journal():
            if event.kind is Event.OFFER:
                offers += 1
                assert f"{event}" in " ".join(str(game).split())
                assert " for " in event.text
    assert offers


def test_a_bid_says_for_what() -> None:
    game = Game.from_position({"players": 2, "turn": "A"}, seed=1)
    while game.phase.name != "BUY":
        game.play(game.legal_ids()[0])
    name = game.edition.names.space(int(game.state["position"][game.actor_seat]))
    game.play("auction")
    bidder = game.actor
    game.play("raise:50")
    assert str(game.journal()[0]).startswith(f"{bidder} bids $")
    assert str(game.journal()[0]).endswith(f" for {name}")
