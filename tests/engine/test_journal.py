"""What happened since the last decision: throws, payments, cards, deeds changing hands."""

from __future__ import annotations

from monopoly_env import Game
from monopoly_env.engine.journal import EVENTS, Event, Reason, new_journals, note
from tests.engine.positions import ORANGES, play, position

NOBODY = -1


def told(game: Game) -> list[tuple[Event, int, int, int, int]]:
    """Every event since the last action, with its numbers."""
    return [(e.kind, e.player, e.other, e.square, e.amount) for e in game.journal()]


def test_a_throw_a_move_and_a_salary_are_told_in_order() -> None:
    game = play(position(A={"at": "boardwalk"}, dice=[(4, 6)]), "A roll")
    assert told(game)[:3] == [
        (Event.THROW, 0, 0, 4, 6),
        (Event.MOVE, 0, NOBODY, 9, 1),
        (Event.PAY, NOBODY, 0, Reason.SALARY, 200),
    ]


def test_a_purchase_is_a_payment_and_a_deed() -> None:
    game = play(position(dice=[(1, 2)]), "A roll", "A buy")
    assert told(game) == [
        (Event.PAY, 0, NOBODY, Reason.PRICE, 60),
        (Event.DEED, 0, NOBODY, 3, 0),
    ]


def test_building_and_selling_tell_what_stands_there_now() -> None:
    game = play(position(A={"deeds": ORANGES}), "A build:new_york")
    assert told(game) == [
        (Event.PAY, 0, NOBODY, Reason.BUILDING, 100),
        (Event.BUILD, 0, NOBODY, 19, 1),
    ]
    play(game, "A sell:new_york")
    assert told(game) == [
        (Event.SELL, 0, NOBODY, 19, 0),
        (Event.PAY, NOBODY, 0, Reason.BUILDING, 50),
    ]


def test_a_mortgage_and_its_lifting_are_told() -> None:
    game = play(position(A={"deeds": ["water"]}), "A mortgage:water")
    assert told(game)[0] == (Event.MORTGAGE, 0, NOBODY, 28, 0)
    play(game, "A lift:water")
    assert told(game) == [
        (Event.LIFT, 0, NOBODY, 28, 0),
        (Event.PAY, 0, NOBODY, Reason.LIFT, 83),
    ]


def test_an_auction_tells_every_bid_and_pass() -> None:
    game = play(position(dice=[(1, 2)]), "A roll", "A auction")
    assert told(game) == [(Event.AUCTION, 1, 0, 3, 1)]
    play(game, "B raise:20")
    assert told(game) == [(Event.BID, 1, NOBODY, 3, 20)]
    play(game, "A pass")
    assert told(game)[0] == (Event.PASS, 0, NOBODY, 3, 0)


def test_the_turn_that_begins_is_told_with_its_number() -> None:
    game = play(position(dice=[(4, 6)]), "A roll")
    assert told(game)[-1] == (Event.TURN, 1, NOBODY, NOBODY, 2)


def test_a_card_names_its_pile() -> None:
    game = play(position(A={"at": "electric"}, dice=[(2, 3)], chest=["cc_beauty"]), "A roll")
    (kind, player, pile, card, _) = told(game)[2]
    assert (kind, player, pile) == (Event.CARD, 0, 1)
    assert "$10" in str(game.journal()[2])
    assert card > 0


def test_a_journal_that_is_off_notes_nothing() -> None:
    journals = new_journals(1, on=False)
    note(journals[0], Event.THROW, 0, 0, 1, 2)
    assert int(journals[0]["length"]) == 0


def test_a_full_journal_drops_what_comes_after() -> None:
    journals = new_journals(1)
    for number in range(EVENTS + 3):
        note(journals[0], Event.PAY, 0, 1, 0, number)
    assert int(journals[0]["length"]) == EVENTS
    assert int(journals[0]["events"][EVENTS - 1]["amount"]) == EVENTS - 1


def test_nothing_happens_unseen() -> None:
    """Every change of cash is a payment: the journal adds up to the hands."""
    game = position(
        3, A={"cash": 7, "deeds": ["baltic", "oriental*"]},
        B={"deeds": ["reading", "pennsylvania_rr", "bno", "short_line"]}, dice=[(2, 3)],
    )  # fmt: skip
    before = list(game.cash)
    play(game, "A roll", "A bankrupt")
    for event in game.journal():
        if event.kind is Event.PAY:
            for seat, sign in ((event.player, -1), (event.other, 1)):
                if seat >= 0:
                    before[seat] += sign * event.amount
    assert tuple(before) == game.cash
