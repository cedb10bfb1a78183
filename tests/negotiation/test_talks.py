"""What is said beside a game: budgets, who may see what, chains, counter-offers, the record."""

from __future__ import annotations

import json

import pytest

from monopoly_env import Game, Terms
from monopoly_env.agent import make_agent
from monopoly_env.errors import InputError, RecordError
from monopoly_env.negotiation.chains import Chains
from monopoly_env.negotiation.loop import NegotiationLoop
from monopoly_env.negotiation.options import NegotiationOptions, read_options
from monopoly_env.negotiation.promises import EVERYBODY, Kind, Promise
from monopoly_env.negotiation.statement import SILENT, Message, Statement, read_statement
from monopoly_env.negotiation.talks import Occasion
from monopoly_env.playing import GameLoop
from monopoly_env.records import check_record, encode_record
from monopoly_env.replay import replay
from tests.negotiation.test_terms import BALTIC, BOARDWALK, POSITION

BUY = Terms(0, 1, (), (BOARDWALK,), -400)


class Scripted:
    """A bot that says what it is given, in order, and answers offers as it is told."""

    def __init__(self, *said: Statement, accepts: bool = False, takes: bool = False) -> None:
        self.said, self.accepts, self.takes_it = list(said), accepts, takes
        self.given = []

    def reset(self, seed: int) -> None:
        pass

    def decide(self, view) -> int:
        actions = view.legal_actions
        if "accept" in actions:
            return view.game.id("accept" if self.accepts else "reject")
        for calm in ("roll", "end_turn", "pass", "auction"):
            if calm in actions:
                return view.game.id(calm)
        return int(view.mask.argmax())

    def negotiate(self, talk) -> Statement:
        self.given.append(talk)
        return self.said.pop(0) if self.said else SILENT

    def takes(self, talk) -> bool:
        self.given.append(talk)
        return self.takes_it


def seated(*bots: Scripted, **options: object) -> NegotiationLoop:
    game = Game.from_position(POSITION, seed=1)
    return NegotiationLoop(game, bots, options=NegotiationOptions(**options))


def kinds(loop: NegotiationLoop) -> list[tuple[str, str, str]]:
    return [(entry["by"], entry["kind"], entry["to"]) for entry in loop.talks.entries]


def say(to: int, text: str) -> Statement:
    return Statement((Message(to, text),))


# Messages


def test_who_is_spoken_to_replies_at_once_and_the_speaker_hears_it() -> None:
    ann, ben, cid = Scripted(say(1, "Hello Ben.")), Scripted(say(0, "Hello Ann.")), Scripted()
    loop = seated(ann, ben, cid)
    for _ in range(3):
        loop.step()
    assert kinds(loop) == [("A", "say", "B"), ("B", "say", "A")]
    assert ben.given[0].occasion is Occasion.REPLY
    assert not ben.given[0].view.mask.any()
    assert ben.given[0].view.seat == 1
    assert [entry["text"] for entry in ann.given[-1].new] == ["Hello Ann."]
    assert cid.given == []


def test_a_message_to_one_seat_is_for_that_seat() -> None:
    loop = seated(Scripted(say(1, "between us"), say(EVERYBODY, "for all")), Scripted(), Scripted())
    for _ in range(5):
        loop.step()
    texts = [[entry["text"] for entry in loop.talks.seen_by(seat)] for seat in range(3)]
    assert texts == [["between us", "for all"], ["between us", "for all"], ["for all"]]


def test_rounds_of_replies_end() -> None:
    """The second message of a turn waits until its hearer is asked anyway."""
    ben = Scripted()
    loop = seated(Scripted(say(1, "one"), say(1, "two")), ben, Scripted(), rounds=1)
    for _ in range(4):
        loop.step()
    assert [entry["text"] for entry in ben.given[0].new] == ["one"]
    assert len(ben.given) == 1


