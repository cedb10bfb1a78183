"""The two piles: the top card is drawn and goes under its pile, but for the one that is kept."""

from __future__ import annotations

import pytest

from monopoly_env import Game
from monopoly_env.engine.decks import CARD_IDS, CardKind
from monopoly_env.engine.journal import Event
from tests.engine.positions import EDITIONS, events, play, position


def pile(game: Game, name: str) -> list[str]:
    """The cards of a pile, top card first."""
    cards: list[str] = game.position()["hidden"][name]
    return cards


@pytest.mark.promise("chance")
def test_the_card_drawn_goes_under_the_pile() -> None:
    game = position(dice=[(3, 4)], chance=["ch_dividend", "ch_loan"])
    before = pile(game, "chance")
    play(game, "A roll")
    assert pile(game, "chance") == [*before[1:], "ch_dividend"]
    assert pile(game, "chest") == pile(position(), "chest")


@pytest.mark.promise("chance")
def test_the_next_player_draws_the_next_card() -> None:
    game = position(dice=[(3, 4), (3, 4)], chance=["ch_dividend", "ch_loan"])
    assert play(game, "A roll", "B roll").cash == (1550, 1650)


@pytest.mark.promise("chance")
@pytest.mark.parametrize(
    ("name", "card", "start", "throw"),
    [("chance", "ch_goojf", "go", (3, 4)), ("chest", "cc_goojf", "electric", (2, 3))],
)
def test_get_out_of_jail_free_leaves_its_pile_while_it_is_held(
    name: str, card: str, start: str, throw: tuple[int, int]
) -> None:
    game = position(A={"at": start}, dice=[throw], **{name: [card]})
    assert len(pile(game, name)) == 16
    play(game, "A roll")
    assert len(pile(game, name)) == 15
    assert card not in pile(game, name)
    assert game.hand("A").cards == (f"card_{name}",)


@pytest.mark.promise("chance")
def test_a_card_played_goes_under_its_pile() -> None:
    game = position(A={"jail": 0, "cards": ["card_chance"]}, chance=["ch_loan"])
    play(game, "A jail_card")
    assert events(game, Event.RETURN_CARD) == [("A", "bank", 0, 0)]
    assert len(pile(game, "chance")) == 16
    assert (pile(game, "chance")[0], pile(game, "chance")[-1]) == ("ch_loan", "ch_goojf")


def test_cards_drawn_are_known_and_the_others_are_not() -> None:
    game = position(dice=[(3, 4), (3, 4)], chance=["ch_dividend", "ch_goojf"])
    assert game.state["unseen"].tolist() == [16, 16]
    play(game, "A roll")
    assert game.state["unseen"].tolist() == [15, 16]
    play(game, "B roll")
    assert game.state["unseen"].tolist() == [14, 16]


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_pile_has_one_card_to_keep(edition: str) -> None:
    rules = position(edition=edition).edition.rules[0]
    for cards in rules["deck"]:
        kinds = [rules["card_kind"][card] for card in cards]
        assert kinds.count(CardKind.KEEP) == 1
        assert len(set(cards.tolist())) == 16


def test_ids_name_the_pile() -> None:
    assert len(set(CARD_IDS)) == len(CARD_IDS) == 33
    assert sum(card.startswith("ch_") for card in CARD_IDS) == 16
    assert all(card.startswith(("ch_", "cc_")) for card in CARD_IDS)
