"""What bots do beside winning: sums by hand, against a slow twin, equal however games are played."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

import numpy as np
import pytest
from monopoly_training.behavior.figures import AT, COLUMNS, DEAL_SUMS, FIGURES
from monopoly_training.behavior.kernel import SOON
from monopoly_training.behavior.measure import BehaviorMeter, deal_sums
from monopoly_training.behavior.summary import behavior_of, figure_text
from monopoly_training.cli import main
from monopoly_training.matches.compiled import CompiledGames
from monopoly_training.matches.entrants import Entrant, entrants
from monopoly_training.matches.runner import Players, play_seating
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.tournament.config import load_tournament_config
from monopoly_training.tournament.report import write_report
from monopoly_training.tournament.tournament import play_tournament

from monopoly_env.agent import AgentSpec, make_agent
from monopoly_env.engine.board import COLORS, GROUP_BITS
from monopoly_env.engine.phases import AuctionLot, Phase
from monopoly_env.envs.options import TableOptions
from monopoly_env.game import Game

ROOT = Path(__file__).parents[3]
NAMES = ("strategist", "fixed_a", "random")
TABLE = TableOptions(num_players=3, rules={"max_turns": 150}, skip_forced=True)


class OwnCash:
    """A judge for whom a seat's chance is its cash, in millions."""

    def chances(self, games, rules):  # noqa: ARG002 - as a value takes them
        return games["cash"] / 1e6


@pytest.fixture(scope="module")
def played():
    """The actions of a game in which everything happens that is measured."""
    games = CompiledGames(entrants(NAMES), TABLE)
    return games.play(5, keep=True).actions


def column(sums, name):
    return sums[:, AT[name]].tolist()


# Deals, by hand

MADE = [
    # proposer, partner, given, asked, cash, accepted; gains of A, B, C
    ([0, 1, 1, 2, 50, 0], [0.10, -0.02, -0.08]),
    ([0, 1, 1, 2, 20, 0], [0.07, 0.01, -0.08]),
    ([0, 1, 1, 2, 0, 1], [0.05, 0.03, -0.08]),
    ([0, 2, 1, 2, 0, 0], [0.02, 0.001, -0.02]),
    ([1, 0, 4, 8, 0, 1], [-0.02, 0.04, -0.02]),
]


def test_deals_by_hand():
    gains = np.zeros((len(MADE), 8))
    gains[:, :3] = [row for _, row in MADE]
    found = deal_sums(np.array([offer for offer, _ in MADE]), gains)
    sums = {name: found[:3, k].round(9).tolist() for k, name in enumerate(DEAL_SUMS)}
    assert sums["offers_made"] == [4, 1, 0]
    assert sums["offers_taken"] == [1, 1, 0]
    assert sums["offers_heard"] == [1, 3, 1]
    assert sums["offers_accepted"] == [1, 1, 0]
    assert sums["refused"] == [0, 2, 1]
    assert sums["refused_good"] == [0, 1, 0]
    assert sums["deals"] == [2, 2, 0]
    assert sums["gained"] == [0.03, 0.07, 0]
    assert sums["given"] == [0.07, 0.03, 0]
    assert sums["talks"] == [2, 1, 0]
    assert sums["first_gap"] == [0.16, 0.06, 0]
    assert sums["long_talks"] == [1, 0, 0]
    assert sums["conceded"] == [0.05, 0, 0]


def test_no_offers_are_no_sums():
    assert not deal_sums(np.zeros((0, 6), np.int64), np.zeros((0, 8))).any()


# The kernel, against a twin in Python


