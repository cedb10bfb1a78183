"""Promises: read, refused where they mean nothing, and kept or broken by what happens."""

from __future__ import annotations

import pytest

from monopoly_env import Game, Terms
from monopoly_env.errors import InputError
from monopoly_env.negotiation.ledger import Ledger, Status, kept_rate
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.promises import Kind, Promise, read_promise, why_not
from monopoly_env.negotiation.talks import Talks

BALTIC, MEDITERRANEAN, BOARDWALK = 3, 1, 39
SELL = {"kind": "sell", "to": "B", "deed": "baltic", "at_most": 90, "until": 4}
ALL_KINDS = [
    SELL,
    {"kind": "buy", "to": "B", "deed": "boardwalk", "at_least": 400, "until": 4},
    {"kind": "keep", "to": "all", "deed": "baltic", "until": 4},
    {"kind": "no_build", "to": "B", "group": "brown", "until": 4},
    {"kind": "no_build", "to": "all", "until": 4},
    {"kind": "no_bid", "to": "C", "deed": "reading", "until": 4},
    {"kind": "no_deal", "to": "B", "with": "C", "until": 4},
]
POSITION = {
    "players": 3,
    "turn": "A",
    "A": {"deeds": ["mediterranean", "baltic"], "cash": 900},
    "B": {"deeds": ["boardwalk"], "cash": 900},
    "C": {"cash": 900},
}


class Seated:
    """A game that is played action by action, with a promise of A."""

    def __init__(self, promise: dict, position: dict | None = None, **more: object) -> None:
        self.game = Game.from_position({**POSITION, **(position or {})}, seed=3, **more)
        self.talks = Talks(NegotiationOptions())
        self.promise = read_promise(promise, 0, 3)
        self.talks.ledger.add(self.promise, 0)

    def take(self, action: int) -> None:
        before = self.talks.before(self.game, action)
        self.game.play(action)
        self.talks.after(before, self.game)

    def play(self, *actions: str) -> Seated:
        for action in actions:
            self.take(self.game.id(action))
        return self

    def until_round(self, number: int) -> Seated:
        """Play on without deals, building or bids."""
        keep_off = ("deal", "build", "open", "raise", "buy", "lift", "sell", "mortgage", "bankrupt")
        while self.game.state["rounds"] + 1 < number and not self.game.over:
            legal = self.game.legal_actions()
            calm = [a for a in legal if a.partition(":")[0] not in keep_off]
            self.play((calm or legal)[0])
        return self

    @property
    def status(self) -> str:
        return str(self.talks.ledger.outcomes[0].status)


@pytest.mark.parametrize("given", ALL_KINDS, ids=lambda given: given["kind"])
def test_promises_read_back_what_they_say(given: dict) -> None:
    promise = read_promise(given, 0, 3)
    assert promise.as_dict() == given
    assert promise.text(Game(players=2, seed=1).edition.names).endswith("before round 4 is over")
    assert why_not(promise, Game.from_position(POSITION, seed=3).state) == ""


def test_every_kind_is_tried() -> None:
    assert {given["kind"] for given in ALL_KINDS} == {str(kind) for kind in Kind}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"kind": "love"}, "kind: must be a kind of promise, not 'love'"),
        ({"at_most": None}, "at_most: is missing; a promise of the kind sell needs it"),
        ({"until": None}, "until: is missing"),
        ({"until": "soon"}, "until: must be a whole number"),
        ({"to": "all"}, "to: must be one player"),
        ({"to": "A"}, "to: must be one of B, C, all"),
        ({"deed": "go"}, "deed: there is no deed 'go'"),
        ({"deed": "card_chance"}, "deed: must be a deed, not a card"),
        ({"group": "brown"}, "group: there is no such key"),
    ],
)
def test_what_is_wrong_with_a_promise_is_said(change: dict, problem: str) -> None:
    with pytest.raises(InputError) as error:
        read_promise({**SELL, **change}, 0, 3)
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("promise", "reason"),
    [
        (Promise(0, 1, Kind.SELL, BOARDWALK, 4, 90), "boardwalk is not yours"),
        (Promise(0, 1, Kind.BUY, BALTIC, 4, 90), "baltic does not belong to B"),
        (Promise(0, 1, Kind.NO_BID, BALTIC, 4), "baltic is owned already"),
        (Promise(0, 1, Kind.KEEP, BALTIC, 400), "until must be a round from 1, this one, to 61"),
    ],
)
def test_a_promise_that_means_nothing_is_refused(promise: Promise, reason: str) -> None:
    assert why_not(promise, Game.from_position(POSITION, seed=3).state) == reason


# Kept and broken


def offer(terms: Terms) -> list[str]:
    return terms.actions()


@pytest.mark.parametrize(
    ("price", "answer", "status"),
    [
        (90, "accept", "kept"),
        (91, "accept", "broken"),
        (90, "reject", "kept"),
        (95, "reject", "open"),
    ],
)
def test_selling_at_the_price_keeps_a_promise_to_sell(price: int, answer: str, status: str) -> None:
    seated = Seated(SELL).play(*offer(Terms(0, 1, (BALTIC,), (), price)), answer)
    assert seated.status == status


