"""Figures of negotiations: read back from records, judged by the game alone."""

from __future__ import annotations

import json

import numpy as np
import pytest
from monopoly_training.common.progress import NoProgress
from monopoly_training.negotiation.beliefs import Belief, calibration, scores
from monopoly_training.negotiation.figures import report
from monopoly_training.negotiation.formatting import table, tell
from monopoly_training.negotiation.playing import play_games
from monopoly_training.negotiation.retracing import retrace

from monopoly_env import Game, Terms, deal_values
from monopoly_env.agent import make_agent
from monopoly_env.errors import InputError, RecordError
from monopoly_env.negotiation.loop import NegotiationLoop
from monopoly_env.negotiation.options import NegotiationOptions
from monopoly_env.negotiation.promises import Kind, Promise
from monopoly_env.negotiation.statement import Message, Statement
from monopoly_env.playing import GameLoop
from monopoly_env.records import read_records
from tests.negotiation.test_talks import Scripted
from tests.negotiation.test_terms import BALTIC, BOARDWALK, POSITION

NAMES = ["ann", "ben", "cid"]
FIRST = Terms(0, 1, (), (BOARDWALK,), -300)
COUNTER = Terms(1, 0, (BOARDWALK,), (), 600)
KEEP = Promise(0, 1, Kind.KEEP, BALTIC, 9)


@pytest.fixture(scope="module")
def record() -> dict:
    """Ann offers 300, Ben counters at 600, Ann takes it; then she sells what she promised to keep."""
    ann = Scripted(
        Statement((Message(1, "300 for Boardwalk?"),), (KEEP,), FIRST, 0.25),
        Statement(offer=Terms(0, 2, (BALTIC,), (), 100), chance=0.5),
        takes=True,
    )
    ben, cid = Scripted(Statement(offer=COUNTER, chance=0.8)), Scripted(accepts=True)
    game = Game.from_position(POSITION, seed=1, rules={"max_turns": 3, "trade_limit": 4})
    loop = NegotiationLoop(game, [ann, ben, cid], options=NegotiationOptions())
    loop.play()
    return json.loads(json.dumps(loop.record(NAMES)))


def test_exchanges_are_read_back_with_their_positions(record: dict) -> None:
    retraced = retrace(record)
    first, second = retraced.exchanges.values()
    assert [(offer.terms, offer.step, offer.accepted) for offer in first.offers] == [
        (FIRST, 1, False),
        (COUNTER, 2, True),
    ]
    assert second.is_struck
    assert first.offers[0].game.phase.name == "ANSWER"
    assert (first.offers[1].game.actor, first.offers[1].game.phase.name) == ("A", "TURN")
    assert retraced.player(1) == "ben"


def test_promises_are_judged_by_the_game_and_not_by_what_is_claimed(record: dict) -> None:
    (outcome,) = retrace(record).outcomes
    assert (outcome.status, outcome.promise) == ("broken", KEEP)
    entries = [
        {**entry, "kind": "kept"} if entry["kind"] == "broken" else entry
        for entry in record["negotiation"]["entries"]
    ]
    claimed = {**record, "negotiation": {**record["negotiation"], "entries": entries}}
    assert retrace(claimed).outcomes[0].status == "broken"


def test_figures_are_what_the_values_say(record: dict) -> None:
    retraced = retrace(record)
    figures = report([retraced])
    deals = [
        deal_values(exchange.offers[-1].game, exchange.offers[-1].terms)
        for exchange in retraced.exchanges.values()
    ]
    assert (figures["exchanges"], figures["deals"], figures["deal_rate"]) == (2, 2, 1.0)
    assert (figures["offers"], figures["accepted"]) == (3, 2 / 3)
    ann, ben = figures["players"]["ann"], figures["players"]["ben"]
    assert ann["gain_a_deal"]["mean"] == pytest.approx(np.mean([deal.change[0] for deal in deals]))
    assert ben["gain_a_deal"]["mean"] == pytest.approx(deals[0].change[1])
    assert figures["third_parties"]["mean"] == pytest.approx(-np.mean([d.joint for d in deals]))
    assert ben["deals_of_others"]["mean"] == pytest.approx(-deals[1].joint)
    assert min(deal.joint for deal in deals) > 0
    assert ben["surplus_share"]["mean"] == pytest.approx(deals[0].change[1] / deals[0].joint)
    assert 0 < figures["efficiency"]["mean"] <= 1
    assert (ann["promises"]["broken"], ann["promises"]["kept_rate"]) == (1, 0.0)
    assert (ann["messages"], ann["words"], ben["words"]) == (1, 3, 0)