def twin(actions):
    """The sums of the kernel, read off a game that is played move by move in Python."""
    game = Game(TABLE.load(), 3, 5)
    sums = {name: [0.0] * 3 for name in COLUMNS}
    mortgages = {}
    for action in actions.tolist():
        state, seat = game.state, game.actor_seat
        text = game.text(action)
        kind, _, _ = text.partition(":")
        before = game.copy()
        if kind == "roll" and state["phase"] == Phase.TURN:
            sums["throws"][seat] += 1
        if kind == "mortgage":
            sums["mortgaged"][seat] += 1
            mortgages[text.partition(":")[2]] = (seat, sums["throws"][seat])
        if kind == "lift":
            sums["lifted"][seat] += 1
            by, at = mortgages.pop(text.partition(":")[2], (None, 0))
            sums["lifted_soon"][seat] += by == seat and sums["throws"][seat] - at <= SOON
        if state["phase"] == Phase.ANSWER:
            sums["offers_made"][int(state["proposer"])] += 1
            sums["offers_heard"][seat] += 1
        game.play(action)
        if kind == "accept":
            for player in (int(before.state["proposer"]), int(before.state["partner"])):
                for group in range(COLORS):
                    bits = int(GROUP_BITS[group])
                    had = int(before.state["owned"][player]) & bits == bits
                    has = int(game.state["owned"][player]) & bits == bits
                    sums["groups_broken"][player] += had and not has
        if before.state["phase"] == Phase.AUCTION and before.state["lot"] == AuctionLot.DEED:
            square = int(before.state["lot_square"])
            owner = int(game.state["owner"][square])
            if owner >= 0:
                paid = int(before.state["cash"][owner]) - int(game.state["cash"][owner])
                price = int(game.edition.rules["price"][0, square])
                sums["auctions_won"][owner] += 1
                sums["over_list"][owner] += paid > price
                sums["times_list"][owner] += paid / price
    return sums


def test_the_kernel_counts_what_a_slow_twin_counts(played):
    found = BehaviorMeter(TABLE.load()).measure(3, 5, played)
    expected = twin(played)
    for name in (
        "throws", "auctions_won", "over_list", "mortgaged", "lifted", "lifted_soon",
        "groups_broken", "offers_made", "offers_heard",
    ):  # fmt: skip
        assert column(found, name) == expected[name], name
    assert column(found, "times_list") == pytest.approx(expected["times_list"], abs=1e-4)
    assert sum(expected["auctions_won"]) > 0
    assert sum(expected["offers_made"]) > 5
    assert all(
        0 <= covered <= threatened <= throws
        for covered, threatened, throws in zip(
            *(column(found, name) for name in ("covered", "threatened", "throws")), strict=True
        )
    )
    assert (found[:, AT["short"]] <= found[:, AT["threatened"]]).all()


def test_cash_against_the_highest_rent_in_reach():
    """B has a hotel 7 ahead of A, who has half of its rent; nothing of A's threatens B."""
    from monopoly_training.behavior.kernel import COVERED, SHORT, SUMS, THREATENED, count_throw

    game = Game.from_position(
        {
            "players": 2,
            "A": {"cash": 475, "at": "go"},
            "B": {
                "cash": 9,
                "at": "go",
                "deeds": ["oriental", "vermont", "connecticut", "boardwalk"],
            },
        },
        seed=1,
    )
    rents = game.edition.rules["rent"][0]
    sums = np.zeros((2, len(SUMS)))
    for seat in range(2):
        count_throw(game.state, game.edition.rules[0], seat, sums[seat])
    connecticut = 2 * int(rents[9, 0])  # bare, of a complete group; Boardwalk is out of reach
    assert connecticut < 475
    assert sums[0, [THREATENED, COVERED, SHORT]].tolist() == [1, 1, 0]
    game.state["cash"][0] = connecticut // 2
    count_throw(game.state, game.edition.rules[0], 0, sums[0])
    assert sums[0, [THREATENED, COVERED, SHORT]].tolist() == [2, 1.5, 1]
    assert not sums[1, [THREATENED, COVERED, SHORT]].any()


def test_a_game_with_more_offers_than_there_is_room_for(played, monkeypatch):
    expected = BehaviorMeter(TABLE.load()).measure(3, 5, played)
    monkeypatch.setattr("monopoly_training.behavior.measure.ROOM", 2)
    found = BehaviorMeter(TABLE.load()).measure(3, 5, played)
    np.testing.assert_array_equal(found, expected)


def test_another_judge_values_deals_by_itself(played):
    found = BehaviorMeter(TABLE.load(), OwnCash()).measure(3, 5, played)
    deals = found[:, AT["deals"]]
    assert deals.sum() > 0
    assert found[:, AT["gained"]].sum() == pytest.approx(found[:, AT["given"]].sum())
    ours = BehaviorMeter(TABLE.load()).measure(3, 5, played)
    assert not np.array_equal(found[:, AT["gained"]], ours[:, AT["gained"]])
    judged = {"refused_good", "gained", "given", "first_gap", "conceded"}
    rest = [AT[name] for name in COLUMNS if name not in judged]
    np.testing.assert_array_equal(found[:, rest], ours[:, rest])