@pytest.mark.parametrize(("price", "status"), [(90, "broken"), (89, "open"), (200, "broken")])
def test_refusing_the_price_breaks_a_promise_to_sell(price: int, status: str) -> None:
    seated = Seated(SELL, {"turn": "B"})
    seated.play(*offer(Terms(1, 0, (), (BALTIC,), -price)), "reject")
    assert seated.status == status


def test_more_than_cash_is_no_test_of_a_promise_to_sell() -> None:
    seated = Seated(SELL, {"turn": "B"})
    seated.play(*offer(Terms(1, 0, (), (BALTIC, MEDITERRANEAN), -400)), "reject")
    assert seated.status == "open"


def test_selling_to_another_breaks_it_and_so_does_time() -> None:
    assert Seated(SELL).play(*offer(Terms(0, 2, (BALTIC,), (), 90)), "accept").status == "broken"
    seated = Seated({**SELL, "until": 2})
    assert seated.until_round(2).status == "open"
    assert seated.until_round(3).status == "broken"
    assert seated.talks.ledger.outcomes[0].round == 3


BUY = {"kind": "buy", "to": "B", "deed": "boardwalk", "at_least": 400, "until": 4}


@pytest.mark.parametrize(
    ("price", "answer", "status"),
    [
        (400, "accept", "kept"),
        (399, "accept", "broken"),
        (400, "reject", "kept"),
        (300, "reject", "open"),
    ],
)
def test_buying_at_the_price_keeps_a_promise_to_buy(price: int, answer: str, status: str) -> None:
    seated = Seated(BUY).play(*offer(Terms(0, 1, (), (BOARDWALK,), -price)), answer)
    assert seated.status == status


def test_a_promise_to_buy_what_is_gone_is_void() -> None:
    seated = Seated(BUY, {"turn": "B"}).play(*offer(Terms(1, 2, (BOARDWALK,), (), 300)), "accept")
    assert seated.status == "void"
    assert kept_rate(seated.talks.ledger.outcomes, 0) is None


def test_parting_with_a_deed_breaks_a_promise_to_keep_it() -> None:
    keep = {"kind": "keep", "deed": "baltic", "until": 4}
    assert Seated(keep).play(*offer(Terms(0, 2, (BALTIC,), (), 90)), "accept").status == "broken"


def test_a_promise_to_keep_a_deed_is_kept_when_its_time_is_over() -> None:
    keep = {"kind": "keep", "deed": "baltic", "until": 2}
    assert Seated(keep).until_round(3).status == "kept"


@pytest.mark.parametrize(
    ("group", "status"), [("brown", "broken"), (None, "broken"), ("orange", "open")]
)
def test_building_breaks_a_promise_not_to(group: str | None, status: str) -> None:
    promise = {"kind": "no_build", "until": 4} | ({"group": group} if group else {})
    assert Seated(promise).play("build:baltic").status == status


def test_a_bid_breaks_a_promise_not_to_bid() -> None:
    promise = {"kind": "no_bid", "deed": "reading", "until": 4}
    seated = Seated(promise, {"turn": "B", "B": {"at": "go", "cash": 900}})
    for bid, status in ((True, "broken"), (False, "kept")):
        seated = Seated(promise, {"turn": "B", "B": {"at": "go", "cash": 900}})
        seated.game.play("roll", dice=(3, 2))
        assert seated.game.phase.name == "BUY"
        seated.play("auction")
        while seated.game.phase.name == "AUCTION":
            opens = "open" in seated.game.legal_actions()
            wants = bid if seated.game.actor == "A" else not bid and seated.game.actor == "C"
            seated.play("open" if opens and wants else "pass")
        assert seated.status == status


def test_a_deal_breaks_a_promise_of_none() -> None:
    promise = {"kind": "no_deal", "with": "C", "until": 4}
    assert Seated(promise).play(*offer(Terms(0, 1, (BALTIC,), (), 90)), "accept").status == "open"
    assert Seated(promise).play(*offer(Terms(0, 2, (BALTIC,), (), 90)), "accept").status == "broken"


def test_the_end_of_the_game_keeps_what_was_not_done_and_voids_the_rest() -> None:
    rules = {"max_turns": 2}
    for promise, status in (
        ({"kind": "keep", "deed": "baltic", "until": 9}, "kept"),
        (SELL, "void"),
    ):
        assert Seated(promise, rules=rules).until_round(9).status == status


def test_the_kept_rate_counts_what_was_kept_and_broken() -> None:
    ledger = Ledger()
    for status in (Status.KEPT, Status.BROKEN, Status.KEPT, Status.VOID, Status.OPEN):
        ledger.add(read_promise(SELL, 0, 3), 0)
        ledger.outcomes[-1].status = status
    assert kept_rate(ledger.outcomes, 0) == pytest.approx(2 / 3)
    assert kept_rate(ledger.outcomes, 1) is None
