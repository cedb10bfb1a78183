"""NegMAS: its negotiators bargain over deals of a position, against one another and against bots."""

from __future__ import annotations

import pytest

pytest.importorskip("negmas")

from monopoly_training.negotiation.negmas_mechanism import (
    BotNegotiator,
    DealMechanism,
    deals_between,
)
from negmas.sao import AspirationNegotiator, BoulwareTBNegotiator, ToughNegotiator

from monopoly_env import Game, deal_values
from monopoly_env.errors import InputError
from tests.clients.negmas.bargain import POSITION, bargain


def game() -> Game:
    return Game.from_position(POSITION, seed=1)


def test_negotiators_of_negmas_agree_on_a_deal_that_helps_both() -> None:
    mechanism, played = bargain(lambda _: AspirationNegotiator(), lambda _: BoulwareTBNegotiator())
    assert mechanism.deal is not None
    values = deal_values(played, mechanism.deal)
    assert values.change[0] >= -1e-6
    assert values.change[1] >= -1e-6
    assert mechanism.carry_out(played)
    for item in mechanism.deal.give:
        assert played.state["owner"][item] == mechanism.deal.partner
    assert played.status() == 0


def test_utilities_are_changes_of_the_chance_to_win() -> None:
    mechanism = DealMechanism(game(), "AB")
    assert len(mechanism.deals) == 200  # docs/clients/negmas.md says so
    text, terms = next(iter(mechanism.deals.items()))
    assert float(mechanism.ufun("A")((text,))) == pytest.approx(
        deal_values(game(), terms).change[0], abs=1e-6
    )
    assert mechanism.ufun("A").reserved_value == 0


@pytest.mark.parametrize("bot", ["trader", "background"])
def test_a_bot_answers_as_it_answers_in_games(bot: str) -> None:
    mechanism, _ = bargain(
        lambda _: AspirationNegotiator(), lambda table: BotNegotiator(bot, table)
    )
    assert mechanism.state.ended


def test_a_bot_offers_too() -> None:
    mechanism, _ = bargain(
        lambda table: BotNegotiator("trader", table), lambda _: AspirationNegotiator()
    )
    own = mechanism.negotiators[0].id
    offered = [offer[0] for who, offer in mechanism.trace if who == own]
    gains = [float(mechanism.ufun("A")((text,))) for text in offered]
    assert min(gains) > 0
    assert gains == sorted(gains, reverse=True)


def test_no_agreement_changes_nothing() -> None:
    mechanism, played = bargain(lambda _: ToughNegotiator(), lambda _: ToughNegotiator(), steps=4)
    assert mechanism.deal is None
    assert not mechanism.carry_out(played)
    assert played == game()


def test_who_has_nothing_to_trade_cannot_bargain() -> None:
    bare = Game.from_position({"players": 2, "A": {"cash": 10}, "B": {"cash": 10}}, seed=1)
    assert deals_between(bare, 0, 1) == []
    with pytest.raises(InputError, match="A and B have nothing to trade here"):
        DealMechanism(bare, "AB")
