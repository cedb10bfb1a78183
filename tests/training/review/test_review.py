"""Reviews: what is marked, in what words, how losses and luck add up, and where reviews are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from monopoly_training.cli import main
from monopoly_training.review import cache
from monopoly_training.review.cache import kept_path, kept_review
from monopoly_training.review.kernel import LEAVES
from monopoly_training.review.line_rollouts import LineTester
from monopoly_training.review.review import BLUNDER, review

from monopoly_env import Game, win_chances
from monopoly_env.agent import make_agent
from monopoly_env.engine.actions import IDS
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import RecordError
from monopoly_env.playing import GameLoop
from monopoly_env.records import write_record
from monopoly_env.records.record import RECORD
from monopoly_env.value.weights import shipped_value

ORANGE = ["st_james", "tennessee", "new_york"]
SELLING = [f"sell:{lot}" for lot in ORANGE] * 3


def record_of(game: Game, *actions: str) -> dict[str, Any]:
    """A record of a game in which these actions are played."""
    for action in actions:
        game.play(action)
    return game.record()


def position() -> Game:
    """A position of three in which A and B have built on their groups."""
    return Game.from_position(
        {
            "players": 3,
            "A": {"cash": 150, "deeds": ORANGE, "buildings": dict.fromkeys(ORANGE, 3)},
            "B": {
                "cash": 700,
                "deeds": ["vermont", "oriental", "connecticut", "reading"],
                "buildings": {"vermont": 3, "oriental": 3, "connecticut": 3},
            },
            "C": {"cash": 1200, "deeds": ["boardwalk", "virginia", "illinois", "bno"]},
        },
        seed=5,
    )


@pytest.fixture(scope="module")
def played() -> dict[str, Any]:
    """A game of two to its end."""
    game = Game(players=2, seed=11)
    GameLoop(game, [make_agent("veteran"), make_agent("fixed_a")]).play()
    return game.record(("veteran", "fixed_a"))


@pytest.fixture(scope="module")
def reviewed(played: dict[str, Any]) -> dict[str, Any]:
    """Its review."""
    return review(played)


def test_houses_sold_without_need_are_a_blunder_with_the_better_line_in_words() -> None:
    found = review(record_of(position(), *SELLING, "roll"))
    mark = found["marks"][0]
    assert (mark["kind"], mark["seat"]) == ("blunder", 0)
    assert mark["lost"] >= BLUNDER
    assert mark["done"].startswith("sell a building of")
    assert mark["better"]


def test_a_group_given_away_for_scraps_is_a_blunder_of_the_giver_and_a_find_of_the_taker() -> None:
    game = Game.from_position(
        {
            "players": 3,
            "A": {"cash": 900, "deeds": ["boardwalk", "reading"]},
            "B": {"cash": 1500, "deeds": ["park_place"]},
            "C": {"cash": 700},
        },
        seed=5,
    )
    found = review(record_of(game, "deal:B", "give:boardwalk", "ask_cash:10", "offer", "accept"))
    (blunder,) = [mark for mark in found["marks"] if mark["kind"] == "blunder"]
    assert (blunder["seat"], blunder["phase"], blunder["moment"]) == (0, "DEAL", 3)
    assert blunder["better"] == "make no such offer"
    assert "A gives Boardwalk" in blunder["done"]
    assert [m["seat"] for m in found["marks"] if m["kind"] == "fine"] == [1]


def test_the_same_offer_refused_is_nobodys_blunder() -> None:
    game = position()
    found = review(record_of(game, "deal:B", "ask:reading", "give_cash:1", "offer", "reject"))
    assert not [mark for mark in found["marks"] if mark["kind"] == "blunder"]
    assert [row[2] for row in found["decisions"]] == ["ANSWER"]  # an offer is judged if accepted


def test_a_deed_mortgaged_to_buy_another_is_judged_with_the_purchase() -> None:
    deeds = ["st_james", "tennessee", "reading"]
    game = Game.from_position(
        {
            "players": 3,
            "A": {"cash": 190, "deeds": deeds, "at": "jail"},
            "B": {"cash": 1500, "deeds": ["vermont"]},  # would pay more in an auction
            "C": {"cash": 1500},
            "hidden": {"dice": [[4, 5]]},
        },
        seed=5,
    )
    found = review(record_of(game, "roll", "mortgage:reading", "buy"))
    assert "blunder" not in [mark["kind"] for mark in found["marks"]]
    assert {row[2] for row in found["decisions"]} == {"BUY"}


def test_who_leaves_an_auction_bids_in_the_next_one() -> None:
    """The deeds of a bankrupt are auctioned one after another, in one phase."""
    deeds = "oriental vermont connecticut st_james tennessee new_york".split()
    game = Game.from_position(
        {
            "players": 3,
            "turn": "A",
            "A": {"cash": 10, "at": "go", "deeds": [f"{deed}*" for deed in deeds]},
            "B": {"cash": 1500},
            "C": {"cash": 1500},
            "hidden": {"dice": [[1, 3]]},
        },
        seed=5,
    )
    for action in ("roll", "bankrupt"):
        game.play(action)
    assert (game.phase, game.actor) == (Phase.AUCTION, "B")
    tester = LineTester(game.edition, shipped_value())
    tester.put(game.state)
    bid, left = tester.chances([(IDS["open"], LEAVES), (IDS["pass"],)], 0, 24)[:, :, 1]
    assert abs(bid.mean() - left.mean()) < 0.1
    tester.chances([(IDS["open"], LEAVES)], 0, 1)
    assert 1 in tester._games["owner"][0, [16, 18, 19]]  # B has won one of the later ones


def test_chances_are_those_of_the_value_at_every_moment(
    played: dict[str, Any], reviewed: dict[str, Any]
) -> None:
    assert len(reviewed["chances"]) == len(played["actions"]) + 1
    assert reviewed["chances"][0] == pytest.approx(win_chances(Game(players=2, seed=11)), abs=1e-4)
    winner = played["result"]["ranks"].index(1)
    assert reviewed["chances"][-1][winner] == 1.0


def test_scores_add_up(reviewed: dict[str, Any]) -> None:
    for seat, row in enumerate(reviewed["seats"]):
        own = [one for one in reviewed["decisions"] if one[1] == seat]
        assert row["decisions"] == len(own) > 50
        assert sum(s["decisions"] for s in row["phases"].values()) == len(own)
        assert row["lost"] == pytest.approx(sum(one[5] for one in own), abs=0.01)
        luck = reviewed["luck_start"][seat] + sum(one[1 + seat] for one in reviewed["luck"])
        assert row["luck"] == pytest.approx(luck, abs=0.05)
        kinds = [mark["kind"] for mark in reviewed["marks"] if mark["seat"] == seat]
        assert kinds.count("blunder") == row["blunders"]


def test_the_same_record_has_the_same_review(
    played: dict[str, Any], reviewed: dict[str, Any]
) -> None:
    assert review(played) == reviewed


def test_a_review_is_kept_until_the_record_or_the_value_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.jsonl"
    record = record_of(position(), "sell:st_james")
    first, was_kept = kept_review(path, 1, record, RECORD)
    assert not was_kept
    assert kept_review(path, 1, record, RECORD) == (first, True)
    other = record_of(position(), "sell:tennessee")
    assert kept_review(path, 1, other, RECORD)[1] is False
    monkeypatch.setattr(cache, "FORMAT", cache.FORMAT + 1)
    assert kept_review(path, 1, other, RECORD)[1] is False


def test_a_damaged_review_is_made_anew(tmp_path: Path) -> None:
    path, record = tmp_path / "games.jsonl", record_of(position(), "sell:st_james")
    first, _ = kept_review(path, 1, record, RECORD)
    file = kept_path(path, 1)
    file.write_text(file.read_text(encoding="utf-8").replace("TURN", "TORN"), "utf-8")
    assert kept_review(path, 1, record, RECORD) == (first, False)


def test_a_record_that_does_not_replay_is_refused_in_one_line(played: dict[str, Any]) -> None:
    broken = {**played, "actions": [*played["actions"][:5], "A jail_card"]}
    with pytest.raises(RecordError, match="action 6"):
        review(broken)


def test_the_command_prints_tables_json_and_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, page = tmp_path / "games.jsonl", tmp_path / "game.html"
    write_record(path, record_of(position(), *SELLING, "roll"))
    assert main(["replay", str(path), "--review"]) == 0
    shown = capsys.readouterr().out
    assert "??" in shown
    assert "better:" in shown
    assert main(["replay", str(path), "--review", "--json", "--html", str(page)]) == 0
    assert json.loads(capsys.readouterr().out)["marks"][0]["kind"] == "blunder"
    assert page.exists()


def test_json_without_a_review_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    write_record(path, record_of(position(), "roll"))
    assert main(["replay", str(path), "--json"]) == 2
    assert "--json: prints a review; give --review with it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("edition", "mode", "players", "deals"),
    [
        ("classic", "standard", 8, "steps"),
        ("yugioh2016", "standard", 5, "menu"),
        ("pokemon1999", "short", 3, "off"),
        ("nintendo2010", "standard", 2, "menu"),
    ],
)
def test_random_games_of_all_kinds_are_reviewed(
    edition: str, mode: str, players: int, deals: str
) -> None:
    rules = {"deals": deals, "max_players": 8, "max_turns": 40}
    game = Game(edition, players, 3, mode=mode, rules=rules)
    GameLoop(game, [make_agent("random")] * players).play()
    found = review(game.record())
    assert sum(row["decisions"] for row in found["seats"]) > 20
    for mark in found["marks"]:
        assert mark["done"]
        assert bool(mark["better"]) == (mark["kind"] != "fine")
        assert 0 <= mark["lost"] <= 1