def test_concessions_go_step_by_step(record: dict) -> None:
    first, second = report([retrace(record)])["concessions"]
    assert (first["step"], first["n"], first["conceded"]) == (1, 1, 0.0)
    assert second["step"] == 2
    assert second["own"] > first["other"]  # Ben asks for more than he was offered


def test_beliefs_are_scored_against_what_happened(record: dict) -> None:
    beliefs = report([retrace(record)])["beliefs"]
    assert beliefs["players"]["ann"]["n"] == 2
    assert beliefs["players"]["ann"]["brier"] == pytest.approx((0.25**2 + 0.5**2) / 2)
    assert beliefs["players"]["ben"]["brier"] == pytest.approx(0.2**2)
    assert beliefs["all"]["base_rate"] == pytest.approx(2 / 3)


def test_scores_of_beliefs() -> None:
    sure = scores([Belief("a", 1.0, True), Belief("a", 0.0, False)])
    assert (sure["brier"], sure["log_loss"]) == (0.0, pytest.approx(0.0, abs=1e-5))
    wrong = scores([Belief("a", 1.0, False)])
    assert wrong["brier"] == 1
    assert np.isfinite(wrong["log_loss"])
    assert scores([]) == {"n": 0}
    rows = scores([Belief("a", 0.1, False), Belief("a", 0.15, True), Belief("a", 0.9, True)])[
        "bins"
    ]
    assert [(row["from"], row["n"], row["accepted"]) for row in rows] == [
        (0.0, 2, 0.5),
        (0.8, 1, 1.0),
    ]
    assert calibration([])["players"] == {}


def test_rollouts_value_deals_with_errors(record: dict) -> None:
    figures = report([retrace(record)], samples=40)
    assert figures["samples"] == 40
    assert figures["players"]["ben"]["gain_a_deal"]["n"] == 1


def test_games_without_words_have_the_figures_of_their_offers() -> None:
    game = Game(players=3, seed=3, rules={"max_turns": 90})
    GameLoop(game, [make_agent("trader")] * 3, seed=3).play()
    figures = report([retrace(game.record())])
    assert figures["offers"] > 0
    assert sorted(figures["players"]) == ["A", "B", "C"]
    assert figures["beliefs"]["all"] == {"n": 0}


def test_two_players_have_nothing_to_share() -> None:
    position = {"players": 2, "turn": "A", "A": POSITION["A"], "B": POSITION["B"]}
    ann, ben = Scripted(Statement(offer=FIRST)), Scripted(accepts=True)
    game = Game.from_position(position, seed=1, rules={"max_turns": 2})
    loop = NegotiationLoop(game, [ann, ben])
    loop.play()
    figures = report([retrace(loop.record())])
    assert figures["deals"] == 1
    assert figures["efficiency"]["mean"] is None
    assert figures["players"]["A"]["surplus_share"]["mean"] is None
    assert figures["third_parties"]["mean"] == pytest.approx(0)


def test_entries_that_do_not_fit_are_told(record: dict) -> None:
    for change, problem in (
        ({"format": 7}, "negotiation: has format 7"),
        ({"entries": 3}, "entries: must be a list"),
        ({"entries": [{"at": 0, "by": "A", "kind": "offer"}]}, "entry 1: cannot be read"),
    ):
        with pytest.raises(RecordError, match=problem):
            retrace({**record, "negotiation": {**record["negotiation"], **change}})


def test_it_is_told_in_words(record: dict) -> None:
    lines = list(tell(retrace(record)))
    assert lines[0].startswith("A ann, B ben, C cid")
    assert '    0 A to B: "300 for Boardwalk?"' in lines
    assert any(
        "B counters to A (exchange 1, step 2): Boardwalk for $600." in line for line in lines
    )
    assert "2 exchanges, 2 deals (100%)" in table(report([retrace(record)]))


def test_games_are_played_into_a_new_file(tmp_path) -> None:
    file = tmp_path / "talks.jsonl"
    names = ["negotiator", "background"]
    play_games(file, names, 2, 5, "classic", "standard", {"max_turns": 20}, NoProgress())
    first, second = read_records(file)
    assert (first["bots"], second["bots"]) == (names, names[::-1])
    assert (first["seed"], second["seed"]) == (5, 6)
    assert first["rules"]["trade_limit"] == 4
    with pytest.raises(InputError, match="is there already"):
        play_games(file, names, 1, 5, "classic", "standard", {}, NoProgress())