# Figures


def test_a_figure_is_a_ratio_of_sums_with_an_interval_by_seed():
    sums = np.zeros((6, len(COLUMNS)))
    sums[:, AT["auctions_won"]] = [1, 2, 0, 1, 0, 4]
    sums[:, AT["over_list"]] = [1, 0, 0, 1, 0, 1]
    found = behavior_of(sums, np.array([0, 0, 1, 1, 2, 2]))
    assert found["overbid_rate"].value == 3 / 8
    assert found["overbid_rate"].count == 8
    low, high = found["overbid_rate"].ci95
    assert low <= 3 / 8 <= high
    assert (found["acceptance_rate"].value, found["acceptance_rate"].ci95) == (None, None)
    assert figure_text(FIGURES[0], None) == "–"


def test_every_figure_is_defined_in_a_sentence_and_on_the_page():
    page = (ROOT / "docs" / "judging.md").read_text(encoding="utf-8")
    for figure in FIGURES:
        assert {figure.above, figure.below} <= set(COLUMNS)
        assert figure.meaning.count(". ") == 0
        assert figure.meaning.endswith(".")
        assert figure.meaning in page


# However the games are played


def measured(line_up, seeds):
    """Behavior and actions of each game of a seating."""
    players = Players(line_up)
    seating = tuple(range(len(line_up)))
    playing = play_seating(players, seating, seeds, TABLE, lambda _: True, behavior=True)
    return {number: (outcome.behavior, outcome.actions) for number, outcome in playing}


@pytest.mark.promise("determinism")
def test_bots_asked_in_python_behave_as_compiled_ones():
    seeds = np.array([5, 6])
    asked = [
        Entrant(name, AgentSpec(name, "", lambda name=name: make_agent(name))) for name in NAMES
    ]
    compiled, sequential = measured(entrants(NAMES), seeds), measured(asked, seeds)
    for number in range(2):
        np.testing.assert_array_equal(compiled[number][1], sequential[number][1])
        np.testing.assert_array_equal(compiled[number][0], sequential[number][0])


def test_games_of_trained_policies_are_measured(small_run):
    found = measured(entrants([f"model:{small_run}", "fixed_a", "random"]), np.array([1, 2]))
    meter = BehaviorMeter(TABLE.load())
    for number, (behavior, actions) in found.items():
        np.testing.assert_array_equal(behavior, meter.measure(3, number + 1, actions))


SETTINGS = {
    "agents": ["strategist", "fixed_a", "random"],
    "games": 12,
    "rules": {"max_turns": 60},
    "records": 2,
    "behavior": True,
}


def play(folder, resume=False, **more):
    config = load_tournament_config(None, {**SETTINGS, **more})
    return play_tournament(config, folder, WorkOptions(resume=resume))


@pytest.mark.promise("resume")
def test_a_tournament_has_the_same_behavior_when_it_is_resumed(tmp_path):
    found = play(tmp_path)
    ledger = tmp_path / "games.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    again = play(tmp_path, resume=True)  # all from the ledger
    assert again.as_json()["behavior"] == found.as_json()["behavior"]
    assert "strategist" in found.behavior
    assert b'"seating"' in lines[1]
    write_report(found, tmp_path)
    report = (tmp_path / "report.html").read_text()
    assert "<h2>Behavior</h2>" in report
    assert all(escape(figure.meaning) in report for figure in FIGURES)
    results = json.loads((tmp_path / "results.json").read_text())
    assert set(results["behavior"]["bots"]) == {"strategist", "fixed_a", "random"}
    assert play(tmp_path / "without", behavior=False).as_json()["behavior"] is None


def test_the_command_prints_behavior(capsys):
    words = "evaluate fixed_a --against random,random --games 6 --rule max_turns=40".split()
    assert main([*words, "--behavior"]) == 0
    assert "mortgage churn, %" in capsys.readouterr().out
    assert main([*words, "--behavior", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["behavior"]
    assert set(found["bots"]) == {"fixed_a", "random", "random#2"}
    assert set(found["bots"]["fixed_a"]) == {figure.name for figure in FIGURES}
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["behavior"] is None