@pytest.mark.parametrize(
    ("said", "options", "problem"),
    [
        (say(1, "a b c d"), {"words": 3}, "say: has 4 words; a message may have 3"),
        (say(1, "a b c d"), {"words_a_game": 3}, "say: has 4 words; you have 3 left"),
        (say(1, "a"), {"words": 0}, "a message may have 0"),
        (
            Statement(promises=(Promise(0, 1, Kind.KEEP, BALTIC, 5),)),
            {"promises": 0},
            "promise: at most 0 may be open",
        ),
        (
            Statement(promises=(Promise(0, 1, Kind.KEEP, BOARDWALK, 5),)),
            {},
            "promise: keep: boardwalk is not yours",
        ),
        (Statement(offer=BUY), {"beliefs": True}, "offer: needs the chance that it is accepted"),
        (Statement(offer=Terms(0, 1, (), (BALTIC,), -4)), {}, "it belongs to another player"),
    ],
)
def test_what_goes_beyond_the_budgets_is_refused(
    said: Statement, options: dict, problem: str
) -> None:
    loop = seated(Scripted(said), Scripted(), Scripted(), **options)
    with pytest.raises(InputError, match=problem):
        loop.step()
    assert loop.talks.entries == []
    assert loop.game.history == []


def test_statements_are_read_from_data() -> None:
    said = read_statement(
        {
            "say": [{"to": "b", "text": "Two  words"}, "to all"],
            "promise": {"kind": "keep", "deed": "baltic", "until": 3},
            "offer": {"to": "B", "ask": ["boardwalk"], "give_cash": 400, "chance": 0.25},
            "action": 3,
        },
        0,
        3,
    )
    assert said.messages == (Message(1, "Two words"), Message(EVERYBODY, "to all"))
    assert (said.offer, said.chance) == (BUY, 0.25)
    assert said.promises[0].kind is Kind.KEEP
    assert not read_statement({"say": "", "promise": [], "offer": None}, 0, 3)


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"say": {"to": "B"}}, "say.text: must be what is said"),
        ({"say": {"to": "Z", "text": "x"}}, "say.to: must be one of B, C, all"),
        ({"offer": {"to": "B"}, "counter": {"to": "B"}}, "give an offer or a counter"),
        ({"offer": {"to": "B", "chance": 2}}, "chance: must be from 0 to 1"),
    ],
)
def test_statements_that_cannot_be_read_are_told(raw: dict, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_statement(raw, 0, 3)


def test_budgets_are_read() -> None:
    assert read_options(None) is None
    assert read_options(True) == NegotiationOptions()
    assert read_options({"words": 5, "offers": None}).offers is None
    for raw, problem in (
        ({"word": 5}, "did you mean 'words'"),
        ({"words": -1}, "words: must be from 0"),
        (5, "must be True, a mapping"),
    ):
        with pytest.raises(InputError, match=problem):
            read_options(raw)


# Offers and counter-offers


def test_an_offer_is_made_at_once_and_answered() -> None:
    ann, ben = Scripted(Statement(offer=BUY, chance=0.7)), Scripted(accepts=True)
    loop = seated(ann, ben, Scripted())
    loop.step()
    loop.step()
    assert loop.game.owner("boardwalk") == "A"
    offer, answer = loop.talks.entries
    assert (offer["chain"], offer["step"], offer["chance"]) == (1, 1, 0.7)
    assert (answer["by"], answer["kind"], answer["chain"]) == ("B", "accept", 1)
    assert "chance" in loop.talks.seen_by(0)[0]
    assert "chance" not in loop.talks.seen_by(1)[0]


@pytest.mark.parametrize("takes", [True, False])
def test_a_counter_offer_refuses_and_is_answered_at_once(takes: bool) -> None:
    back = Terms(1, 0, (BOARDWALK,), (BALTIC,), 500)
    ann, ben = Scripted(Statement(offer=BUY), takes=takes), Scripted(Statement(offer=back))
    loop = seated(ann, ben, Scripted())
    for _ in range(3):
        loop.step()
    last = "accept" if takes else "refuse"
    told = [(e["by"], e["kind"], e["chain"], e["step"]) for e in loop.talks.entries]
    assert told == [
        ("A", "offer", 1, 1),
        ("B", "refuse", 1, 1),
        ("B", "counter", 1, 2),
        ("A", last, 1, 2),
    ]
    assert ann.given[-1].counter == back
    assert loop.game.owner("boardwalk") == ("A" if takes else "B")
    assert loop.game.owner("baltic") == ("B" if takes else "A")
    assert loop.game.cash[0] == (1000 if takes else 1500)
    assert loop.game.actor == "A"
    assert replay(loop.record()) == loop.game


def test_a_bot_without_words_answers_counter_offers_as_offers() -> None:
    for price, taken in ((1, True), (1400, False)):
        back = Terms(1, 0, (BOARDWALK,), (), price)
        game = Game.from_position(POSITION, seed=1)
        bots = [make_agent("veteran"), Scripted(Statement(offer=back)), Scripted()]
        loop = NegotiationLoop(game, bots)
        for action in Terms(0, 1, (), (BOARDWALK,), -2).actions():
            loop.take(game.id(action))
        loop.step()
        loop.step()
        assert (game.owner("boardwalk") == "A") is taken


def test_the_proposer_may_counter_a_counter_offer_in_the_same_chain() -> None:
    ann = Scripted(Statement(offer=BUY), Statement(offer=Terms(0, 1, (), (BOARDWALK,), -450)))
    ben = Scripted(Statement(offer=Terms(1, 0, (BOARDWALK,), (), 500)))
    loop = seated(ann, ben, Scripted())
    for _ in range(4):
        loop.step()
    steps = [
        (e["kind"], e["chain"], e["step"]) for e in loop.talks.entries if e["kind"] != "refuse"
    ]
    assert steps == [("offer", 1, 1), ("counter", 1, 2), ("offer", 1, 3)]


def test_counter_offers_can_be_off() -> None:
    ben = Scripted(Statement(offer=Terms(1, 0, (BOARDWALK,), (), 500)))
    loop = seated(Scripted(Statement(offer=BUY)), ben, Scripted(), counters=False)
    loop.step()
    with pytest.raises(InputError, match="there are no counter-offers here"):
        loop.step()


def test_chains_go_on_about_the_same_things() -> None:
    chains = Chains()
    first = chains.offer(BUY, 5, 3)
    chains.answer(accepted=False)
    assert chains.offer(Terms(1, 0, (BOARDWALK,), (), 700), 7, 3) is first
    chains.answer(accepted=False)
    assert chains.offer(Terms(0, 1, (), (BALTIC,), -70), 7, 3).number == 2
    chains.answer(accepted=True)
    assert chains.offer(Terms(0, 1, (), (BALTIC,), -80), 7, 3).number == 3
    chains.answer(accepted=False)
    assert chains.offer(BUY, 12, 3).number == 4  # too long ago
    assert first.steps == 2


# Records


def test_a_record_keeps_what_was_said_and_replays_without_it() -> None:
    game = Game(players=3, seed=4, rules={"max_turns": 60})
    names = ["negotiator", "negotiator:0", "veteran"]
    loop = NegotiationLoop(game, [make_agent(name) for name in names], seed=4)
    loop.play()
    record = json.loads(encode_record(loop.record(names)))
    record.pop("digest", None)
    said = {entry["kind"] for entry in record["negotiation"]["entries"]}
    assert {"say", "offer", "refuse"} <= said
    assert replay(check_record(record)) == game
    record.pop("negotiation")
    assert replay(check_record(record)) == game
    with pytest.raises(RecordError, match="negotiation: must be a mapping"):
        check_record({**record, "negotiation": [1]})
    with pytest.raises(RecordError, match="answers: must be a list"):
        check_record({**record, "answers": "x"})


def test_bots_that_do_not_speak_play_the_very_same_game() -> None:
    """Byte for byte: a negotiation in which nobody says anything is no negotiation."""
    records = []
    for loop in (GameLoop, NegotiationLoop):
        game = Game(players=3, seed=9, rules={"max_turns": 60})
        bots = [make_agent(name) for name in ("veteran", "background", "fixed_a")]
        loop(game, bots, seed=9).play()
        records.append(encode_record(game.record()))
    assert records[0] == records[1]


def test_the_same_seed_is_the_same_talk() -> None:
    runs = []
    for _ in range(2):
        game = Game(players=3, seed=6, rules={"max_turns": 40})
        bots = [make_agent("negotiator:0.5") for _ in range(3)]
        loop = NegotiationLoop(game, bots, seed=6)
        loop.play()
        runs.append(loop.record())
    assert runs[0] == runs[1]
